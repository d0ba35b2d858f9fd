import Failures
import Foundation
import Runtime
import TripModel

/// One expectation about one trip: what is known about it so far, and the rules that decide it.
struct ExpectationItem: Sendable {
    var result: ExpectationResult
    /// When it began to be judged, in seconds; `nil` before that.
    var since: Double?
    /// The findings since then.
    var findings: Set<String> = []
    /// What the polls have shown.
    var polls: JudgedPolls
    /// The values that were compared.
    var values: ComparedValues
    /// Whether the conditions have held.
    var isMet = false
    /// When the conditions stopped holding.
    var unmetSince: Double?

    init(_ expectation: TripExpectation, journey: JourneyID?, since seconds: Double) {
        let reason: ExpectationResult.Reason =
            if let occasion = expectation.after { .notBegun(occasion) } else { Self.begun(expectation) }
        result = ExpectationResult(expectation: expectation, journey: expectation.journey ?? journey, reason: reason)
        since = expectation.after == nil ? seconds : nil
        polls = JudgedPolls(isAnswered: expectation.after == nil)
        values = ComparedValues(count: expectation.conditions?.checks.count ?? 0)
    }

    var expectation: TripExpectation { result.expectation }

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

    static func begun(_ expectation: TripExpectation) -> ExpectationResult.Reason {
        switch expectation.kind {
        case .must: .waiting([.unknownTrip])
        case .mustNot: .holding
        case .manual: .unanswered
        }
    }

    mutating func decide(_ outcome: ExpectationResult.Outcome, _ reason: ExpectationResult.Reason) {
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

    /// Whether the conditions must not hold.
    var isForbidden: Bool { if case .mustNot = expectation.kind { true } else { false } }

    /// Passes what has held, unless an outage hides whether it still does.
    mutating func passUnlessHidden() {
        if polls.hidden.isEmpty { decide(.passed, .met) } else { decide(.undecided, .waiting(polls.hidden)) }
    }

    /// Fails it, or leaves it undecided if nothing was seen of what does not hold.
    mutating func fail(
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
    var endsWithPoll: Bool { if case .must(_, .once) = expectation.kind { true } else { false } }

    /// Decides it because the occasion came until which it is judged.
    mutating func closes(at end: Occasion, _ unmet: [UnmetCondition], _ observation: TripObservation) {
        switch expectation.kind {
        // What happened before is unknown.
        case _ where polls.count == 0: decide(.skipped, .cameFirst(end, unmet))
        case .manual: return
        case .mustNot: decideAbsence(unmet, observation)
        case .must where isMet && unmetSince == nil: passUnlessHidden()
        case .must: fail(unmet, observation, .cameFirst(end, unmet))
        }
    }

    func grace(_ occurrence: Occurrence) -> Double { expectation.grace + occurrence.tolerance.lateness }

    /// The time limit in seconds if it is over.
    func passedLimit(_ occurrence: Occurrence) -> Double? {
        guard let limit = expectation.within, occurrence.seconds > (since ?? 0) + limit + grace(occurrence) else {
            return nil
        }
        return limit
    }
}

extension UnmetCondition {
    /// The condition without a number that grows from poll to poll, so that a result changes only with its meaning.
    var withoutValue: UnmetCondition {
        if case .check(let check, _) = self { .check(check, nil) } else { self }
    }
}
