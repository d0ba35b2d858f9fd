import Foundation
import Testing
import TripTestSupport

/// The time from a key to the screen, through a terminal.
///
/// The limits are for a debug build on a slow machine. They distinguish an immediate answer to a key from one that waits
/// for the next second or for the network.
@Suite("Screen latency", .serialized, .terminalTurn, .ends(within: .longTest))
struct ScreenLatencyTests {
    /// Runs a paused demo, on which only keys change anything.
    private func run(body: (PseudoTerminal) async throws -> Void) async throws {
        let demo = [Program.path, "demo", "--speed", "0.2"]
        try await PseudoTerminal.run(demo, width: 120, height: 40) { terminal in
            try await terminal.wait(for: "live")
            // The streets are read in the background: without them the frame after a key could be theirs.
            try await terminal.wait(for: "is an invented town")
            terminal.send(" ")
            try await terminal.wait(for: "paused")
            try await terminal.waitForFrame(after: 0)
            try await body(terminal)
            terminal.send("q")
            let ending = try await terminal.end()
            #expect(ending == .exited(0))
        }
    }

    /// Presses keys in turn.
    ///
    /// Returns the sorted times in seconds until the first bytes after each key.
    private func answers(to keys: [String], on terminal: PseudoTerminal, skipping: Int = 1) async throws -> [Double] {
        var seconds: [Double] = []
        for (index, key) in keys.enumerated() {
            let count = terminal.count
            let start = ContinuousClock.now
            terminal.send(key)
            try await terminal.waitForFrame(after: count)
            if index % skipping == skipping - 1 {
                seconds.append(start.duration(to: terminal.lastOutput) / .seconds(1))
            }
        }
        return seconds.sorted()
    }

    @Test func `a key is answered quickly`() async throws {
        try await run { terminal in
            let seconds = try await answers(to: (0..<40).map { $0 % 2 == 0 ? "3" : "1" }, on: terminal)
            #expect(seconds[seconds.count / 2] < 0.5)
        }
    }

    @Test func `a lone Escape takes as long as a key plus the escape delay`() async throws {
        try await run { terminal in
            let keys = (0..<16).map { $0 % 2 == 0 ? "?" : "\u{1B}" }
            let seconds = try await answers(to: keys, on: terminal, skipping: 2)
            #expect(seconds[seconds.count / 2] > 0.02)
            // ncurses itself would wait one second.
            #expect(seconds[seconds.count / 2] < 0.7)
        }
    }

    @Test func `answers keys while the network hangs`() async throws {
        try await CannedServer.run(.silence) { server in
            let url = "http://127.0.0.1:\(server.port)"
            let watch = [
                Program.path, "watch", "t", "--provider-id", "p", "--fleet-engine-url", url, "--token-url",
                url + "/{tripId}",
            ]
            try await PseudoTerminal.run(watch, width: 120, height: 40) { terminal in
                try await terminal.wait(for: "Map")
                try await terminal.waitForFrame(after: 0)
                let seconds = try await answers(to: ["3", "1", "4", "1"], on: terminal)
                #expect(seconds[0] < 0.5)
                terminal.send("q")
                let ending = try await terminal.end()
                #expect(ending == .exited(0))
            }
        }
    }
}
