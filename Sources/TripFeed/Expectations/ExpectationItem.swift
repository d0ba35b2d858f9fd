import Failures
import Foundation
import Runtime
import TripModel

/// One expectation about one trip: what is known about it so far, and the rules that decide it.
struct ExpectationItem: Sendable {
    private(set) var result: ExpectationResult
    /// When it began to be judged, in seconds; `nil` before that.
    private var since: Double?
    /// The findings since then.
    private var findings: Set<String> = []
    /// What the polls have shown.
    private var polls: JudgedPolls
    /// The values that were compared.
    private var values: ComparedValues
    /// Whether the conditions have held.
    private var isMet = false
    /// When the conditions stopped holding.
    private var unmetSince: Double?

    init(_ expectation: TripExpectation, journey: JourneyID?, since seconds: Double) {
        let reason: ExpectationResult.Reason =
            if let occasion = expectation.after { .notBegun(occasion) } else { Self.begun(expectation) }
        result = ExpectationResult(expectation: expectation, journey: expectation.journey ?? journey, reason: reason)
        since = expectation.after == nil ? seconds : nil
        polls = JudgedPolls(isAnswered: expectation.after == nil)
        values = ComparedValues(count: expectation.conditions?.checks.count ?? 0)
    }

    private var expectation: TripExpectation { result.expectation }

