import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import tripshare

@Suite("Sessions with many trips", .ends(within: .longTest))
struct ManyTripsSessionTests {
    /// Returns the processor time per trip until all trips have ended.
    private static func time(trips count: Int) throws -> Duration {
        let trips = try (0..<count).map { try TripID("t\($0)") }
        var (completion, table) = (CompletionTracker(goal: .end, trips: trips.map(JourneyID.trip)), JourneyTable())
        let now = Moment(wall: Date(timeIntervalSince1970: 0), steady: .zero)
        return ProcessorTime.used {
            for (number, trip) in trips.enumerated() {
                let item = SessionItem(.feed(.ended(.trip(trip), .reached(.trip(.complete)))), at: now)
                _ = table.apply(item)
                let outcome = completion.update(.ended(.trip(trip), .reached(.trip(.complete))), table)
                #expect(outcome == (number == count - 1 ? .done : nil))
            }
        } / count
    }

    @Test func `the end of a trip costs the same whatever the number of trips`() throws {
        _ = try Self.time(trips: 100)
        let (few, many) = (try Self.time(trips: 250), try Self.time(trips: 4000))
        #expect(many < few * 4, "\(few), \(many)")
    }

    @Test func `a timeout and a signal end a session in the middle of many events`() throws {
        let completion = CompletionTracker(goal: .end, trips: [try .trip(TripID("t"))])
        #expect(EndRequest(timeout: nil).outcome(of: completion, JourneyTable()) == nil)
        #expect(EndRequest(timeout: .seconds(3600)).outcome(of: completion, JourneyTable()) == nil)
        #expect(
            EndRequest(timeout: .zero).outcome(of: completion, JourneyTable()) == completion.timeout(JourneyTable())
        )
        let request = EndRequest(timeout: .zero)
        request.receive(signal: SIGTERM)
        request.receive(signal: SIGINT)
        #expect(request.outcome(of: completion, JourneyTable()) == .interrupted(SIGTERM))
    }

    @Test func `the timeout of a replay includes the time in which the file is read`() async throws {
        try await Program.withFolder { folder in
            let file = folder.appending(path: "log").path
            // Reading it takes seconds.
            let text = String(
                repeating: #"{"a":[1,2,3,4,5,6,7,8,9,0,{"b":"text","c":[null,true]}]}"# + "\n",
                count: 200_000
            )
            try Data(text.utf8).write(to: URL(filePath: file))
            let run = try await Program.run(["replay", file, "--output", "plain", "--timeout", "0.05"])
            #expect(run.status == 69 && run.output.isEmpty && run.errors.contains("--timeout"), "\(run)")
        }
    }
}
