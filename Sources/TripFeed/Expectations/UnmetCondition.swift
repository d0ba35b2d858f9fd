package import TripModel

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
