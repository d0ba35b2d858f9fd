import Foundation
import Testing
import TripTestSupport

@Suite(
    "In a real terminal",
    .enabled(if: Tmux.isThere, Tmux.why),
    .serialized,
    .terminalTurn,
    .ends(within: .longTest)
)
struct TerminalTests {
    private func inTerminal(
        _ arguments: String,
        width: Int = 80,
        height: Int = 24,
        body: (Tmux) async throws -> Void
    ) async throws {
        try await Program.withFolder { folder in
            let command = "HOME=\(folder.path) '\(Program.path)' \(arguments)"
            try await Tmux.run(command, width: width, height: height, in: folder, body: body)
        }
    }

    @Test func `shows a whole ride, and q restores the terminal`() async throws {
        try await inTerminal("demo --speed 5", width: 120, height: 40) { terminal in
            for words in ["on the way to the pickup", "at the pickup", "On the way to the drop-off", "omplete"] {
                let screen = try await terminal.wait { $0.contains(words) }
                #expect(screen.contains("Token") && screen.contains("Polling") && screen.contains("Map"))
            }
            try await terminal.type("q")
            let screen = try await terminal.wait { $0.contains("gone=") }
            #expect(screen.contains("gone=0"))
            #expect(!screen.contains("Polling"))
        }
    }

    @Test func `responds to keys and resizing`() async throws {
        try await inTerminal("demo --speed 0.2", width: 120, height: 40) { terminal in
            _ = try await terminal.wait { $0.contains("live") }
            try await terminal.type("Space")
            _ = try await terminal.wait { $0.lowercased().contains("paused") }
            try await terminal.type("?")
            _ = try await terminal.wait { $0.contains("refresh") || $0.contains("new token") }
            try await terminal.type("Escape")
            try await terminal.resize(width: 20, height: 5)
            _ = try await terminal.wait { $0.contains("20") }
            try await terminal.resize(width: 100, height: 30)
            _ = try await terminal.wait { $0.contains("Map") }
            try await terminal.type("C-c")
            let screen = try await terminal.wait { $0.contains("gone=") }
            #expect(screen.contains("gone=130"))
        }
    }

    @Test func `Ctrl-Z suspends to the shell and fg resumes, repeatedly`() async throws {
        try await inTerminal("demo --speed 0.2", width: 100, height: 30) { terminal in
            _ = try await terminal.wait { $0.contains(" live ") }
            for (round, size) in [(90, 28), (120, 40)].enumerated() {
                try await terminal.type("C-z")
                _ = try await terminal.wait { $0.contains("Stopped") && !$0.contains(" live ") }
                // The shell's modes are restored: echo, line editing and the cursor.
                try await terminal.enter("stty -a | grep -o ' i[c]anon.* echo ' | wc -l; echo rou''nd \(round)")
                let screen = try await terminal.wait { $0.contains("round \(round)") }
                #expect(screen.contains("1\nround \(round)"))
                try await terminal.resize(width: size.0, height: size.1)
                try await terminal.enter("fg")
                // All rows of the new size, the key line last.
                _ = try await terminal.wait { screen in
                    let rows = screen.split(separator: "\n")
                    return screen.contains(" live ") && rows.count == size.1 && rows.last?.contains("quit") == true
                }
            }
            try await terminal.type("q")
            // Until it has restored the terminal, the program reads what is typed.
            _ = try await terminal.wait { !$0.contains(" live ") }
            try await terminal.enter("echo en''ded")
            let screen = try await terminal.wait { $0.contains("ended") }
            #expect(!screen.contains("Polling"))
        }
    }

    @Test func `a terminal that is too simple gets a message and no screen`() async throws {
        try await inTerminal("demo --output tui; TERM=dumb '\(Program.path)' demo --output tui") { terminal in
            _ = try await terminal.wait { $0.contains("live") }
            try await terminal.type("q")
            let screen = try await terminal.wait { $0.contains("gone=") }
            #expect(screen.contains("gone=69"))
            #expect(screen.contains("--output plain"))
        }
    }
}
