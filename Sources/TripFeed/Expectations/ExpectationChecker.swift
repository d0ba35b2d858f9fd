package import Failures
package import FleetTokens
import Foundation
package import Runtime
package import TripModel

/// Judges the expectations of a tester by the events of the followed trips; without side effects.
///
/// Conditions are evaluated on polls alone, as on the screen: what happens in time may be visible only at the next poll. A file
/// states how much later that may be as a grace; a scenario's own captions and expectations have a tolerance.
package struct ExpectationChecker: Sendable {
    /// What is permitted to a client that polls late.
    package struct Tolerance: Sendable {
        /// How late a poll may show that something happened in time, in seconds.
        var lateness = 0.0
        /// The time between the end of conditions and those that replace them, in seconds.
        var transition = 0.0

        /// Creates a tolerance; it permits nothing by default.
        package init(lateness: Double = 0, transition: Double = 0) {
            (self.lateness, self.transition) = (lateness, transition)
        }
    }

    /// The maximum number of expectations of a session, those for all trips counted once for each.
    package static let maximumCount = 10_000

    private var items: [ExpectationItem] = []
    /// The numbers of the expectations about each trip.
    private var places: [JourneyID: [Int]] = [:]
    /// The numbers of those that wait for the first followed trip.
    private var waiting: [Int] = []
    /// The expectations about each followed trip, and the trips that they were added for.
    private var general: [TripExpectation] = []
    private var judged: Set<JourneyID> = []
    /// Whether an expectation was refused because there were too many.
    private var isFull = false

    private let first: JourneyID?
    private var begin: Moment
    /// Whether the events come from a service's log: times are differences of the wall clock, not of the steady clock.
    private let isOfLog: Bool
    /// Whether the calls of the session, or of the rider in a log, are counted.
    private let countsCalls: Bool
    private let tolerance: Tolerance
    private var seen: [JourneyID: TripObservation] = [:]
    /// The trips that are no longer followed.
    private var ended: Set<JourneyID> = []
    private var needsFields = false

    /// Creates a checker of a session that starts now.
    ///
    /// - Parameters:
    ///   - expectations: The expectations; those without a trip are about the first followed one.
    ///   - first: The first followed trip; `nil` if trips are added later.
    ///   - begins: The start of the session.
    ///   - tolerance: What is permitted besides the grace of each expectation.
    ///   - isOfLog: Whether the events come from a service's log.
    ///   - countsCalls: Whether calls are counted; the rider's calls in a replayed log are not.
    package init(
        _ expectations: [TripExpectation],
        first: JourneyID?,
        begins: Moment,
        tolerance: Tolerance = Tolerance(),
        isOfLog: Bool = false,
        countsCalls: Bool = true
    ) {
        begin = begins
        (self.first, self.tolerance, self.isOfLog) = (first, tolerance, isOfLog)
        self.countsCalls = countsCalls
        set(expectations, since: 0)
    }

    private mutating func set(_ expectations: [TripExpectation], since seconds: Double) {
        (items, places, waiting, judged) = ([], [:], [], [])
        general = expectations.filter(\.isForAllTrips)
        needsFields = needsFields || expectations.contains { $0.checks.contains { $0.measure == "trip" } }
        for expectation in expectations {
            add(ExpectationItem(expectation, journey: expectation.isForAllTrips ? nil : first, since: seconds))
        }
    }

    private mutating func add(_ item: ExpectationItem) {
        var item = item
        if isOfLog { item.requireMeasuresOfLog() }
        if !countsCalls { item.requireCalls() }
        item.requireMeasuresOfShipment()
        if let trip = item.result.journey {
            places[trip, default: []].append(items.count)
        } else {
            waiting.append(items.count)
        }
        items.append(item)
    }

    /// Records that the session starts only now.
    package mutating func start(at now: Moment) { begin = now }

    /// Returns the seconds since the start of the session.
    private func seconds(at now: Moment) -> Double {
        isOfLog ? now.wall.timeIntervalSince(begin.wall) : (now.steady - begin.steady).seconds
    }

    /// Judges other expectations from now on, by what was seen of the trips; earlier findings do not count.
    package mutating func replace(with expectations: [TripExpectation], at now: Moment) {
        set(expectations, since: seconds(at: now))
        let tolerance = tolerance
        // No event of an ended trip comes any more.
        for trip in ended {
            guard let observation = seen[trip] else { continue }
            _ = change(places[trip] ?? [], at: now) { item, seconds in
                item.judge(.init(observation, at: now, seconds, isEnd: true, tolerance: tolerance))
            }
        }
    }

    /// The results in the order of the file.
    package var results: [ExpectationResult] { items.map(\.result) }

    /// Processes a feed event and the facts after it; returns the numbers of the expectations whose results have changed.
    package mutating func handle(_ event: FeedEvent, _ table: JourneyTable, at now: Moment) -> [Int] {
        let trip = event.journey
        // If it is followed again, nothing is known of it.
        if ended.remove(trip) != nil { seen[trip] = nil }
        if event.isEnd { ended.insert(trip) }
        let empty = emptyObservation
        guard seen[trip, default: empty].handle(event, table) || event.isEnd else { return [] }
        let added = assign(trip, at: now)
        guard let observation = seen[trip] else { return added }
        let tolerance = tolerance
        return change(places[trip] ?? [], at: now) { item, seconds in
            if case .found(_, let findings) = event { item.add(findings, observation, at: now) }
            item.judge(
                .init(observation, at: now, seconds, event.step, isEnd: event.isEnd, tolerance: tolerance)
            )
        }
    }

    /// Processes a call of a rider in a log; `error` is the answer of the service if it refused it.
    package mutating func handleCall(of journey: JourneyID, refused error: ServiceAnswer?, at now: Moment) -> [Int] {
        let empty = emptyObservation
        seen[journey, default: empty].handleCall(refused: error)
        let added = assign(journey, at: now)
        guard let observation = seen[journey] else { return added }
        let tolerance = tolerance
        return added
            + change(places[journey] ?? [], at: now) { item, seconds in
                item.judge(.init(observation, at: now, seconds, .call, tolerance: tolerance))
            }
    }

    private var emptyObservation: TripObservation { TripObservation(needsFields: needsFields, isOfLog: isOfLog) }

    /// Processes the facts after an event of a token, which count from the next poll of its trip on.
    package mutating func handle(_ event: TokenEvent, _ table: JourneyTable) {
        guard let trip = event.context.journey, let facts = table[trip] else { return }
        let empty = emptyObservation
        seen[trip, default: empty].handle(facts)
    }

    /// Finds the expectations about a trip that were not about one before; returns the numbers of new ones.
    private mutating func assign(_ journey: JourneyID, at now: Moment) -> [Int] {
        // With trips from a file, the first one that is followed counts.
        for place in waiting { items[place].assign(journey) }
        let isFirst = judged.isEmpty
        places[journey, default: []] += waiting
        waiting = []
        guard !general.isEmpty, judged.insert(journey).inserted, !isFirst else { return [] }
        let seconds = self.seconds(at: now)
        let start = items.count
        for expectation in general where !isFull {
            var item = ExpectationItem(expectation, journey: journey, since: seconds)
            if items.count >= Self.maximumCount - 1 {
                isFull = true
                item.refuse(limit: Self.maximumCount)
                item.date(nil, at: now, seconds)
            }
            add(item)
        }
        return Array(start..<items.count)
    }

    /// Records the answer of the tester; returns the numbers of the expectations whose results have changed.
    package mutating func answer(
        _ index: Int,
        _ answer: ExpectationResult.Answer,
        note: String,
        at now: Moment
    ) -> [Int] {
        guard items.indices.contains(index), items[index].result.expectation.conditions == nil else { return [] }
        items[index].answer(answer, note: note)
        items[index].date(observation(index), at: now, seconds(at: now))
        return [index]
    }

    /// Decides what is undecided, because the session has ended; returns the numbers of the changed results.
    ///
    /// `search` is the failure of the last search for the trips of a project.
    package mutating func finish(
        at now: Moment,
        search: (provider: ProviderID, failure: Failure)? = nil
    ) -> [Int] {
        let (seen, tolerance) = (seen, tolerance)
        defer {
            if let search {
                for place in items.indices where (observation(place)?.polls ?? 0) == 0 {
                    items[place].explain(search.failure, searching: search.provider)
                }
            }
        }
        return change(Array(items.indices), at: now) { item, seconds in
            let observation = item.result.journey.flatMap { seen[$0] } ?? TripObservation()
            item.finish(.init(observation, at: now, seconds, tolerance: tolerance))
        }
    }

    private mutating func change(
        _ places: [Int],
        at now: Moment,
        _ body: (inout ExpectationItem, Double) -> Void
    ) -> [Int] {
        let seconds = self.seconds(at: now)
        var changed: [Int] = []
        for place in places where items[place].result.outcome == .pending {
            let before = items[place].result
            body(&items[place], seconds)
            guard items[place].result != before else { continue }
            if items[place].result.outcome != .pending { items[place].date(observation(place), at: now, seconds) }
            changed.append(place)
        }
        return changed
    }

    private func observation(_ place: Int) -> TripObservation? { items[place].result.journey.flatMap { seen[$0] } }
}

extension FeedEvent {
    /// Whether the trip is no longer followed.
    fileprivate var isEnd: Bool { if case .ended = self { true } else { false } }

    /// What it shows of the trip.
    fileprivate var step: ExpectationItem.Occurrence.Step {
        guard case .polled(let report, _, _) = self else { return .other }
        return report.failure == nil ? .answer : .call
    }
}
