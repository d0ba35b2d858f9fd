import Foundation
import Testing
import TripTestSupport

@Suite("The bell", .serialized, .terminalTurn, .ends(within: .longTest))
struct BellTests {
    /// A ride that waits at the pickup for four seconds of real time, so that a poll sees it there.
    private static let scenario = """
        title: A long wait
        about: The rider comes late.
        vehicles:
          - id: v
            at: [51.0000, 3.7000]
            steps:
              - wait: 5
              - assign: trip-1
              - drive: {to: trip-1 pickup}
              - wait: 120
              - drive: {to: trip-1 dropoff}
        trips:
          - {id: trip-1, pickup: [51.0030, 3.7000], dropoff: [51.0060, 3.7000]}
        expect:
          - {trip: trip-1, status: COMPLETE, within: 600}
        """

    private func output(_ flags: [String], environment: [String: String] = [:]) async throws -> String {
        try await Program.withFolder { folder in
            let file = folder.appending(path: "wait.yaml")
            try Data(Self.scenario.utf8).write(to: file)
            let command = [Program.path, "demo", "--speed", "30", "--scenario", file.path] + flags
            return try await PseudoTerminal.run(command, width: 100, height: 30, environment: environment) { terminal in
                try await terminal.wait(for: "Trip complete")
                terminal.send("q")
                _ = try await terminal.end()
                return terminal.text
            }
        }
    }

    @Test func `rings at arrivals if requested`() async throws {
        let text = try await output(["--bell"])
        #expect(text.contains("\u{7}\u{1B}]9;tripshare: trip-1: Driver is at the pickup\u{1B}\\"))
        let configured = try await output([], environment: ["TRIPSHARE_BELL": "true"])
        #expect(configured.contains("\u{7}\u{1B}]9;tripshare: trip-1: "))
    }

    @Test func `is silent by default`() async throws {
        let text = try await output([])
        #expect(!text.contains("\u{7}"))
    }

    @Test func `requires a screen`() async throws {
        let run = try await Program.run(["demo", "--bell", "--output", "plain"])
        #expect(run.status == 64)
        #expect(run.errors.contains("--bell rings on the screen"))
    }
}
