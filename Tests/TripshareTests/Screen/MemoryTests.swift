import Foundation
import Testing
import TripTestSupport

/// The memory of the real program with its emulator during a ride, drawn on a terminal of 120x40 cells.
@Suite("Memory of the program", .serialized, .terminalTurn, .ends(within: .longTest))
struct MemoryTests {
    /// 20 minutes to the pickup, in which all bounded collections fill up, then an hour to the drop-off.
    private static let scenario = """
        title: An hour
        about: An hour on the road, with a new token twice an hour.
        token-lifetime: 1800
        vehicles:
          - id: v
            at: [51.0000, 3.7000]
            steps:
              - wait: 5
              - assign: t
              - drive: {to: t pickup, pace: 0.1}
              - wait: 1200
              - drive: {to: t dropoff, pace: 0.1}
        trips:
          - {id: t, pickup: [51.0150, 3.7000], dropoff: [51.0570, 3.7000]}
        expect:
          - {trip: t, status: COMPLETE, within: 10140}
        """

    @Test func `memory grows by less than 6 MB during a drive of an hour`() async throws {
        try await Program.withFolder { folder in
            let (ride, script) = (folder.appending(path: "hour.yaml"), folder.appending(path: "script"))
            let (begin, end) = (folder.appending(path: "begin"), folder.appending(path: "end"))
            try Data(Self.scenario.utf8).write(to: ride)
            let steps = "wait at the pickup\ndump \(begin.path)\nwait Trip complete\ndump \(end.path)\npause 3600"
            try Data(steps.utf8).write(to: script)
            let demo = [Program.path, "demo", "--speed", "600", "--scenario", ride.path, "--script", script.path]
            try await PseudoTerminal.run(demo, width: 120, height: 40, environment: ["HOME": folder.path]) { terminal in
                _ = try await FileArrival.text(of: begin) { terminal.isOver }
                let before = try Resources(of: terminal.pid).resident
                _ = try await FileArrival.text(of: end) { terminal.isOver }
                let growth = try Resources(of: terminal.pid).resident - before
                #expect(growth < 6_000_000, "it grew by \(growth) bytes from \(before)")
            }
        }
    }
}
