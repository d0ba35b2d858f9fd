import Foundation
import Testing
import TripTestSupport

/// Terminal input that is not a key is never taken for one.
@Suite("Terminal input", .serialized, .terminalTurn, .ends(within: .longTest))
struct TerminalInputTests {
    private func run(
        _ arguments: String...,
        width: Int = 120,
        body: (PseudoTerminal) async throws -> Void
    ) async throws {
        try await PseudoTerminal.run([Program.path, "demo", "--speed", "0.2"] + arguments, width: width, height: 40) {
            terminal in
            try await terminal.wait(for: "live")
            terminal.send(" ")
            try await terminal.wait(for: "paused")
            try await terminal.waitForFrame(after: 0)
            try await body(terminal)
        }
    }

    private func quit(_ terminal: PseudoTerminal) async throws {
        terminal.send("q")
        let ending = try await terminal.end()
        #expect(ending == .exited(0))
    }

    @Test func `a paste of 100 kB with line ends, commands and escapes runs no command`() async throws {
        try await run { terminal in
            let piece = "q\r\n:quit\r\u{1B}q\u{1B}[A\u{1B}]0;title\u{7}Q\u{4} 0123456789"
            let paste = String(repeating: piece, count: 100_000 / piece.utf8.count)
            let count = terminal.count
            terminal.send("\u{1B}[200~\(paste)\u{1B}[201~")
            try await terminal.waitForFrame(after: count)
            // It is refused as the name of a trip. The next key closes the message, and then keys work as before.
            for key in ["3", "1"] {
                let count = terminal.count
                terminal.send(key)
                try await terminal.waitForFrame(after: count)
            }
            try await quit(terminal)
            #expect(!terminal.text.contains("\u{1B}]0;title"))
        }
    }

    @Test func `accepts the wheel to the right of column 223`() async throws {
        try await run("--mouse", width: 300) { terminal in
            let before = terminal.count
            terminal.send("b")
            try await terminal.waitForFrame(after: before)
            let count = terminal.count
            terminal.send("\u{1B}[<64;280;20M")
            try await terminal.waitForFrame(after: count)
            try await quit(terminal)
        }
    }
}
