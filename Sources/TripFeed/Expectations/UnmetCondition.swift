package import TripModel

/// A condition that does not hold, with the observed value.
package enum UnmetCondition: Sendable, Equatable {
    /// No answer has contained the trip.
    case unknownTrip
    /// The status is another one.
    case status(TripStatus?, expected: [TripStatus])
    /// The status was not reached.
    case notReached(TripStatus?, expected: TripStatus)
    /// The vehicle is less late, in seconds; `nil` if it is not late.
    case overdue(Double?, expected: Double)
    /// The position is younger, in seconds; `nil` without a position.
    case positionAge(Double?, expected: Double)
    /// The drop-off is earlier or later, in seconds compared with its first estimate; `nil` if one of them is unknown.
    case delay(Double?, expected: ClosedRange<Double>)
    /// The finding was not reported.
    case finding(String)
    /// Fewer stops of other riders come before the trip's next one.
    case othersAhead(Int, expected: Int)
    /// The last poll failed, or did not.
    case failing(expected: Bool)
}
