import Testing
import TripTestSupport

/// The program queries nothing from its terminal, and answers that terminals send anyway are not taken for keys.
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
}
