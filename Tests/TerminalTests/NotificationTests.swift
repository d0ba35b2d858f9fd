import Foundation
import Terminal
import Testing
import TripTestSupport

@Suite("Notifications", .ends(within: .longTest))
struct NotificationTests {
    private func output(_ environment: [String: String]) async throws -> String {
        try await PseudoTerminal.run([BuiltProgram.path("ScreenProbe")], environment: environment) { terminal in
            try await terminal.wait(for: "keys 0")
            let place = terminal.count
            terminal.send("r")
            try await terminal.wait(for: "\u{7}")
            if environment.isEmpty { try await terminal.wait(for: "\u{1B}[?2026h", after: place) }
            terminal.send("q")
            _ = try await terminal.end()
            return terminal.text
        }
    }

    @Test func `a notification rings the bell and shows a message without control characters`() async throws {
        let text = try await output([:])
        let message = "\u{7}\u{1B}]9;tripshare: trip ␛]52;c;eA==␇4;1 arrived\u{1B}\\"
        #expect(text.components(separatedBy: message).count == 2)
        // The frame follows at once.
        #expect(text.contains(message + "\u{1B}[?2026h"))
        #expect(!text.contains("\u{1B}]52"))
    }

    @Test(arguments: [["TERM": "linux"], ["TERM": "vt100"], ["LC_ALL": "C"]])
    func `only the bell rings on terminals that would print the message`(_ environment: [String: String]) async throws {
        let text = try await output(environment)
        #expect(text.contains("\u{7}"))
        #expect(!text.contains("\u{1B}]9"))
    }
}
