import Foundation
import Testing
import TripTestSupport

@Suite("Redrawing", .serialized, .terminalTurn, .ends(within: .longTest))
struct RedrawTests {
    /// What clears an xterm, which precedes a drawing of all cells.
    private static let clear = "\u{1B}[H\u{1B}[2J"
    /// A whole screen of this size has more bytes, and a second of changes has fewer.
    private static let wholeScreen = 1500

    @Test func `a signal of a window with the same size, Ctrl-L and a continuation draw everything`() async throws {
        let demo = [Program.path, "demo", "--speed", "0.2"]
        try await PseudoTerminal.run(demo, width: 100, height: 30) { terminal in
            try await terminal.wait(forBytes: 3 * Self.wholeScreen, after: 0, within: .seconds(30))
            let actions: [(String, (PseudoTerminal) -> Void)] = [
                ("SIGWINCH", { $0.kill(SIGWINCH) }), ("Ctrl-L", { $0.send("\u{0C}") }),
                ("SIGCONT", { $0.kill(SIGCONT) }),
            ]
            for (name, act) in actions {
                let start = terminal.count
                act(terminal)
                do {
                    try await terminal.wait(for: Self.clear, after: start, within: .seconds(30))
                    try await terminal.wait(forBytes: Self.wholeScreen, after: start, within: .seconds(30))
                } catch {
                    Issue.record("\(name): \(error)")
                }
            }
            terminal.send("q")
            #expect(try await terminal.end() == .exited(0))
        }
    }
}
