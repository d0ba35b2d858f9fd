import FleetEmulator
import Foundation
import Recording
import Runtime
import Synchronization
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import tripshare

/// The log of the service shows what a rider saw of each scenario, as far as a log can know it.
///
/// | | a rider | the log |
/// |---|---|---|
/// | statuses | those at the times of the polls, in order | all |
/// | last status, vehicle, end of the receipt, verdict about the last status | equal | equal |
/// | times of changes | up to an interval or an outage later | those of the calls |
/// | failures and faults between service and rider | known | unknown |
/// | tokens, latencies, sizes, schedule | known | unknown |
/// | findings | about all answers | about states, without what a fault has changed |
@Suite("Facts of the log of a service", .serialized, .ends(within: .minutes(20)))
struct LogFactsTests {
    /// An event and its time.
    private typealias Timed = (event: FeedEvent, at: Moment)

    /// What a source shows of a trip.
    private struct Seen {
        var statuses: [JourneyStatus] = []
        var vehicle: VehicleID?
        var hasEnded = false
        var outcomes: [ExpectationResult.Outcome] = []
    }

    @Test(arguments: Scenario.names)
    func `are those that a rider saw at the same time, followed live and replayed`(name: String) async throws {
        let scenario = try #require(try Scenario.named(name))
        let clock = VirtualClock(start: scenario.begins ?? VirtualClock.start)
        let log = Mutex<[UInt8]>([])
        let events = Mutex<[Timed]>([])
        let failures = try await ScenarioRun.play(
            scenario,
            clock: clock,
            captions: SceneCaptions(),
            feed: { event in
                let now = clock.now()
                events.withLock { $0.append((event, now)) }
            },
            logged: { line in log.withLock { $0 += line } }
        )
        #expect(failures == [])
        let (bytes, ridden) = (log.withLock(\.self), events.withLock(\.self))
        let trips = scenario.followed.map(JourneyID.trip)
        let followed = Self.followed(bytes, trips)
        let replayed = try trips.isEmpty ? [] : Self.replayed(bytes)
        for trip in trips {
            let end = ridden.compactMap { item -> JourneyStatus? in
                if case .ended(trip, .reached(let status)) = item.event { status } else { nil }
            }
            .last
            let rider = Self.seen(ridden, of: trip, reaching: end)
            #expect(!rider.statuses.isEmpty, "\(trip)")
            let all = Self.seen(followed, of: trip, reaching: end, isOfLog: true)
            let polled = Self.seen(replayed, of: trip, reaching: end, isOfLog: true)
            for some in [rider, polled] {
                #expect(Self.isContained(some.statuses, in: all.statuses), "\(some.statuses) in \(all.statuses)")
            }
            // Of a trip whose polls were given up, the rider does not know the end.
            guard let end else { continue }
            for one in [rider, all, polled] {
                #expect(one.statuses.last == end && one.hasEnded, "\(trip): \(one.statuses)")
                #expect(one.vehicle == all.vehicle && one.outcomes == [.passed], "\(trip): \(one)")
            }
        }
    }

    /// Returns the events of a log that is followed while it is written.
    private static func followed(_ bytes: [UInt8], _ trips: [JourneyID]) -> [Timed] {
        var log = LiveLog(trips: trips)
        // The log is read at once, at any time of the steady clock.
        let now = { (newest: Date) in Moment(wall: newest, steady: .seconds(1_000_000)) }
        return (log.handle(bytes, now: now) + log.handle(nil, now: now)).flatMap { item -> [Timed] in
            guard case .step(let step) = item else { return [] }
            return step.events.map { ($0, step.moment) }
        }
    }

    /// Returns the events of a log that is replayed, polled as a rider would have.
    private static func replayed(_ bytes: [UInt8]) throws -> [Timed] {
        let trips = try RecordedLog(bytes: bytes).trips
        var playback = LogPlayback(trips, every: .seconds(5))
        var events: [Timed] = []
        while let step = playback.next() {
            let at = Moment(wall: trips.start, steady: .zero).advanced(by: step.at)
            events += step.events.map { ($0, at) }
        }
        return events
    }

    /// Folds the events of a trip.
    private static func seen(
        _ events: [Timed],
        of journey: JourneyID,
        reaching end: JourneyStatus?,
        isOfLog: Bool = false
    ) -> Seen {
        var conditions = ExpectedConditions()
        conditions.reached = end
        var checker = ExpectationChecker(
            [TripExpectation(name: "end", kind: .must(conditions, .once))],
            first: journey,
            begins: events.first?.at ?? Moment(wall: .distantPast, steady: .zero),
            isOfLog: isOfLog
        )
        var (table, receipt, seen) = (JourneyTable(), TripReceipt(journey), Seen())
        for (event, moment) in events where event.journey == journey {
            let changes = table.apply(event, at: moment)
            for case .status(let status, _) in changes.map(\.kind) { seen.statuses.append(status) }
            if let facts = table[journey] {
                receipt.handle(changes, facts)
                seen.vehicle = facts.answer?.value.journey?.vehicleID ?? seen.vehicle
            }
            _ = checker.handle(event, table, at: moment)
        }
        if let last = events.last { _ = checker.finish(at: last.at) }
        (seen.hasEnded, seen.outcomes) = (receipt.hasEnded, checker.results.map(\.outcome))
        return seen
    }

    /// Returns whether all statuses are among others, in their order.
    private static func isContained(_ some: [JourneyStatus], in all: [JourneyStatus]) -> Bool {
        var rest = all[...]
        return some.allSatisfy { status in
            guard let index = rest.firstIndex(of: status) else { return false }
            rest = rest[(index + 1)...]
            return true
        }
    }
}
