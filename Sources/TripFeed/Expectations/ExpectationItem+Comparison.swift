import Failures
import Foundation
import Runtime
import TripModel

extension ExpectationItem {
    mutating func compare(
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

    private mutating func compareForbidden(_ unmet: [UnmetCondition], _ occurrence: Occurrence) {
        if unmet.isEmpty {
            decide(.failed, .happened)
        } else if passedLimit(occurrence) != nil, polls.count > 0 {
            decideAbsence(unmet, occurrence.observation)
        }
    }

    /// Passes what must not happen; it is undecided if the values were never known, or if an outage hides the last ones.
    mutating func decideAbsence(_ unmet: [UnmetCondition], _ observation: TripObservation) {
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
    mutating func hold(
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
