import Foundation
import Testing
import TripTestSupport

@Suite("Job control", .serialized, .terminalTurn, .ends(within: .longTest))
struct JobControlTests {
    private static let opening = "\u{1B}[?1049h"
    private static let stopped = "stopped by \(128 + SIGTTOU)"

    /// Runs a shell script with job control, where `$0` is the program.
    private func shell(_ script: String, body: (PseudoTerminal) async throws -> Void) async throws {
        let command = ["/bin/bash", "-c", "set -m; " + script, Program.path]
        try await PseudoTerminal.run(command, width: 100, height: 30, body: body)
    }

    @Test func `a screen that is started in the background waits for the foreground`() async throws {
        try await shell(#""$0" demo & wait %1; echo "stopped by $?"; read x; fg > /dev/null; echo "status $?""#) {
            terminal in
            try await terminal.wait(for: Self.stopped)
            #expect(!terminal.text.contains(Self.opening), "\(terminal.text.debugDescription)")
            terminal.send("\n")
            // The first screen has it, whatever the ride does meanwhile.
            try await terminal.wait(for: "quit")
            terminal.send("q")
            try await terminal.wait(for: "status 0")
            _ = try await terminal.end()
            #expect(terminal.hasItsModes)
        }
    }

    @Test func `a screen that continues in the background waits for the foreground`() async throws {
        try await shell(
            #""$0" demo; bg > /dev/null; wait %1; echo "stopped by $?"; read x; fg > /dev/null; echo "status $?""#
        ) { terminal in
            // The first screen has it, whatever the ride does meanwhile.
            try await terminal.wait(for: "quit")
            terminal.send("\u{1A}")
            try await terminal.wait(for: Self.stopped)
            #expect(terminal.text.components(separatedBy: Self.opening).count == 2)
            let start = terminal.count
            terminal.send("\n")
            try await terminal.wait(for: Self.opening, after: start)
            terminal.send("q")
            try await terminal.wait(for: "status 0")
            _ = try await terminal.end()
            #expect(terminal.hasItsModes)
        }
    }
}
