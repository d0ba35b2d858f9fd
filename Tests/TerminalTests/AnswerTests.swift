import Foundation
import Testing
import TripTestSupport

/// The program asks its terminal for the background only, and no answer of a terminal is taken for keys.
@Suite("Terminal answers", .serialized, .ends(within: .longTest))
struct AnswerTests {
    @Test func `answers of a terminal are never taken for keys`() async throws {
        try await PseudoTerminal.run([BuiltProgram.path("ScreenProbe")]) { terminal in
            try await terminal.wait(for: "size 80x24")
            let answers = [
                "\u{1B}]11;rgb:1010/1414/1818\u{7}", "\u{1B}[>77;1u", "\u{1B}[?62;22c", "\u{1B}P>|tmux 3.3a\u{1B}\\",
                "\u{1B}[24;80R", "\u{1B}[8;24;80t", "\u{1B}_Gi=1;OK\u{1B}\\", "\u{1B}[I", "\u{1B}[57441;1u",
            ]
            for answer in answers { terminal.send(answer) }
            terminal.send("zq")
            let ending = try await terminal.end()
            #expect(ending == .exited(0))
            // The text after the screen is closed is complete. A frame would contain only the changed cells.
            try await terminal.wait(for: "\u{1B}[?1049l")
            try await terminal.wait(for: "keys 2 pasted 0")
        }
    }

    /// The probe with variables of its own; it waits longer for an answer with a long `ESCDELAY`.
    private static func probe(_ variables: [String] = []) -> [String] {
        ["/usr/bin/env", "-u", "NO_COLOR", "-u", "COLORFGBG"] + variables + [BuiltProgram.path("ScreenProbe")]
    }

    @Test(arguments: [
        ("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\", ["COLORFGBG=15;0", "ESCDELAY=2000"], "light/light"),
        ("\u{1B}]11;rgb:00/00/00\u{7}", ["COLORFGBG=0;15", "ESCDELAY=2000"], "dark/dark"),
        ("\u{1B}]11;?\u{7}", ["COLORFGBG=0;15"], "unknown/light"), ("", ["TERM=xterm"], "unknown/dark"),
    ])
    func `the first frame has the theme that the terminal answers`(
        answer: String,
        variables: [String],
        shown: String
    ) async throws {
        try await PseudoTerminal.run(Self.probe(variables)) { terminal in
            try await terminal.wait(for: "\u{1B}]11;?\u{1B}\\")
            terminal.send(answer)
            try await terminal.wait(for: "size 80x24")
            terminal.send("x")
            try await terminal.wait(for: shown)
            terminal.send("q")
            #expect(try await terminal.end() == .exited(0))
        }
    }

    @Test func `the theme follows reports of the terminal until the end`() async throws {
        try await PseudoTerminal.run(Self.probe()) { terminal in
            try await terminal.wait(for: "\u{1B}[?2031h")
            try await terminal.wait(for: "size 80x24")
            for (report, shown) in [("2", "light/dark"), ("1", "dark/dark")] {
                terminal.send("\u{1B}[?997;")
                terminal.send("\(report)n")
                terminal.send("x")
                try await terminal.wait(for: shown)
            }
            terminal.send("q")
            #expect(try await terminal.end() == .exited(0))
            try await terminal.wait(for: "\u{1B}[?2031l")
            try await terminal.wait(for: "keys 3 pasted 0")
        }
    }

    @Test func `the title and the progress are shown clean, and removed whatever ends the program`() async throws {
        try await PseudoTerminal.run(Self.probe(["WT_SESSION=1", "TERM=xterm-256color"])) { terminal in
            try await terminal.wait(for: "size 80x24")
            terminal.send("y")
            try await terminal.wait(for: "\u{1B}]9;4;1;1\u{1B}\\")
            #expect(terminal.text.contains("\u{1B}]2;a") && !terminal.text.contains("\u{1B}]2;b"))
            terminal.kill(SIGKILL)
            #expect(try await terminal.end() == .killed(signal: SIGKILL))
            try await terminal.wait(for: "\u{1B}]9;4;0\u{1B}\\")
            try await terminal.wait(for: "\u{1B}]2;\u{1B}\\")
            try await terminal.wait(for: "\u{1B}[23;0")
        }
    }
}
