import Foundation
import Testing
import TripTestSupport

/// The prompt of `token inspect` on a terminal.
@Suite("Hidden prompt", .serialized, .terminalTurn, .ends(within: .longTest))
struct HiddenPromptTests {
    private static let prompt = "then press Enter: "
    private static let inspect = [Program.path, "token", "inspect"]

    @Test func `reads a line without echo`() async throws {
        try await PseudoTerminal.run(Self.inspect) { terminal in
            try await terminal.wait(for: Self.prompt)
            terminal.send("hidden-word\n")
            let ending = try await terminal.end()
            #expect(ending == .exited(1))
            // A terminal may deliver the output a moment after the end of the program.
            try await terminal.wait(for: "Verdict")
            #expect(!terminal.text.contains("hidden-word"), "\(terminal.text)")
            #expect(terminal.hasItsModes)
        }
    }

    @Test(arguments: [("\u{3}", 130), ("\u{1C}", 131)] as [(String, Int32)])
    func `the keys for SIGINT and SIGQUIT end it`(_ key: String, _ status: Int32) async throws {
        try await PseudoTerminal.run(Self.inspect) { terminal in
            try await terminal.wait(for: Self.prompt)
            terminal.send(key)
            let ending = try await terminal.end()
            #expect(ending == .exited(status))
            #expect(terminal.hasItsModes)
        }
    }

    @Test(arguments: [(SIGTERM, 143), (SIGHUP, 129), (SIGINT, 130), (SIGQUIT, 131)] as [(Int32, Int32)])
    func `a signal ends it, and the terminal echoes again`(_ signal: Int32, _ status: Int32) async throws {
        try await PseudoTerminal.run(Self.inspect) { terminal in
            try await terminal.wait(for: Self.prompt)
            terminal.kill(signal)
            let ending = try await terminal.end()
            #expect(ending == .exited(status))
            #expect(terminal.hasItsModes)
        }
    }

    @Test func `a closed window ends it as SIGHUP does`() async throws {
        try await PseudoTerminal.run(Self.inspect) { terminal in
            try await terminal.wait(for: Self.prompt)
            terminal.hangUp()
            let ending = try await terminal.end()
            #expect(ending == .exited(129))
        }
    }

    @Test func `the terminal echoes while the program is stopped, and not after it continues`() async throws {
        // The shell prints whether the terminal echoes: the word echo, or -echo.
        let script = """
            set -m; "$0" token inspect; stty -a | tr ' ' '\\n' | grep -x -e echo -e -echo; printf 'modes%s' -shown; \
            fg > /dev/null; echo "status $?"
            """
        try await PseudoTerminal.run(["/bin/bash", "-c", script, Program.path]) { terminal in
            try await terminal.wait(for: Self.prompt)
            let start = terminal.count
            terminal.send("\u{1A}")
            try await terminal.wait(for: "modes-shown")
            let modes = String(decoding: terminal.output[start...], as: UTF8.self)
            #expect(modes.contains("\necho\r\n") && !modes.contains("-echo"), "\(modes)")
            try await terminal.wait(for: Self.prompt, after: start)
            terminal.send("hidden-word\n")
            try await terminal.wait(for: "status 1")
            #expect(!terminal.text.contains("hidden-word"))
            // Shown once at the start, and once after the stop.
            #expect(terminal.text.components(separatedBy: Self.prompt).count == 3, "\(terminal.text)")
            _ = try await terminal.end()
        }
    }
}
