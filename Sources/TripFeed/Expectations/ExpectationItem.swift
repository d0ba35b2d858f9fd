import Foundation
import Runtime
import TripModel

/// One expectation about one trip: what is known about it so far, and the rules that decide it.
struct ExpectationItem: Sendable {
    /// One moment at which it is judged.
    struct Occurrence {
        let observation: TripObservation
        let now: Moment
        /// Seconds since the start of the session.
        let seconds: Double
        /// Whether a poll has just completed.
        let isPoll: Bool
        /// Whether the trip is no longer followed.
        let isEnd: Bool
        let tolerance: ExpectationChecker.Tolerance

        init(
            _ observation: TripObservation,
            at now: Moment,
            _ seconds: Double,
            isPoll: Bool = false,
            isEnd: Bool = false,
            _ tolerance: ExpectationChecker.Tolerance
        ) {
            (self.observation, self.now, self.seconds) = (observation, now, seconds)
            (self.isPoll, self.isEnd, self.tolerance) = (isPoll, isEnd, tolerance)
        }
    }

    private(set) var result: ExpectationResult
    /// When it began to be judged, in seconds; `nil` before that.
    private var since: Double?
    /// The findings since then.
    private var findings: Set<String> = []
    /// The number of polls that were judged.
    private var polls = 0
    /// Whether all compared values were known at a poll.
    private var wasKnown = false
    /// Whether the conditions have held.
    private var isMet = false
    /// When the conditions stopped holding.
    private var unmetSince: Double?
    /// Of each comparison, the value that came closest to another decision.
    private var extremes: [ExpectationResult.Evidence?]

    init(_ expectation: TripExpectation, trip: TripID?, since seconds: Double) {
        let reason: ExpectationResult.Reason =
            if let occasion = expectation.after { .notBegun(occasion) } else { Self.begun(expectation) }
        result = ExpectationResult(expectation: expectation, trip: expectation.trip ?? trip, reason: reason)
        since = expectation.after == nil ? seconds : nil
        extremes = Array(repeating: nil, count: expectation.conditions?.checks.count ?? 0)
    }

    private var expectation: TripExpectation { result.expectation }

    /// Makes it one about a trip, if it is about none yet.
    mutating func assign(_ trip: TripID) { if result.trip == nil { result.trip = trip } }

    /// Records the answer of the tester.
    mutating func answer(_ answer: ExpectationResult.Answer, note: String) {
        result.outcome = answer.outcome
        result.reason = .answered
        result.note = note
    }

    /// Records when it was decided, and what was known of its trip then.
    mutating func date(_ observation: TripObservation?, at now: Moment, _ seconds: Double) {
        result.seconds = seconds
        result.time = now.wall
        result.status = observation?.state?.trip?.status
        result.polls = observation?.polls
        guard let observation, expectation.conditions != nil, result.outcome != .skipped else { return }
        if result.outcome == .failed || result.outcome == .undecided {
            result.cause = observation.failure.map { .init(failure: $0, token: observation.token) }
        }
        guard case .must(let conditions, let extent) = expectation.kind,
            extent == .once || result.outcome == .failed
        else {
            result.evidence = extremes.compactMap(\.self)
            return
        }
        result.evidence = conditions.checks.compactMap { evidence($0, observation, now) }
    }

    /// Leaves it undecided if it compares measures that the log of a service does not have.
    mutating func requireMeasuresOfLog() {
        let checks =
            (expectation.conditions?.checks ?? [])
            + [expectation.after, expectation.until].compactMap { occasion in
                if case .check(let check) = occasion { check } else { nil }
            }
        let missing = checks.filter { check in
            MeasureForm.all.contains { $0.id == check.measure && $0.needsOwnRequests }
        }
        if !missing.isEmpty { decide(.undecided, .notMeasurable(missing.map(\.name))) }
    }

    /// Fails it because there are too many expectations.
    mutating func refuse(limit: Int) { decide(.failed, .tooMany(limit)) }

    /// Records findings of the trip, which count once it is judged.
    mutating func add(_ new: [Finding], _ observation: TripObservation, at now: Moment) {
        if hasBegun(observation, at: now) { findings.formUnion(new.map(\.rule.id)) }
    }

    private func hasBegun(_ observation: TripObservation, at now: Moment) -> Bool {
        since != nil || expectation.after.map { observation.hasCome($0, at: now) } ?? true
    }

