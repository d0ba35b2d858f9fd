package import TripModel

/// What the polls have shown of one expectation since it began to be judged: whether enough was seen to decide it.
struct JudgedPolls: Sendable {
    /// The number of polls that were judged.
    private(set) var count = 0
    /// The number of those polls in time that showed what the conditions are about.
    private(set) var seen = 0
    /// The number of polls out of `seen` at which all compared values were known.
    private(set) var known = 0
    /// Whether an answer was seen since it began to be judged; one before that does not count after an occasion.
    private(set) var isAnswered: Bool
    /// The comparisons that decide it and that an outage hides, by the last poll in time.
    private(set) var hidden: [UnmetCondition] = []

    /// Records that an answer has come.
    mutating func addAnswer() { isAnswered = true }

    /// Records a poll of a known trip.
    mutating func addPoll() { count += 1 }

    /// Records what has been seen in time of the conditions; `unmet` are those that do not hold.
    mutating func add(
        _ conditions: ExpectedConditions,
        _ unmet: [UnmetCondition],
        _ observation: TripObservation,
        _ occurrence: ExpectationItem.Occurrence,
        isForbidden: Bool
    ) {
        let sources = conditions.sources
        if occurrence.isPoll { addHidden(conditions, unmet, observation, isForbidden: isForbidden) }
        guard sources.allSatisfy(observation.has), sources.contains(where: occurrence.shows) else { return }
        seen += 1
        if !unmet.contains(where: \.isUnknown) { known += 1 }
    }

    /// Records the comparisons that an outage hides, until another poll shows their values.
    ///
    /// If the conditions must not hold, these comparisons matter only if all other conditions hold.
    private mutating func addHidden(
        _ conditions: ExpectedConditions,
        _ unmet: [UnmetCondition],
        _ observation: TripObservation,
        isForbidden: Bool
    ) {
        let now = unmet.filter { observation.isHidden($0) }
        if !now.isEmpty, !isForbidden || now.count == unmet.count {
            hidden = now
        } else if !conditions.checks.contains(where: observation.isHidden) {
            hidden = []
        }
    }

    /// Returns the conditions that do not hold; if all hold but no answer has come since judging began, the missing answer.
    func unmet(
        _ conditions: ExpectedConditions,
        _ observation: TripObservation,
        _ occurrence: ExpectationItem.Occurrence
    ) -> [UnmetCondition] {
        let unmet = observation.unmet(conditions, at: occurrence.now)
        let lacksAnswer = !isAnswered && unmet.isEmpty && conditions.sources.contains(.answer)
        return lacksAnswer ? [.noAnswer] : unmet
    }

    /// Returns whether enough was seen to know that a condition does not hold.
    func hasSeen(_ condition: UnmetCondition, _ observation: TripObservation) -> Bool {
        switch condition {
        case .unknownTrip, .noCalls, .noAnswer: false
        case _ where observation.isHidden(condition): false
        default: observation.has(condition.source) && (isAnswered || condition.source != .answer)
        }
    }

    /// Returns why conditions that do not hold can't decide it.
    func reason(unseen unmet: [UnmetCondition], _ observation: TripObservation) -> ExpectationResult.Reason {
        if unmet.contains(.noCalls) { return .noCalls }
        if observation.polls == 0, unmet.contains(.unknownTrip) { return .waiting([.unknownTrip]) }
        let lacksAnswer = unmet.contains { $0.source == .answer } && (!isAnswered || !observation.has(.answer))
        return lacksAnswer ? .neverAnswered : .waiting(unmet)
    }
}

/// A condition that does not hold, with the observed value.
package enum UnmetCondition: Sendable, Equatable {
    /// No answer has contained the trip.
    case unknownTrip
    /// The status differs.
    case status(JourneyStatus?, expected: [JourneyStatus])
    /// The status was not reached.
    case notReached(JourneyStatus?, expected: JourneyStatus)
    /// These statuses were seen, in another order or not all of the expected ones.
    case order([JourneyStatus], expected: [JourneyStatus])
    /// The finding was not reported.
    case finding(String)
    /// The last poll failed, or did not.
    case failing(expected: Bool)
    /// The comparison is not true for this value; `nil` if it is unknown.
    case check(MeasureCheck, MeasuredValue?)

    /// The log has no calls of the rider, which the condition is about.
    case noCalls
    /// No poll was answered since the condition is judged.
    case noAnswer

    /// Whether it can't become true any more.
    var isFinal: Bool {
        // A status that was seen too early stays in front of those that were not seen before it.
        if case .order(let seen, let expected) = self { !expected.starts(with: seen) } else { false }
    }

    /// Whether it is not known if it holds.
    var isUnknown: Bool {
        switch self {
        case .unknownTrip, .noCalls, .noAnswer, .check(_, nil): true
        case .status, .notReached, .order, .finding, .failing, .check: false
        }
    }
}
