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

    private struct Item: Sendable {
        var result: ExpectationResult
        /// When it began to be judged, in seconds; `nil` before that.
        var since: Double?
        /// The findings since then.
        var findings: Set<String> = []
        /// Whether the conditions have held.
        var isMet = false
        /// When the conditions stopped holding.
        var unmetSince: Double?

        init(_ expectation: TripExpectation, trip: TripID?, since seconds: Double) {
            let reason: ExpectationResult.Reason =
                if let status = expectation.after { .notBegun(status) } else { ExpectationChecker.begun(expectation) }
            result = ExpectationResult(expectation: expectation, trip: expectation.trip ?? trip, reason: reason)
            since = expectation.after == nil ? seconds : nil
        }

        /// Whether the status was reached from which on it is judged.
        func hasBegun(_ observation: TripObservation) -> Bool {
            since != nil || result.expectation.after.map { observation.state?.hasReached($0) == true } ?? true
        }
    }

    private var items: [Item]
    private let first: TripID?
    private var begin: Duration
    private let tolerance: Tolerance
    private var seen: [TripID: TripObservation] = [:]
    /// The trips that are no longer followed.
    private var ended: Set<TripID> = []

    /// Creates a checker of a session that starts now.
    ///
    /// - Parameters:
    ///   - expectations: The expectations; those without a trip are about the first followed one.
    ///   - first: The first followed trip; `nil` if trips are added later.
    ///   - begins: The start of the session.
    ///   - tolerance: What is permitted besides the grace of each expectation.
    package init(
        _ expectations: [TripExpectation],
        first: TripID?,
        begins: Moment,
        tolerance: Tolerance = Tolerance()
    ) {
        begin = begins.steady
        (self.first, self.tolerance) = (first, tolerance)
        items = expectations.map { Item($0, trip: first, since: 0) }
    }

    /// Records that the session starts only now.
    package mutating func start(at now: Moment) { begin = now.steady }

    /// Judges other expectations from now on, by what was seen of the trips; earlier findings do not count.
    package mutating func replace(with expectations: [TripExpectation], at now: Moment) {
        let seconds = (now.steady - begin).seconds
        items = expectations.map { Item($0, trip: first, since: seconds) }
        // No event of an ended trip comes any more.
        let (seen, ended, tolerance) = (seen, ended, tolerance)
        _ = change(at: now) { item, seconds in
            guard let trip = item.result.trip, ended.contains(trip), let observation = seen[trip] else { return }
            Self.judge(&item, observation, isEnd: true, at: now, seconds, tolerance)
        }
    }

    /// The results in the order of the file.
    package var results: [ExpectationResult] { items.map(\.result) }

    /// Processes a feed event; returns the numbers of the expectations whose results have changed.
    package mutating func take(_ event: FeedEvent, at now: Moment) -> [Int] {
        let trip = event.trip
        if event.isEnd { ended.insert(trip) } else { ended.remove(trip) }
        guard seen[trip, default: TripObservation()].take(event) || event.isEnd else { return [] }
        let (observation, tolerance) = (seen[trip], tolerance)
        return change(at: now) { item, seconds in
            // With trips from a file, the first one that is followed counts.
            if item.result.trip == nil { item.result.trip = trip }
            guard item.result.trip == trip, let observation else { return }
            if item.hasBegun(observation), case .found(_, let findings) = event {
                item.findings.formUnion(findings.map(\.rule.id))
            }
            Self.judge(&item, observation, isEnd: event.isEnd, at: now, seconds, tolerance)
        }
    }

    /// Records the answer of the tester; returns the numbers of the expectations whose results have changed.
    package mutating func answer(
        _ index: Int,
        _ answer: ExpectationResult.Answer,
        note: String,
        at now: Moment
    ) -> [Int] {
        guard items.indices.contains(index), case .manual = items[index].result.expectation.kind else { return [] }
        items[index].result.outcome = answer.outcome
        items[index].result.reason = .answered
        items[index].result.note = note
        items[index].result.seconds = (now.steady - begin).seconds
        items[index].result.time = now.wall
        items[index].result.status = items[index].result.trip.flatMap { seen[$0]?.state?.trip?.status }
        return [index]
    }

    /// Decides what is undecided, because the session has ended; returns the numbers of the changed results.
    package mutating func finish(at now: Moment) -> [Int] {
        let seen = seen
        return change(at: now) { item, seconds in
            let observation = item.result.trip.flatMap { seen[$0] } ?? TripObservation()
            Self.finish(&item, observation, at: now, seconds, isTripEnd: false)
        }
    }

    private mutating func change(at now: Moment, _ body: (inout Item, Double) -> Void) -> [Int] {
        let seconds = (now.steady - begin).seconds
        var changed: [Int] = []
        for index in items.indices where items[index].result.outcome == .pending {
            let before = items[index].result
            body(&items[index], seconds)
            guard items[index].result != before else { continue }
            if items[index].result.outcome != .pending {
                items[index].result.seconds = seconds
                items[index].result.time = now.wall
                let observation = items[index].result.trip.flatMap { seen[$0] }
                items[index].result.status = observation?.state?.trip?.status
                items[index].result.polls = observation?.polls
            }
            changed.append(index)
        }
        return changed
    }
}

