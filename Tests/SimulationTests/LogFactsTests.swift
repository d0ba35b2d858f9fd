import FleetEmulator
import Foundation
import Runtime
import Synchronization
import Testing
import TripFeed
import TripModel
import TripTestSupport

@testable import tripshare

/// The log of the service shows what riders and recipients saw of each scenario, as far as a log can know it.
///
/// | | a rider or a recipient | the log |
/// |---|---|---|
/// | statuses | those at the times of the polls, in order | all |
/// | last status, vehicle, end of the receipt, verdict about the last status | equal | equal |
/// | kinds of changes, rules of findings, as the log's readers find them | all but for ``LogLimits`` | also those between two polls |
/// | kinds of changes, rules of findings, times of the receipt | equal, answered at the same times | equal but for ``LogLimits`` |
@Suite("Facts of the log of a service", .ends(within: .longTest))
struct LogFactsTests {
    /// The maximum difference between two times of a receipt in seconds: riders see those of the service in whole seconds.
    private static let tolerance = 1.0

    @Test(arguments: (Scenario.names + Scenario.deliveryNames).filter { !LogLimits.longScenarios.contains($0) })
    func `are those that a rider or a recipient saw at the same time, followed live and replayed`(
        name: String
    ) async throws {
        let scenario = try #require(try Scenario.named(name))
        guard !scenario.journeys.isEmpty else { return }
        let (log, ridden) = try await Self.play(scenario)
        let interval = ScenarioRun.interval(of: scenario)
        let (followed, calls) = log.followed(scenario.journeys)
        let replayed = try log.replayed(every: interval)
        let answered = try log.answers(to: ridden, of: try ProviderID("p"))
        for journey in scenario.journeys {
            let end = ridden.last { if case .ended(journey, .reached) = $0.event { true } else { false } }
            let status: JourneyStatus? =
                if case .ended(_, .reached(let status))? = end?.event { status } else { nil }
            // What follows the end of the polls, only the log shows.
            let last = end.map { $0.at.wall + interval.seconds } ?? .distantFuture
            func sight(_ events: [TimedEvent]) -> LogSight {
                LogSight(events.filter { $0.at.wall <= last }, of: journey, reaching: status, isOfLog: true)
            }
            let rider = LogSight(ridden, of: journey, reaching: status)
            #expect(!rider.statuses.isEmpty, "\(journey)")
            let (all, polled) = (sight(followed), sight(replayed))
            for some in [rider, polled] {
                #expect(Self.isContained(some.statuses, in: all.statuses), "\(some.statuses) in \(all.statuses)")
            }
            let lost = LogLimits.lostFields[name] ?? []
            for (reader, one) in [("followed", all), ("replayed", polled)] {
                let unexplained = rider.unexplained(in: one, calls: calls[journey] ?? [], without: lost)
                #expect(unexplained.isEmpty, "\(journey) \(reader): \(unexplained)")
            }
            Self.expectEqual(
                LogSight(answered, of: journey, reaching: status),
                rider,
                journey,
                without: lost,
                knowing: LogLimits.knownDefects[name] ?? []
            )
            // Of a trip whose polls were given up, the rider does not know the end.
            guard let status else { continue }
            for one in [rider, all, polled] {
                #expect(one.statuses.last == status && one.receipt.hasEnded, "\(journey): \(one.statuses)")
                #expect(one.vehicle == all.vehicle && one.outcomes == [.passed], "\(journey): \(one.outcomes)")
            }
        }
    }

    @Test func `leaves out only what there is`() {
        for rule in LogLimits.rules.keys { #expect(FindingRule.named(rule) != nil, "\(rule)") }
        #expect(Set(LogLimits.lostFields.keys).isSubset(of: Scenario.names))
    }

    /// Compares what the log answers to the polls of a rider with what the rider received.
    private static func expectEqual(
        _ log: LogSight,
        _ rider: LogSight,
        _ journey: JourneyID,
        without lost: Set<String>,
        knowing defects: Set<String>
    ) {
        #expect(log.statuses == rider.statuses && log.vehicle == rider.vehicle, "\(journey): \(log.statuses)")
        // What is said to be lost is lost, so that no reason stands longer than it holds.
        #expect(lost.isSubset(of: rider.changes.union(rider.rules)), "\(journey)")
        #expect(log.changes == rider.changes.subtracting(lost), "\(journey)")
        #expect(log.rules == rider.rules.subtracting(lost), "\(journey)")
        // Not only that something was found: each time, and no other time.
        let names = Set(log.occurrences.keys).union(rider.occurrences.keys).subtracting(lost)
        for name in names.subtracting(LogLimits.ofOtherTimes.keys).sorted() {
            withKnownIssue(isIntermittent: true) {
                #expect(log.occurrences[name] == rider.occurrences[name], "\(journey): \(name)")
            } when: {
                defects.contains(name)
            }
        }
        #expect(log.outcomes == rider.outcomes, "\(journey)")
        let (times, expected) = (log.times, rider.times)
        for name in Set(times.keys).union(expected.keys).sorted() {
            let (one, other) = (times[name], expected[name])
            let isEqual = one.flatMap { one in other.map { abs(one - $0) <= tolerance } } ?? false
            #expect(isEqual, "\(journey): \(name) \(String(describing: one)), not \(String(describing: other))")
        }
    }

    /// Plays a scenario to its end; returns the log of the service, and the events of the riders and recipients.
    private static func play(_ scenario: Scenario) async throws -> (ServiceLog, [TimedEvent]) {
        let clock = VirtualClock(start: scenario.begins ?? VirtualClock.start)
        let log = Mutex<[UInt8]>([])
        let events = Mutex<[TimedEvent]>([])
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
        return (ServiceLog(bytes: log.withLock(\.self)), events.withLock(\.self))
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
