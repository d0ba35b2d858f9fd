import Foundation
import Synchronization
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Feed mailbox", .ends(within: .minutes(10)))
struct FeedMailboxTests {
    private let trip: TripID
    private let other: TripID
    private let rung = Rung()
    private let mailbox: FeedMailbox

    private final class Rung: Sendable {
        let times = Locked(0)
    }

    init() throws {
        trip = try TripID("t")
        other = try TripID("o")
        mailbox = FeedMailbox { [rung] in rung.times.withLock { $0 += 1 } }
    }

    private func state(_ trip: TripID, _ answers: [TripStatus], at second: Int = 0) throws -> TripState {
        var state = TripState(id: trip)
        for (index, status) in answers.enumerated() {
            let answer = Trip(id: trip, provider: try ProviderID("p"), status: status)
            state.merge(answer, serverDate: nil, at: Moment(wall: .distantPast, steady: .seconds(second + index)))
        }
        return state
    }

    private func polled(_ trip: TripID, _ answers: TripStatus...) throws -> FeedEvent {
        .polled(
            PollReport(trip: trip, started: Moment(wall: .distantPast, steady: .zero)),
            try state(trip, answers),
            PollSchedule(interval: .seconds(5), next: nil)
        )
    }

    private func statuses(_ events: [FeedEvent]) -> [TripStatus?] {
        events.compactMap { event -> TripStatus?? in
            guard case .polled(_, let state, _) = event else { return nil }
            return state.trip?.status
        }
    }

    @Test func `a prompt subscriber gets every event`() throws {
        for status in [TripStatus.new, .enrouteToPickup, .arrivedAtPickup] {
            mailbox.post(try polled(trip, status))
            #expect(statuses(mailbox.take()) == [status])
        }
        #expect(rung.times.withLock { $0 } == 3)
        #expect(mailbox.take().isEmpty)
    }

    @Test func `a slow one gets the newest state, with all that changed since`() throws {
        mailbox.post(try polled(trip, .new))
        mailbox.post(try polled(trip, .new, .new))
        mailbox.post(try polled(trip, .new, .new, .enrouteToPickup))
        let events = mailbox.take()
        #expect(statuses(events) == [.enrouteToPickup])
        guard case .polled(_, let state, _)? = events.first else { return }
        #expect(state.changed.isSuperset(of: [.tripStatus, .pickupPoint]))
        #expect(rung.times.withLock { $0 } == 1)
    }

    @Test func `findings and ends are never lost, and an end stays last`() throws {
        let finding = Finding(time: .distantPast, trip: trip, rule: .offRoute, severity: .warning, evidence: [])
        mailbox.post(try polled(trip, .new))
        mailbox.post(.found(trip, [finding]))
        mailbox.post(try polled(trip, .new, .complete))
        mailbox.post(.found(trip, [finding]))
        mailbox.post(.ended(trip, .reached(.complete)))
        let events = mailbox.take()
        #expect(statuses(events) == [.complete])
        let findings = events.compactMap { event -> [Finding]? in
            guard case .found(_, let findings) = event else { return nil }
            return findings
        }
        #expect(findings.joined().count == 2)
        guard case .ended? = events.last else {
            Issue.record("the end comes last")
            return
        }
    }

    @Test func `holds no more than a few events per trip, whatever is posted`() throws {
        let finding = Finding(time: .distantPast, trip: trip, rule: .offRoute, severity: .warning, evidence: [])
        for _ in 0..<1000 {
            for id in [trip, other] {
                mailbox.post(.polling(id, PollSchedule(interval: .seconds(5), next: nil)))
                mailbox.post(try polled(id, .new))
                mailbox.post(.found(id, [finding]))
            }
        }
        let events = mailbox.take()
        #expect(events.count <= 6)
        #expect(events.first?.trip == trip)
    }
}