    private static func begun(_ expectation: TripExpectation) -> ExpectationResult.Reason {
        switch expectation.kind {
        case .must: .waiting([.unknownTrip])
        case .mustNot: .holding
        case .manual: .unanswered
        }
    }

    private mutating func decide(_ outcome: ExpectationResult.Outcome, _ reason: ExpectationResult.Reason) {
        (result.outcome, result.reason) = (outcome, reason)
    }
}

/// The rules.
extension ExpectationItem {
    /// Judges it by what was seen of its trip.
    mutating func judge(_ occurrence: Occurrence) {
        guard occurrence.isPoll || occurrence.isEnd || expectation.conditions?.finding != nil else { return }
        if since == nil {
            guard hasBegun(occurrence.observation, at: occurrence.now) else {
                if occurrence.isEnd { finish(occurrence) }
                return
            }
            since = occurrence.seconds
            result.reason = Self.begun(expectation)
        }
        var observation = occurrence.observation
        observation.findings = findings
        if let conditions = expectation.conditions { compare(conditions, observation, occurrence) }
        if occurrence.isEnd, result.outcome == .pending { finish(occurrence) }
    }

    private mutating func compare(
        _ conditions: ExpectedConditions,
        _ observation: TripObservation,
        _ occurrence: Occurrence
    ) {
        let unmet = observation.unmet(conditions, at: occurrence.now)
        let end = expectation.until.flatMap { observation.hasCome($0, at: occurrence.now) ? $0 : nil }
        if let end, polls == 0 || !endsWithPoll {
            // The poll that shows the end is no longer judged.
            closes(at: end, unmet)
            return
        }
        if occurrence.isPoll, !unmet.contains(.unknownTrip) {
            polls += 1
            // Without an answer nothing is known of what must not happen.
            if observation.state?.trip != nil, !unmet.contains(where: \.isUnknown) { wasKnown = true }
            record(conditions, observation, occurrence)
        }
        switch expectation.kind {
        case .manual: return
        case .mustNot: compareForbidden(unmet, occurrence)
        case .must(_, .once): compareOnce(unmet, occurrence)
        case .must(_, .throughout): compareThroughout(unmet, occurrence)
        case .must(_, .always): compareAlways(unmet, occurrence)
        }
        if let end, result.outcome == .pending { closes(at: end, unmet) }
    }

    /// Whether the poll that shows the end of the judged time is the last one that is judged.
    private var endsWithPoll: Bool { if case .must(_, .once) = expectation.kind { true } else { false } }

    /// Decides it because the occasion came until which it is judged.
    private mutating func closes(at end: Occasion, _ unmet: [UnmetCondition]) {
        switch expectation.kind {
        // What happened before is unknown.
        case _ where polls == 0: decide(.skipped, .cameFirst(end, unmet))
        case .manual: return
        case .mustNot: decideAbsence(unmet)
        case .must where isMet && unmetSince == nil: decide(.passed, .met)
        case .must: decide(.failed, .cameFirst(end, unmet))
        }
    }

    private func grace(_ occurrence: Occurrence) -> Double { expectation.grace + occurrence.tolerance.lateness }

    /// The time limit in seconds if it is over.
    private func passedLimit(_ occurrence: Occurrence) -> Double? {
        guard let limit = expectation.within, occurrence.seconds > (since ?? 0) + limit + grace(occurrence) else {
            return nil
        }
        return limit
    }

    private mutating func compareForbidden(_ unmet: [UnmetCondition], _ occurrence: Occurrence) {
        if unmet.isEmpty {
            decide(.failed, .happened)
        } else if passedLimit(occurrence) != nil, polls > 0 {
            decideAbsence(unmet)
        }
    }

    /// Passes what must not happen; it is undecided if the values were never known.
    private mutating func decideAbsence(_ unmet: [UnmetCondition]) {
        if wasKnown { decide(.passed, .didNotHappen) } else { decide(.undecided, .waiting(unmet)) }
    }

    private mutating func compareOnce(_ unmet: [UnmetCondition], _ occurrence: Occurrence) {
        if unmet.isEmpty {
            if let limit = passedLimit(occurrence) {
                decide(.failed, .late(limit: limit))
            } else {
                decide(.passed, .met)
            }
        } else if let limit = passedLimit(occurrence) {
            decide(.failed, .notInTime(unmet, limit: limit))
        } else if unmet.contains(where: \.isFinal) {
            decide(.failed, .notAlways(unmet))
        } else {
            result.reason = .waiting(unmet.map(\.withoutValue))
        }
    }

