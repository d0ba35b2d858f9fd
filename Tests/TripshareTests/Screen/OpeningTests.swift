import Foundation
import Testing
import TripTestSupport

/// Generating keys delays the start of the demo; a message is shown meanwhile.
@Suite("First screen of the demo", .serialized, .terminalTurn, .ends(within: .longTest))
struct OpeningTests {
    @Test(arguments: [("en", "Generating the"), ("de", "Die Schlüssel des"), ("ko", "에뮬레이터의 키를")])
    func `the first screen appears before the keys are generated`(_ language: String, _ words: String) async throws {
        try await PseudoTerminal.run([Program.path, "demo", "--lang", language]) { terminal in
            try await terminal.wait(for: "\u{1B}[?2026l")
            let first = terminal.text.components(separatedBy: "\u{1B}[?2026l")[0]
            #expect(first.contains(words))
            // The screen of the ride replaces it.
            try await terminal.wait(for: "127.0.0.1")
            terminal.send("q")
            let ending = try await terminal.end()
            #expect(ending == .exited(0))
        }
    }

    @Test func `q ends the program while the keys are generated`() async throws {
        try await PseudoTerminal.run([Program.path, "demo"]) { terminal in
            try await terminal.wait(for: "Generating the")
            terminal.send("q")
            let ending = try await terminal.end()
            #expect(ending == .exited(0))
            #expect(terminal.hasItsModes)
        }
    }

    @Test func `no screen is drawn if a flag is invalid`() async throws {
        for flags in [["--script", "/no/such"], ["--basemap", "/no/such"], ["--scenario", "nothing"]] {
            try await PseudoTerminal.run([Program.path, "demo"] + flags) { terminal in
                let ending = try await terminal.end()
                #expect(ending == .exited(66))
                #expect(!terminal.text.contains("\u{1B}"))
            }
        }
    }
}
