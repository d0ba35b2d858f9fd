import Foundation
import Testing
import TripTestSupport

@Suite("Configuration file", .ends(within: .longTest))
struct ConfigurationTests {
    /// Runs the program with a configuration file of this text.
    ///
    /// By default a script quits at once.
    private func run(
        _ text: String,
        _ arguments: [String] = [],
        script: String = "key q",
        start: ([String], [String: String]) async throws -> Program.Run = {
            try await Program.run($0, environment: $1)
        }
    ) async throws -> Program.Run {
        try await Program.withFolder { folder in
            let file = folder.appendingPathComponent("config.json")
            try Data(text.utf8).write(to: file)
            let steps = folder.appendingPathComponent("steps")
            try Data(script.replacing("FOLDER", with: folder.path).utf8).write(to: steps)
            var run = try await start(["demo", "--script", steps.path] + arguments, ["TRIPSHARE_CONFIG": file.path])
            if let dump = try? String(contentsOf: folder.appendingPathComponent("screen"), encoding: .utf8) {
                // Only a script that saves the screen creates this file.
                run.output += dump
            }
            return run
        }
    }

    @Test func `the screen uses keys and theme of the file`() async throws {
        let script = "wait 127.0.0.1\nkey q ?\ndump FOLDER/screen\nkey Esc F\nwait Theme contrast\nkey Q"
        let text = #"{"theme": "light", "keys": {"nextTheme": "F", "quit": ["Q", "U"]}}"#
        let run = try await run(text, script: script)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("Q U    End the program"))
    }

    @Test func `a theme on the command line overrides the file's`() async throws {
        let run = try await run(
            #"{"theme": "light"}"#,
            ["--theme", "contrast"],
            script: "wait 127.0.0.1\nkey T\nwait Theme colorblind\nkey q"
        )
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test(arguments: [
        (#"{"intervall": 3}"#, ["‘intervall’", "‘interval’"]),
        (#"{"unheard": 3}"#, ["‘unheard’", "providerId, fleetEngineUrl"]),
        (#"{"providerId": 3}"#, ["‘providerId’", "quotation marks"]),
        (#"{"interval": true}"#, ["‘interval’", "seconds"]),
        (#"{"theme": "drak"}"#, ["‘drak’", "dark, light"]),
        (#"{"keys": "F"}"#, ["‘keys’", "follow"]),
        (#"{"keys": {"folow": "F"}}"#, ["‘folow’", "‘follow’"]),
        (#"{"keys": {"follow": 7}}"#, ["‘follow’", "no key"]),
        (#"{"keys": {"follow": "F13"}}"#, ["‘F13’", "‘follow’", "PgUp"]),
        (#"{"keys": {"follow": "b"}}"#, ["‘b’", "follow and largeMap", "view Trip"]),
        (#"{"keys": {"pan": "b"}}"#, ["‘pan’", "fixed"]),
        (#"["keys"]"#, ["JSON object"]),
        (#"{"keys": null}"#, ["‘keys’"]),
    ])
    func `names what is invalid in the file and what would be valid`(
        _ example: (text: String, words: [String])
    ) async throws {
        let run = try await run(example.text) { try await Program.runInProcess($0, environment: $1) }
        #expect(run.status == 78)
        for word in example.words { #expect(run.errors.contains(word), "\(run.errors)") }
        if !example.text.contains("drak") { #expect(run.errors.contains("config.json’"), "\(run.errors)") }
        #expect((1...3).contains(run.errors.split(separator: "\n").count))
    }

    @Test func `names the path where it searched for a missing file`() async throws {
        let run = try await Program.runInProcess(["demo"], environment: ["TRIPSHARE_CONFIG": "nowhere/config.json"])
        #expect(run.status == 78)
        #expect(run.errors.contains("is ‘nowhere/config.json’, but the file ‘/"), "\(run.errors)")
        #expect(run.errors.contains("/nowhere/config.json’ does not exist or can't be read"))
    }

    /// Runs the program until it has read its settings.
    private func settings(_ variable: String) async throws -> Program.Run {
        try await Program.runInProcess(["token", "inspect"], environment: [variable: "dark"], input: "hello")
    }

    @Test(arguments: [
        ("TRIPSHARE_TOKEN_ULR", "TRIPSHARE_TOKEN_URL"), ("TRIPSHARE_PROVIDER", "TRIPSHARE_PROVIDER_ID"),
        ("TRIPSHARE_THEMES", "TRIPSHARE_THEME"), ("TRIPSHARE_BEL", "TRIPSHARE_BELL"),
        ("TRIPSHARE_PROFIL", "TRIPSHARE_PROFILE"),
        ("TRIPSHARE_PROXI", "TRIPSHARE_PROXY"),
    ])
    func `warns about a misspelled variable`(
        _ name: String,
        _ meant: String
    ) async throws {
        let run = try await settings(name)
        #expect(run.status == 1 && run.errors.contains("‘\(name)’") && run.errors.contains("mean \(meant)?"))
    }

    @Test(arguments: ["WINDOW_MANAGER", "", "TRIP_ID", "TOKEN", "HOME", "LOG", "TOKEN_PORT", "TOKEN_ENV"])
    func `ignores variables that may belong to other programs`(_ rest: String) async throws {
        let run = try await settings("TRIPSHARE_\(rest)")
        #expect(run.status == 1 && run.errors.isEmpty, "\(run.errors)")
    }

    @Test func `refuses an unknown theme in the environment`() async throws {
        let run = try await Program.runInProcess(["demo"], environment: ["TRIPSHARE_THEME": "neon"])
        #expect(run.status == 78 && run.errors.contains("‘neon’") && run.errors.contains("TRIPSHARE_THEME"))
    }
}