/// The rules of one expectation.
extension ExpectationChecker {
    private static func begun(_ expectation: TripExpectation) -> ExpectationResult.Reason {
        switch expectation.kind {
        case .must: .waiting([.unknownTrip])
        case .mustNot: .holding
        case .manual: .unanswered
        }
    }

    private static func judge(
        _ item: inout Item,
        _ observation: TripObservation,
        isEnd: Bool,
        at now: Moment,
        _ seconds: Double,
        _ tolerance: Tolerance
    ) {
        if item.since == nil {
            guard item.hasBegun(observation) else {
                if isEnd { finish(&item, observation, at: now, seconds, isTripEnd: true) }
                return
            }
            item.since = seconds
            item.result.reason = begun(item.result.expectation)
        }
        var observation = observation
        observation.findings = item.findings
        let (limit, grace) = (item.result.expectation.within, item.result.expectation.grace + tolerance.lateness)
        let isOver = limit.map { seconds > (item.since ?? 0) + $0 + grace } ?? false
        switch item.result.expectation.kind {
        case .manual: return
        case .mustNot(let conditions):
            if observation.unmet(conditions, at: now).isEmpty {
                item.result.decide(.failed, .happened)
            } else if isOver, observation.state?.trip != nil {
                item.result.decide(.passed, .didNotHappen)
            }
        case .must(let conditions, let isThroughout):
            let unmet = observation.unmet(conditions, at: now)
            if unmet.isEmpty, !item.isMet, isOver, let limit {
                item.result.decide(.failed, .late(limit: limit))
            } else if unmet.isEmpty {
                item.isMet = true
                item.unmetSince = nil
                if isThroughout { item.result.reason = .holding } else { item.result.decide(.passed, .met) }
            } else if item.isMet {
                let since = item.unmetSince ?? seconds
                item.unmetSince = since
                if seconds - since >= tolerance.transition + grace { item.result.decide(.failed, .noLongerMet(unmet)) }
            } else if isOver, let limit {
                item.result.decide(.failed, .notInTime(unmet, limit: limit))
            } else {
                item.result.reason = .waiting(unmet.map(\.withoutValue))
            }
        }
        if isEnd, item.result.outcome == .pending {
            finish(&item, observation, at: now, seconds, isTripEnd: true)
        }
    }

    private static func finish(
        _ item: inout Item,
        _ observation: TripObservation,
        at now: Moment,
        _ seconds: Double,
        isTripEnd: Bool
    ) {
        var observation = observation
        observation.findings = item.findings
        switch item.result.expectation.kind {
        // A step stays open after the end of its trip.
        case .manual where isTripEnd && item.since != nil: break
        case _ where item.since == nil: item.result.outcome = .skipped
        case .manual: item.result.outcome = .skipped
        // Without an answer nothing is known of what must not happen.
        case .mustNot where observation.state?.trip == nil: item.result.decide(.skipped, .waiting([.unknownTrip]))
        case .mustNot: item.result.decide(.passed, .didNotHappen)
        case .must where item.isMet && item.unmetSince == nil: item.result.decide(.passed, .met)
        case .must(let conditions, _):
            let unmet = observation.unmet(conditions, at: now)
            item.result.decide(
                .failed,
                item.isMet ? .noLongerMet(unmet) : isTripEnd ? .tripEnded(unmet) : .sessionEnded(unmet)
            )
        }
    }
}

extension ExpectationResult {
    fileprivate mutating func decide(_ outcome: Outcome, _ reason: Reason) {
        (self.outcome, self.reason) = (outcome, reason)
    }
}

extension UnmetCondition {
    /// The condition without a number that grows from poll to poll, so that a result changes only with its meaning.
    fileprivate var withoutValue: UnmetCondition {
        switch self {
        case .overdue(_, let expected): .overdue(nil, expected: expected)
        case .positionAge(_, let expected): .positionAge(nil, expected: expected)
        case .delay(_, let expected): .delay(nil, expected: expected)
        default: self
        }
    }
}

extension FeedEvent {
    /// Whether the trip is no longer followed.
    fileprivate var isEnd: Bool { if case .ended = self { true } else { false } }
}
