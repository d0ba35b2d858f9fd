import Foundation
import Testing
import TripTestSupport
import TripText

@testable import tripshare

/// Every command names each misconfiguration that it meets, with the party at fault, the evidence and the fix.
@Suite("Diagnosis", .ends(within: .longTest))
struct DiagnosisTests {
    private static let keys = Result { try MisconfiguredSetup.Keys() }
    private static let entries = Result { try Misconfiguration.all() }

    @Test func `the table is large enough, and names are unique`() throws {
        let entries = try Self.entries.get()
        #expect(entries.count >= 80)
        #expect(Set(entries.map(\.name)).count == entries.count)
        for entry in entries {
            let exit = entry.exit
            #expect([exit.watch, exit.doctor, exit.fetch, exit.inspect].contains { $0 != nil }, "\(entry.name)")
        }
    }

    /// One entry for each party and exit code that a screen shows.
    private static func sample() throws -> [Misconfiguration] {
        var seen: Set<String> = []
        return try entries.get().filter { entry in
            Command.screen.exit(entry) != nil
                && seen.insert("\(entry.party ?? "") \(entry.exit.watch ?? entry.exit.doctor ?? -1)").inserted
        }
    }

    @Test(arguments: try entries.get())
    func `every command names the misconfiguration`(entry: Misconfiguration) async throws {
        let commands = Command.allCases.filter { $0 != .screen }
        try await Self.run(commands, on: entry) { try await Program.runInProcess($0, environment: $1, input: $2) }
    }

    @Test(arguments: try sample())
    func `the screen names the misconfiguration`(entry: Misconfiguration) async throws {
        try await Self.run([.screen], on: entry) { try await Program.run($0, environment: $1, input: $2) }
    }

    @Test func `the program writes what its commands write, and exits with their codes`() async throws {
        let commands = Command.allCases.filter { $0 != .screen }
        let entry = try #require(
            try Self.entries.get().first { entry in commands.allSatisfy { $0.exit(entry) != nil } }
        )
        try await Self.run(commands, on: entry) { try await Program.run($0, environment: $1, input: $2) }
    }

    fileprivate typealias Start = ([String], [String: String], String) async throws -> Program.Run

    /// Runs the commands that meet the misconfiguration, except the screen, by a closure.
    private static func run(_ commands: [Command], on entry: Misconfiguration, start: Start) async throws {
        try await MisconfiguredSetup.run(entry, keys: try keys.get()) { setup in
            try await Program.withFolder { folder in
                for command in commands {
                    guard let expected = command.exit(entry) else { continue }
                    let (status, words) = try await command.run(setup, in: folder, start)
                    check(entry, command, status, words, expected: expected)
                }
            }
        }
    }

    private static func check(
        _ entry: Misconfiguration,
        _ command: Command,
        _ status: Int32,
        _ words: String,
        expected: Int32
    ) {
        let said = words.split { $0.isWhitespace || "│┃|".contains($0) }.joined(separator: " ")
        if command != .screen { #expect(status == expected, "\(command): \(words)") }
        if let party = entry.party {
            let names = command.words(for: party)
            #expect(names.contains(where: said.contains), "\(command) does not suspect ‘\(party)’: \(words)")
        }
        for word in entry.evidence + (entry.fix ?? []) {
            #expect(said.contains(word), "\(command) does not say ‘\(word)’: \(words)")
        }
        for word in entry.never ?? [] { #expect(!said.contains(word), "\(command) says ‘\(word)’: \(words)") }
        // An advice may contain the prefix alone.
        #expect(!said.contains(/eyJ[\w-]{8}/), "\(command) shows a token: \(words)")
    }

    /// A command or an output format that can meet a misconfiguration.
    enum Command: CaseIterable {
        case plain, json, screen, doctor, fetch, inspect

        func exit(_ entry: Misconfiguration) -> Int32? {
            switch self {
            case .plain, .json: entry.exit.watch
            case .screen: entry.screen == false ? nil : entry.exit.watch
            case .doctor: entry.exit.doctor
            case .fetch: entry.exit.fetch
            case .inspect: entry.exit.inspect
            }
        }

        /// How the command names a party as the first suspect, by the strength of the evidence.
        func words(for party: String) -> [String] {
            guard self != .json else { return [#""party":"\#(party)""#] }
            return Self.beginnings.map { $0 + Self.name(of: party) }
        }

        /// The words before the first suspect, by the strength of the evidence.
        static let beginnings = ["At fault: ", "Probably ", "Either "]

        /// The name of a party in a text.
        static func name(of party: String) -> String {
            let names = [
                "clock here": "the clock of this machine", "token endpoint": "the token source",
                "clock of the endpoint": "the clock of the token source", "gateway": "a gateway in between",
                "this command line": "this command line",
            ]
            return names[party] ?? "the \(party)"
        }

        /// The exit code and all output.
        fileprivate func run(
            _ setup: MisconfiguredSetup,
            in folder: URL,
            _ start: Start
        ) async throws -> (Int32, String) {
            let flags = setup.entry.flags ?? []
            let environment = ["THE_TOKEN": setup.token]
            func run(_ arguments: [String], input: String = "") async throws -> (Int32, String) {
                let run = try await start(arguments, environment, input)
                return (run.status, run.output + run.errors)
            }
            let watch = ["watch", "t"] + setup.service + setup.certificates + (try setup.source(in: folder)) + flags
            switch self {
            case .plain: return try await run(watch + ["--once", "--output", "plain"])
            case .json: return try await run(watch + ["--once", "--output", "json"])
            case .screen: return try await screen(watch, setup.entry, in: folder, environment)
            case .doctor:
                return try await run(
                    ["doctor", "t"] + setup.service + setup.certificates + (try setup.source(in: folder)) + flags
                )
            case .fetch:
                return try await run(
                    ["token", "fetch", "--trip", "t", "--provider-id", "p"] + setup.certificates
                        + (try setup.source(in: folder)) + flags
                )
            case .inspect:
                return try await run(
                    ["token", "inspect", "--trip", "t", "--provider-id", "p"] + setup.certificates,
                    input: setup.token
                )
            }
        }

        /// Waits until the event log of the screen contains the first words of the evidence, and returns it.
        private func screen(
            _ arguments: [String],
            _ entry: Misconfiguration,
            in folder: URL,
            _ environment: [String: String]
        ) async throws -> (Int32, String) {
            let script = folder.appendingPathComponent("script.txt")
            let picture = folder.appendingPathComponent("screen.txt")
            // The verdict may follow the first words by a moment.
            let words = [entry.evidence[0]] + (entry.fix ?? []).prefix(1)
            let steps = ["key 7"] + words.map { "wait \($0)" } + ["dump \(picture.path)", "key q"]
            try Data(steps.joined(separator: "\n").utf8).write(to: script)
            return try await PseudoTerminal.run(
                [Program.path] + arguments + ["--output", "tui", "--lang", "en", "--script", script.path],
                width: 400,
                height: 60,
                environment: environment
            ) { terminal in
                let ending = try await terminal.end()
                let text =
                    (try? String(contentsOf: picture, encoding: .utf8)) ?? "no picture: \(terminal.text.suffix(2000))"
                guard case .exited(let status) = ending else { return (-1, text) }
                return (status, text)
            }
        }
    }
}
