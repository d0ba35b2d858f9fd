import Foundation
import ScreenProbe
import Testing
import TripTestSupport

/// The terminal is restored whatever ends the program, and messages on standard error stay readable.
@Suite("Terminal restoration", .serialized, .ends(within: .longTest))
struct RestoreTests {
    /// Whether a failed check of an index has a message, as in a build without optimization.
    private static let hasWordsOfChecks: Bool = {
        var isChecked = false
        // Evaluated only in such a build.
        assert(
            {
                isChecked = true
                return true
            }()
        )
        return isChecked
    }()

    private func run(
        _ command: [String] = [BuiltProgram.path("ScreenProbe")],
        width: Int = 80,
        height: Int = 24,
        body: (PseudoTerminal) async throws -> Void
    ) async throws {
        try await PseudoTerminal.run(command, width: width, height: height) { terminal in
            try await terminal.wait(for: "size \(width)x\(height)")
            #expect(!terminal.hasItsModes)
            try await body(terminal)
        }
    }

    /// What is on the ordinary screen at the end.
    private func rest(of terminal: PseudoTerminal) -> Substring {
        let text = terminal.text
        return text.range(of: "\u{1B}[?1049l").map { text[$0.upperBound...] } ?? ""
    }

    /// Checks in the bytes that each mode that was switched on was switched off again.
    private func expectRestored(_ terminal: PseudoTerminal) async throws {
        try await terminal.wait(for: "\u{1B}[?1049l")
        let text = terminal.text
        for (on, off) in [
            ("[?1049h", "[?1049l"), ("[?2004h", "[?2004l"), ("[?1004h", "[?1004l"), ("[?2026h", "[?2026l"),
            ("[?25l", "[?25h"),
        ] {
            let (last, first) = (text.range(of: off, options: .backwards), text.range(of: on, options: .backwards))
            if let first { #expect(last.map { $0.lowerBound > first.lowerBound } == true, "\(off) is missing") }
        }
        #expect(terminal.hasItsModes)
    }

    @Test(arguments: [
        (Disaster.fatalError, PseudoTerminal.Ending.killed(signal: SIGILL), "the probe fails"),
        (.bounds, .killed(signal: SIGILL), RestoreTests.hasWordsOfChecks ? "Index out of range" : ""),
        (.wildPointer, .killed(signal: SIGSEGV), ""),
        (.abort, .killed(signal: SIGABRT), ""), (.exit, .exited(3), ""), (.overflow, .killed(signal: SIGSEGV), ""),
        (.overflowOnMainThread, .killed(signal: SIGSEGV), ""), (.overflowInTask, .killed(signal: SIGSEGV), ""),
        (.trapInTask, .killed(signal: SIGILL), "a task fails"),
    ])
    func `restores the terminal after a crash`(
        _ disaster: Disaster,
        _ expected: PseudoTerminal.Ending,
        _ words: String
    ) async throws {
        try await run { terminal in
            terminal.send(String(disaster.rawValue))
            let ending = try await terminal.end()
            #expect(ending == expected)
            try await expectRestored(terminal)
            if !words.isEmpty { try await terminal.wait(for: words) }
            #expect(rest(of: terminal).contains(words) || words.isEmpty)
        }
    }

    @Test(arguments: [SIGILL, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGKILL])
    func `restores the terminal after a signal that kills the program`(_ signal: Int32) async throws {
        try await run { terminal in
            terminal.kill(signal)
            let ending = try await terminal.end()
            #expect(ending == .killed(signal: signal))
            try await expectRestored(terminal)
        }
    }

    @Test(arguments: [(SIGTERM, 143), (SIGINT, 130), (SIGHUP, 129), (SIGQUIT, 131)] as [(Int32, Int32)])
    func `restores the terminal after a termination signal`(_ signal: Int32, _ status: Int32) async throws {
        try await run { terminal in
            terminal.kill(signal)
            let ending = try await terminal.end()
            #expect(ending == .exited(status))
            try await expectRestored(terminal)
        }
    }

    @Test func `restores the terminal after a signal while the output is blocked`() async throws {
        try await run(width: 200, height: 60) { terminal in
            terminal.stick(true)
            terminal.send("w")
            terminal.kill(SIGTERM)
            let ending = try await terminal.end()
            #expect(ending == .exited(143))
            #expect(terminal.hasItsModes)
        }
    }

    @Test func `drops frames that the terminal does not read, and restores the terminal`() async throws {
        var bytes: [Int] = []
        for isStuck in [false, true] {
            try await run(width: 200, height: 60) { terminal in
                terminal.stick(isStuck)
                terminal.send("w")
                let ending = try await terminal.end()
                // The probe fails if it keeps the frames.
                #expect(ending == .exited(0))
                #expect(terminal.hasItsModes)
                bytes.append(terminal.count)
            }
        }
        #expect(bytes[0] > 4 * bytes[1], "\(bytes)")
    }

    @Test func `ends the program when the window is closed`() async throws {
        try await run { terminal in
            terminal.hangUp()
            let ending = try await terminal.end()
            // The kernel closes the terminal and then sends SIGHUP; the program notices one of them first.
            #expect(ending == .exited(129) || ending == .exited(5))
        }
    }

    @Test func `a closed window does not interrupt a program that has closed its screen`() async throws {
        try await run { terminal in
            terminal.send("h")
            let ending = try await terminal.end()
            #expect(ending == .exited(5))
        }
    }

    @Test func `SIGHUP to a stopped program lets it end by itself`() async throws {
        let script = #"set -m; "$0"; kill -HUP %1; kill -CONT %1; wait %1; echo "status $?""#
        try await run(["/bin/bash", "-c", script, BuiltProgram.path("ScreenProbe")]) { terminal in
            terminal.send("\u{1A}")
            try await terminal.wait(for: "status")
            _ = try await terminal.end()
            #expect(terminal.text.contains("status 5"), "\(terminal.text)")
        }
    }

    @Test func `SIGHUP from the shell and the kernel does not interrupt the end of the program`() async throws {
        try await run { terminal in
            while !terminal.isOver {
                terminal.kill(SIGHUP)
                await Task.yield()
            }
            let ending = try await terminal.end()
            #expect(ending == .exited(129))
        }
    }

    @Test func `a signal after the window was closed does not interrupt the end of the program`() async throws {
        // The shell keeps the kernel from sending SIGHUP to the probe, which sends it to itself after the end of its screen.
        try await run(["/bin/sh", "-c", "trap '' HUP; \"$0\"; exit $?", BuiltProgram.path("ScreenProbe")]) { terminal in
            terminal.hangUp()
            let ending = try await terminal.end()
            #expect(ending == .exited(5))
        }
    }
}
