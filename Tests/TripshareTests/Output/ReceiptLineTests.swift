import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import tripshare

/// The times of a receipt in JSON lines.
@Suite("Receipts in JSON lines", .ends(within: .longTest))
struct ReceiptLineTests {
    /// The second of the last answer before the arrival is seen in second 300.
    @Test(arguments: [(60.0, false), (290, true)])
    func `an arrival is the actual one, or after an outage the latest possible one without a delay`(
        before: Double,
        isExact: Bool
    ) throws {
        let start = Date(timeIntervalSince1970: 1_767_268_800)
        let id = try TripID("t")
        var (table, state, receipt) = (JourneyTable(), TripState(id: .trip(id)), TripReceipt(.trip(id)))
        for (second, status) in [
            (0.0, TripStatus.new), (15, .enrouteToPickup), (before, .enrouteToPickup), (300, .arrivedAtPickup),
        ] {
            var trip = Trip(id: id, provider: try ProviderID("p"), status: status)
            if second > 0 { trip.pickupTime = start + 240 }
            let now = Moment(wall: start + second, steady: .seconds(second))
            state.merge(.trip(trip), serverDate: nil, at: now)
            var report = PollReport(journey: .trip(id), started: now)
            report.outcome = .success(.trip(trip))
            let event = FeedEvent.polled(report, state, PollSchedule(interval: .seconds(5), next: nil))
            let changes = table.apply(event, at: now)
            receipt.handle(changes, try #require(table[.trip(id)]))
        }
        let line = ReceiptLine(receipt, now: Moment(wall: start + 300, steady: .seconds(300)))
        let time = "2026-01-01T12:05:00Z"
        #expect(line.pickup.actual == (isExact ? time : nil))
        #expect(line.pickup.actualAtTheLatest == (isExact ? nil : time))
        #expect(line.pickup.delaySeconds == (isExact ? 60 : nil))
    }
}
