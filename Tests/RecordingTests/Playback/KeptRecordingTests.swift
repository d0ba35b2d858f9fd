import FleetTokens
import Foundation
import Recording
import Testing
import TripFeed
import TripModel
import TripTestSupport

/// A whole ride of the demo, as the first version of the format wrote it; the file must stay readable.
@Suite("A recording of format 1.0", .ends(within: .minutes(10)))
struct KeptRecordingTests {
    @Test func `is read and played without a skipped line`() throws {
        let file = Checkout.folder.appending(path: "Tests/RecordingTests/Recordings/1.0.ndjson")
        var reader = try RecordingReader(bytes: Array(try Data(contentsOf: file)))
        #expect(reader.header.version == .init(major: 1, minor: 0))
        #expect(reader.header.configuration.trips == ["trip-1"])
        var player = RecordingPlayer(provider: try ProviderID(reader.header.configuration.provider))
        var (polls, tokens, events) = (0, 0, 0)
        var last: TripState?
        var end: FeedEnd?
        while let event = reader.next() {
            events += 1
            switch player.item(of: event) {
            case .feed(.polled(let report, let state, _))?:
                polls += 1
                #expect(report.failure == nil)
                last = state
            case .feed(.ended(_, let kind))?: end = kind
            case .token(let event, let inspection)?:
                if case .stored = event.kind { #expect(inspection?.claims?.tripID == "trip-1") }
                tokens += 1
            case .feed?: break
            case nil: Issue.record("not played: \(event.content.type)")
            }
        }
        #expect(reader.skippedCount == 0)
        #expect(events == 82)
        #expect(polls > 20)
        #expect(tokens > 2)
        #expect(last?.journey?.route != nil || last?.journey?.status == .complete)
        #expect(
            last?.statuses.map(\.status) == [
                .new, .enrouteToPickup, .arrivedAtPickup, .enrouteToDropoff, .complete,
            ]
        )
        #expect(end == nil || end == .reached(.complete))
    }
}
