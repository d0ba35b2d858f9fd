import Foundation
import Testing
import TripTestSupport

/// The bytes that are sent to different kinds of terminals while a script visits all views.
///
/// The script waits for what it needs, so that the programs can run at the same time.
@Suite("Kinds of terminals", .ends(within: .longTest))
struct TerminalKindTests {
    /// Plays the script.
    ///
    /// Returns the output, including `lastWords`, and how the program ended.
    private func walk(
        _ environment: [String: String],
        _ arguments: String...,
        lastWords: String = ""
    ) async throws -> (output: String, ending: PseudoTerminal.Ending?) {
        try await Program.withFolder { folder in
            let script = folder.appendingPathComponent("script")
            // The key T leaves a theme that was chosen.
            let themes = arguments.contains("--theme") ? "" : "T T"
            let steps = "wait on the way to the pickup\nkey Space\nwait paused\nkey 2 3 4 5 6 7 1 ? Esc b P \(themes) q"
            try Data(steps.utf8).write(to: script)
            let demo = [Program.path, "demo", "--speed", "4", "--output", "tui", "--script", script.path] + arguments
            let environment = ["HOME": folder.path].merging(environment) { $1 }
            return try await PseudoTerminal.run(demo, width: 100, height: 30, environment: environment) { terminal in
                let ending = try await terminal.end()
                // A terminal may deliver the output a moment after the end of the program.
                try await terminal.wait(for: lastWords)
                return (terminal.text, ending)
            }
        }
    }

    /// The numbers of all sequences that set colours and attributes.
    private func styles(_ output: String) -> Set<Int> {
        var numbers: Set<Int> = []
        for match in output.matches(of: /\u{1B}\[([0-9;]*)m/) {
            numbers.formUnion(match.1.split(separator: ";").compactMap { Int($0) })
        }
        return numbers
    }

    private static let colors = Set(30...38).union(40...48).union(90...107)

    @Test(arguments: [["LC_ALL": "C"], ["LC_ALL": "POSIX", "TERM": "vt100"], ["TERM": "vt100"], ["TERM": "vt220"]])
    func `a terminal without UTF-8 or of an old kind gets ASCII only`(_ environment: [String: String]) async throws {
        let (output, ending) = try await walk(environment)
        #expect(ending == .exited(0))
        #expect(output.contains("live"))
        #expect(output.utf8.allSatisfy { $0 < 0x7F })
    }

    @Test func `a terminal without braille in its font gets no braille`() async throws {
        let (output, ending) = try await walk(["TERM": "linux"])
        #expect(ending == .exited(0))
        #expect(!output.unicodeScalars.contains { (0x2800...0x28FF).contains($0.value) })
        #expect(output.contains("│"))
        #expect(!output.contains("[?2026h"))
    }

    @Test func `a terminal with a UTF-8 locale that is not installed gets Unicode`() async throws {
        let (output, ending) = try await walk(["LC_ALL": "tlh_QO.UTF-8"])
        #expect(ending == .exited(0))
        #expect(output.unicodeScalars.contains { (0x2800...0x28FF).contains($0.value) })
    }

    @Test(
        arguments: [
            (["NO_COLOR": "1", "COLORTERM": "truecolor"], []), ([:], ["--color", "never"]), ([:], ["--theme", "mono"]),
            (["TERM": "vt100"], []),
        ] as [([String: String], [String])]
    )
    func `a terminal without colours gets none`(_ environment: [String: String], _ arguments: [String]) async throws {
        let (output, ending) =
            arguments.isEmpty ? try await walk(environment) : try await walk(environment, arguments[0], arguments[1])
        #expect(ending == .exited(0))
        #expect(output.contains("live"))
        #expect(styles(output).isDisjoint(with: Self.colors))
        // These attributes express what colours express elsewhere.
        #expect(!styles(output).isDisjoint(with: [1, 4, 7]))
    }

    @Test(arguments: [
        (["TERM": "xterm-256color"], "38;5;"), (["TERM": "xterm-256color", "COLORTERM": "truecolor"], "38;2;"),
        (["TERM": "tmux-256color", "COLORTERM": "24bit"], "38;2;"), (["TERM": "screen-256color"], "38;5;"),
        (["TERM": "xterm"], "\u{1B}[3"), (["TERM": "xterm-16color"], "\u{1B}[9"),
    ])
    func `a terminal gets the colours that it supports`(_ environment: [String: String], _ sign: String) async throws {
        let (output, ending) = try await walk(environment)
        #expect(ending == .exited(0))
        #expect(output.contains(sign))
    }

    @Test func `an unknown terminal similar to xterm works`() async throws {
        let (output, ending) = try await walk(["TERM": "xterm-of-tomorrow"])
        #expect(ending == .exited(0))
        #expect(output.contains("live"))
    }

    @Test(arguments: ["no-such-terminal", "dumb", ""])
    func `an unknown terminal gets a message and no screen`(_ name: String) async throws {
        let (output, ending) = try await walk(["TERM": name, "TERMINFO": "/no/such"], lastWords: "--output plain")
        #expect(ending == .exited(69))
        #expect(!output.contains("\u{1B}"))
    }
}
