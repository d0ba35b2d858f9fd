import Foundation
import Testing
import TripTestSupport

@Suite("Signals without a screen", .serialized, .terminalTurn, .ends(within: .minutes(10)))
struct SignalTests {
    @Test(arguments: [(SIGTERM, 143), (SIGHUP, 129), (SIGINT, 130)] as [(Int32, Int32)])
    func `a signal ends the program with 128 plus its number`(_ signal: Int32, _ status: Int32) async throws {
        try await Program.withFolder { folder in
            // So slow that the ride never ends before the signal.
            let demo = try Program.start(["demo", "--output", "plain", "--speed", "0.1"], in: folder)
            try await demo.outputs("Token received")
            demo.send(signal)
            let run = try await demo.result()
            #expect(run.status == status)
            #expect(run.errors.isEmpty)
        }
    }
}