    private mutating func compareThroughout(_ unmet: [UnmetCondition], _ occurrence: Occurrence) {
        guard isMet else {
            compareOnce(unmet, occurrence)
            guard result.outcome == .passed else { return }
            isMet = true
            decide(.pending, .holding)
            return
        }
        hold(unmet, occurrence) { .noLongerMet($0) }
    }

    private mutating func compareAlways(_ unmet: [UnmetCondition], _ occurrence: Occurrence) {
        if unmet.isEmpty { isMet = true }
        // Unknown values are no violation, but without any known value it does not pass.
        let violated = unmet.filter { !$0.isUnknown && $0 != .unknownTrip }
        if unmet.isEmpty || !violated.isEmpty {
            hold(violated, occurrence) { .notAlways($0) }
        } else if !isMet {
            result.reason = .waiting(unmet)
        }
        if result.outcome == .pending, passedLimit(occurrence) != nil, isMet, unmetSince == nil {
            decide(.passed, .met)
        }
    }

    /// Fails conditions that have not held for longer than the grace.
    private mutating func hold(
        _ unmet: [UnmetCondition],
        _ occurrence: Occurrence,
        _ reason: ([UnmetCondition]) -> ExpectationResult.Reason
    ) {
        guard !unmet.isEmpty else {
            unmetSince = nil
            result.reason = .holding
            return
        }
        let since = unmetSince ?? occurrence.seconds
        unmetSince = since
        guard occurrence.seconds - since >= occurrence.tolerance.transition + grace(occurrence) else { return }
        decide(.failed, reason(unmet))
    }

    private func hasNeverAnswered(_ observation: TripObservation) -> Bool {
        observation.isFailing && observation.state?.trip == nil
    }

    /// Decides it at the end of its trip or of the session.
    mutating func finish(_ occurrence: Occurrence) {
        var observation = occurrence.observation
        observation.findings = findings
        switch expectation.kind {
        // Nothing is known of a trip whose polls all failed.
        case .mustNot where hasNeverAnswered(observation): decide(.undecided, .neverAnswered)
        case .must where since == nil && hasNeverAnswered(observation): decide(.undecided, .neverAnswered)
        // A step stays open after the end of its trip.
        case .manual where occurrence.isEnd && since != nil: break
        case _ where since == nil: result.outcome = .skipped
        case .manual: result.outcome = .skipped
        case .mustNot where observation.state?.trip == nil: decide(.undecided, .waiting([.unknownTrip]))
        case .mustNot(let conditions): decideAbsence(observation.unmet(conditions, at: occurrence.now))
        case .must where isMet && unmetSince == nil: decide(.passed, .met)
        case .must(let conditions, let extent):
            let unmet = observation.unmet(conditions, at: occurrence.now)
            decide(
                .failed,
                isMet && extent == .throughout
                    ? .noLongerMet(unmet) : occurrence.isEnd ? .tripEnded(unmet) : .sessionEnded(unmet)
            )
        }
    }

    // MARK: Evidence

    private mutating func record(
        _ conditions: ExpectedConditions,
        _ observation: TripObservation,
        _ occurrence: Occurrence
    ) {
        let isForbidden = if case .mustNot = expectation.kind { true } else { false }
        for (index, check) in conditions.checks.enumerated() {
            guard let new = evidence(check, observation, occurrence.now) else { continue }
            if let old = extremes[index] {
                let isWorse =
                    isForbidden ? check.isWorse(old.value, than: new.value) : check.isWorse(new.value, than: old.value)
                guard isWorse else { continue }
            }
            extremes[index] = new
        }
    }

    private func evidence(
        _ check: MeasureCheck,
        _ observation: TripObservation,
        _ now: Moment
    ) -> ExpectationResult.Evidence? {
        observation.value(of: check, at: now).map {
            ExpectationResult.Evidence(check: check, value: $0, poll: observation.polls, time: now.wall)
        }
    }
}

extension UnmetCondition {
    /// The condition without a number that grows from poll to poll, so that a result changes only with its meaning.
    fileprivate var withoutValue: UnmetCondition {
        if case .check(let check, _) = self { .check(check, nil) } else { self }
    }
}
