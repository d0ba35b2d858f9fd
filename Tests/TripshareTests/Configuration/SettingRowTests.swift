import ArgumentParser
import Failures
import FleetWire
import Foundation
import Runtime
import Terminal
import Testing
import TransportLive
import TripFeed
import TripScreen
import TripTestSupport
import TripText

@testable import tripshare

/// The table of settings against the command line, the environment and the file.
@Suite("Rows of settings", .ends(within: .longTest))
struct SettingRowTests {
    /// The options of a command, as the parser lists them.
    private struct Tree: Decodable {
        struct Name: Decodable { var name: String }
        struct Argument: Decodable {
            var kind: String
            var preferredName: Name?
            var valueName: String?
            var abstract: String?
            var allValues: [String]?
        }
        struct Command: Decodable {
            var commandName: String
            var arguments: [Argument]?
            var subcommands: [Command]?
        }
        var command: Command
    }

    /// The settings of a context, with a file of this text.
    private func settings(
        _ text: String,
        _ environment: [String: String] = [:],
        profile: String? = nil
    ) async throws -> Settings {
        try await Program.withFolder { folder in
            let file = folder.appending(path: "config.json")
            try Data(text.utf8).write(to: file)
            let environment = ["TRIPSHARE_CONFIG": file.path].merging(environment) { $1 }
            let context = ProcessContext(environment: environment, localizer: .english, write: { _, _ in })
            return try ProcessContext.$current.withValue(context) { try Settings.load(profile: profile) }
        }
    }

    // MARK: One declaration