    /// Makes it one about a trip, if it is about none yet.
    mutating func assign(_ journey: JourneyID) {
        if result.journey == nil { result.journey = journey }
        requireMeasuresOfShipment()
    }

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
        result.status = observation?.state?.journey?.status
        result.polls = observation?.polls
        guard let observation, expectation.conditions != nil, result.outcome != .skipped else { return }
        if result.outcome == .failed || result.outcome == .undecided {
            result.cause = observation.cause
        }
        guard case .must(let conditions, let extent) = expectation.kind,
            extent == .once || result.outcome == .failed
        else {
            result.evidence = values.evidence
            return
        }
        result.evidence = conditions.checks.compactMap { ComparedValues.evidence(of: $0, observation, at: now) }
    }

    /// Leaves it undecided if it compares measures that the log of a service does not have.
    mutating func requireMeasuresOfLog() {
        let missing = expectation.checks.filter { check in
            MeasureForm.all.contains { $0.id == check.measure && $0.needsOwnRequests }
        }
        if !missing.isEmpty { decide(.undecided, .notMeasurable(missing.map(\.name))) }
    }

    /// Leaves it undecided if it is about a shipment and compares what only trips have.
    mutating func requireMeasuresOfShipment() {
        guard result.journey?.kind == .shipment, result.outcome == .pending else { return }
        let missing = expectation.checks.filter { check in
            MeasureForm.all.contains { $0.id == check.measure && $0.isOfTripsOnly }
        }
        if !missing.isEmpty { decide(.undecided, .notOfShipments(missing.map(\.name))) }
    }

    /// Leaves it undecided if it is about the rider's calls, which the replay of a log does not count.
    mutating func requireCalls() {
        let names = expectation.checks.filter { $0.source == .calls }.map(\.name)
        let missing = names + (expectation.conditions?.isFailing == nil ? [] : ["failing"])
        if result.outcome == .pending, !missing.isEmpty { decide(.undecided, .notCounted(missing)) }
    }

    /// Names the failure of a search as the reason why its trip was not polled.
    mutating func explain(_ failure: Failure, searching provider: ProviderID) {
        guard result.outcome == .undecided, result.cause == nil else { return }
        result.cause = .init(failure: failure, token: nil, search: provider)
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
        // A log shows every change of the trip.
        if occurrence.step == .answer || occurrence.observation.isOfLog { polls.addAnswer() }
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
        let unmet = polls.unmet(conditions, observation, occurrence)
        let end = expectation.until.flatMap { observation.hasCome($0, at: occurrence.now) ? $0 : nil }
        if let end, polls.count == 0 || !endsWithPoll {
            // The poll that shows the end is no longer judged.
            closes(at: end, unmet, observation)
            return
        }
        if occurrence.isPoll, !unmet.contains(.unknownTrip) {
            polls.addPoll()
            values.add(conditions, observation, at: occurrence.now, isForbidden: isForbidden)
        }
        if passedLimit(occurrence) == nil {
            polls.add(conditions, unmet, observation, occurrence, isForbidden: isForbidden)
        }
        switch expectation.kind {
        case .manual: return
        case .mustNot: compareForbidden(unmet, occurrence)
        case .must(_, .once): compareOnce(unmet, occurrence)
        case .must(_, .throughout): compareThroughout(unmet, occurrence)
        case .must(_, .always): compareAlways(unmet, occurrence)
        }
        if let end, result.outcome == .pending { closes(at: end, unmet, observation) }
    }

    /// Whether the conditions must not hold.
    private var isForbidden: Bool { if case .mustNot = expectation.kind { true } else { false } }

    /// Passes what has held, unless an outage hides whether it still does.
    private mutating func passUnlessHidden() {
        if polls.hidden.isEmpty { decide(.passed, .met) } else { decide(.undecided, .waiting(polls.hidden)) }
    }

    /// Fails it, or leaves it undecided if nothing was seen of what does not hold.
    private mutating func fail(
        _ unmet: [UnmetCondition],
        _ observation: TripObservation,
        _ reason: ExpectationResult.Reason
    ) {
        if !unmet.isEmpty, !unmet.contains(where: { polls.hasSeen($0, observation) }) {
            decide(.undecided, polls.reason(unseen: unmet, observation))
        } else {
            // Without a poll in time, it may have been true then.
            decide(polls.seen > 0 ? .failed : .undecided, reason)
        }
    }

    /// Whether the poll that shows the end of the judged time is the last one that is judged.
    private var endsWithPoll: Bool { if case .must(_, .once) = expectation.kind { true } else { false } }

    /// Decides it because the occasion came until which it is judged.
    private mutating func closes(at end: Occasion, _ unmet: [UnmetCondition], _ observation: TripObservation) {
        switch expectation.kind {
        // What happened before is unknown.
        case _ where polls.count == 0: decide(.skipped, .cameFirst(end, unmet))
        case .manual: return
        case .mustNot: decideAbsence(unmet, observation)
        case .must where isMet && unmetSince == nil: passUnlessHidden()
        case .must: fail(unmet, observation, .cameFirst(end, unmet))
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
        } else if passedLimit(occurrence) != nil, polls.count > 0 {
            decideAbsence(unmet, occurrence.observation)
        }
    }

    /// Passes what must not happen; it is undecided if the values were never known, or if an outage hides the last ones.
    private mutating func decideAbsence(_ unmet: [UnmetCondition], _ observation: TripObservation) {
        if !polls.hidden.isEmpty {
            decide(.undecided, .waiting(polls.hidden))
        } else if polls.known > 0 {
            decide(.passed, .didNotHappen(polls: polls.known))
        } else {
            decide(.undecided, polls.reason(unseen: unmet, observation))
        }
    }

    private mutating func compareOnce(_ unmet: [UnmetCondition], _ occurrence: Occurrence) {
        if unmet.isEmpty {
            if let limit = passedLimit(occurrence) {
                // Without a poll in time, it may have been true then.
                decide(polls.seen > 0 ? .failed : .undecided, .late(limit: limit))
            } else {
                decide(.passed, .met)
            }
        } else if let limit = passedLimit(occurrence) {
            fail(unmet, occurrence.observation, .notInTime(unmet, limit: limit))
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
        hold(unmet.filter { !occurrence.observation.isHidden($0) }, occurrence) { .noLongerMet($0) }
    }

    private mutating func compareAlways(_ unmet: [UnmetCondition], _ occurrence: Occurrence) {
        let limit = passedLimit(occurrence)
        if unmet.isEmpty, limit == nil { isMet = true }
        // What is unknown is no violation, but without any known value it does not pass.
        let violated = unmet.filter { !$0.isUnknown && polls.hasSeen($0, occurrence.observation) }
        if unmet.isEmpty || !violated.isEmpty {
            hold(violated, occurrence) { .notAlways($0) }
        } else if !isMet {
            result.reason = .waiting(unmet)
        }
        guard result.outcome == .pending, let limit, unmetSince == nil else { return }
        if isMet {
            passUnlessHidden()
        } else if unmet.isEmpty {
            decide(.undecided, .late(limit: limit))
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

    /// Decides it at the end of its trip or of the session.
    mutating func finish(_ occurrence: Occurrence) {
        var observation = occurrence.observation
        observation.findings = findings
        switch expectation.kind {
        // A step stays open after the end of its trip.
        case .manual where occurrence.isEnd && since != nil: break
        case .manual: result.outcome = .skipped
        case _ where since == nil: finishBeforeBegin(observation)
        case .mustNot(let conditions): decideAbsence(polls.unmet(conditions, observation, occurrence), observation)
        case .must where isMet && unmetSince == nil: passUnlessHidden()
        case .must(let conditions, let extent):
            let unmet = polls.unmet(conditions, observation, occurrence)
            let reason: ExpectationResult.Reason =
                isMet && extent == .throughout
                ? .noLongerMet(unmet) : occurrence.isEnd ? .tripEnded(unmet) : .sessionEnded(unmet)
            // What has held and does not hold any more was seen.
            if isMet { decide(.failed, reason) } else { fail(unmet, observation, reason) }
        }
    }

    /// Skips what has not begun; it is undecided if nothing was seen of the occasion.
    private mutating func finishBeforeBegin(_ observation: TripObservation) {
        guard let occasion = expectation.after, !observation.isKnown(occasion) else {
            result.outcome = .skipped
            return
        }
        if observation.polls == 0 {
            decide(.undecided, .waiting([.unknownTrip]))
        } else if case .check(let check) = occasion, observation.isHidden(check) {
            decide(.undecided, .waiting([.check(check, nil)]))
        } else if case .check(let check) = occasion, check.source != .answer {
            let isOfCalls = check.source == .calls
            decide(.undecided, isOfCalls ? .noCalls : .waiting([.check(check, nil)]))
        } else {
            decide(.undecided, .neverAnswered)
        }
    }
}

extension UnmetCondition {
    /// The condition without a number that grows from poll to poll, so that a result changes only with its meaning.
    fileprivate var withoutValue: UnmetCondition {
        if case .check(let check, _) = self { .check(check, nil) } else { self }
    }
}