    @Test func `each option is the one of its row`() async throws {
        let run = try await Program.run(["--experimental-dump-help"])
        let tree = try JSONDecoder().decode(Tree.self, from: Data(run.output.utf8)).command
        let watch = try #require(tree.subcommands?.first { $0.commandName == "watch" }?.arguments)
        for row in SettingRows.list {
            guard let flag = row.flag else { continue }
            let option = try #require(watch.first { $0.preferredName?.name == flag }, "--\(flag)")
            #expect(option.abstract == row.help.abstract)
            if option.kind == "option" { #expect(option.valueName == row.help.valueName) }
            for value in option.allValues ?? [] { #expect(row.documentation.contains("`\(value)`"), "--\(flag)") }
        }
    }

    @Test func `keys, options and variables are distinct, and a variable is spelled like its key`() {
        let rows = SettingRows.list
        #expect(rows.count > 20)
        for names in [rows.map(\.key), rows.compactMap(\.flag), rows.compactMap(\.variable)] {
            #expect(Set(names).count == names.count)
        }
        for row in rows {
            guard let variable = row.variable else { continue }
            #expect(variable.replacing("_", with: "") == "TRIPSHARE" + row.key.uppercased())
        }
    }

    @Test(arguments: ["", "profiles.staging."])
    func `each key refuses null, and the message names the key and the file`(prefix: String) {
        for row in SettingRows.list {
            let failure = #expect(throws: CommandFailure.self) {
                _ = try SettingLayer([row.key: .null], prefix: prefix, path: "/tmp/config.json")
            }
            let message = failure?.message(.english) ?? ""
            #expect(message.contains("‘\(prefix)\(row.key)’") && message.contains("config.json’"), "\(message)")
            #expect(failure?.exitCode == 78 && message.split(separator: "\n").count == 2, "\(message)")
        }
    }

    // MARK: Precedence

    @Test
    func `an option overrides the variable, the variable the profile, the profile the file, the file the default`()
        async throws
    {
        let file = #"{"interval": 3, "profiles": {"staging": {"interval": 4, "units": "imperial"}, "other": {}}}"#
        let variable = ["TRIPSHARE_INTERVAL": "6"]
        func interval(_ settings: Settings) -> Double { settings.resolve(\.interval) }
        #expect(try await interval(settings("{}")) == 5)
        #expect(try await interval(settings(file)) == 3)
        #expect(try await interval(settings(file, profile: "other")) == 3)
        let staging = try await settings(file, profile: "staging")
        #expect(interval(staging) == 4 && staging.units == .imperial)
        #expect(try await interval(settings(file, variable, profile: "staging")) == 6)
        #expect(try await settings(file, variable, profile: "staging").resolve(\.interval, 7) == 7)
        // The option for the profile overrides its variable, and an empty variable counts as unset.
        #expect(try await interval(settings(file, ["TRIPSHARE_PROFILE": "staging"])) == 4)
        #expect(try await interval(settings(file, ["TRIPSHARE_PROFILE": "staging"], profile: "other")) == 3)
        #expect(try await interval(settings(file, ["TRIPSHARE_PROFILE": "", "TRIPSHARE_INTERVAL": ""])) == 3)
    }

    @Test func `thresholds and keys of profile and file are joined by name`() async throws {
        let file = """
            {"thresholds": {"gap": 40, "speed": 50}, "keys": {"follow": "F"},
             "profiles": {"p": {"thresholds": {"gap": 41}, "keys": {"quit": ["Q"]}}}}
            """
        let settings = try await settings(file, ["TRIPSHARE_THRESHOLDS": "speed=60"], profile: "p")
        let limits = Dictionary(settings.thresholds.map { ($0.limit.id, $0.value) }) { $1 }
        #expect(limits == ["gap": 41, "speed": 60])
        let names = settings.keys.reduce(into: [:]) { $0[$1.command.rawValue] = $1.keys.map(\.name) }
        // Ctrl-C always quits, too.
        #expect(names["follow"] == ["F"] && names["quit"]?.first == "Q" && names["quit"]?.contains("q") == false)
    }

    // MARK: Headers and proxies

    @Test func `a header goes to the endpoint of its own source, and of those that this source overrides`() async throws
    {
        let file = """
            {"tokenUrl": "https://all.example/{tripId}", "tokenHeaders": {"A": "env:ALL", "B": "env:ALL"},
             "profiles": {
               "own": {"tokenUrl": "https://own.example/{tripId}", "tokenHeaders": {"C": "file:/own"}},
               "headers": {"tokenHeaders": {"a": "env:MINE"}}
             }}
            """
        func headers(_ profile: String?, _ environment: [String: String] = [:]) async throws -> [String] {
            let endpoint = try #require(try await settings(file, environment, profile: profile).endpoint(\.tokenURL))
            return endpoint.headers.map { "\($0.name) \($0.origin)" }.sorted()
        }
        let (all, mine) = (SecretReference.variable("ALL"), SecretReference.variable("MINE"))
        #expect(try await headers(nil) == ["A \(all)", "B \(all)"])
        #expect(try await headers("own") == ["C \(SecretReference.file(path: "/own"))"])
        #expect(try await headers("headers") == ["B \(all)", "a \(mine)"])
        #expect(try await headers("own", ["TRIPSHARE_TOKEN_URL": "https://x.example/{tripId}"]) == [])
        let variable = ["TRIPSHARE_TOKEN_HEADERS": "C=env:MINE, D=env:ALL"]
        #expect(try await headers("own", variable) == ["C \(mine)", "D \(all)"])
    }

    @Test(arguments: [
        #"{"tokenHeaders": {"Authorization": "Basic hunter2"}}"#, #"{"tokenHeaders": "hunter2"}"#,
        #"{"tokenHeaders": {"hunter2 x": "env:LOGIN"}}"#, #"{"proxy": "http://u:hunter2@proxy.example:1"}"#,
        #"{"profiles": {"p": {"proxy": "socks5://hunter2"}}}"#,
    ])
    func `a value in place of a reference is refused and not shown`(text: String) async throws {
        let failure = await #expect(throws: CommandFailure.self) { _ = try await settings(text) }
        let message = failure?.message(.english) ?? ""
        #expect(failure?.exitCode == 78 && message.contains("env:VARIABLE"), "\(message)")
        #expect(!message.contains("hunter2"))
    }

    @Test func `a proxy is read from its place when connections are made`() async throws {
        let file = #"{"profiles": {"p": {"proxy": "env:STAGING_PROXY"}, "q": {"proxy": "http://127.0.0.1:2"}}}"#
        let named = try await settings(file, profile: "p")
        let network = try NetworkOptions.parse([])
        let url = try #require(URLOrigin("https://fleet.example"))
        let found = try network.connections(named, environment: ["STAGING_PROXY": "http://u:secret@127.0.0.1:1"])
        let proxy = try found.proxies.proxy(for: url)
        #expect(proxy?.port == 1 && proxy?.user == "u" && proxy?.source == "profiles.p.proxy")
        let environment = ["https_proxy": "http://127.0.0.1:3"]
        let plain = try network.connections(try await settings(file, profile: "q"), environment: environment)
        #expect(try plain.proxies.proxy(for: url)?.port == 2)
        let given = try NetworkOptions.parse(["--proxy", "http://127.0.0.1:4"])
        let option = try given.connections(named, environment: environment)
        #expect(try option.proxies.proxy(for: url)?.port == 4)
        let loopback = try #require(URLOrigin("http://127.0.0.1:5"))
        #expect(try plain.proxies.proxy(for: loopback) == nil && option.proxies.proxy(for: loopback)?.port == 4)
        let place = try NetworkOptions.parse(["--proxy", "env:MINE"]).connections(
            named,
            environment: ["MINE": "http://127.0.0.1:6"]
        )
        #expect(try place.proxies.proxy(for: loopback)?.port == 6)
        let missing = #expect(throws: CommandFailure.self) { try network.connections(named, environment: [:]) }
        #expect(missing?.message(.english).contains("‘profiles.p.proxy’") == true)
        #expect(missing?.exitCode == 78)
    }
}
