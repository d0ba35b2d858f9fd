/// Conditions on a rider's view of a trip; all of those that are set must be true at the same time.
///
/// Scenarios and the files of `--expect` contain them under `expect`.
package struct ExpectedConditions: Sendable, Equatable {
    /// The trip; `nil` for the first followed one.
    package var trip: TripID?
    /// The accepted statuses; empty for any.
    package var statuses: [TripStatus] = []
    /// The status that the trip must have or have had; `nil` for any.
    package var reached: TripStatus?
    /// The minimum overdue time in seconds.
    package var overdue: Double?
    /// The delay of the drop-off compared to the first forecast, in seconds.
    package var delay: ClosedRange<Double>?
    /// The name of a reported finding.
    package var finding: String?
    /// The minimum age of the vehicle's position in seconds.
    package var positionAge: Double?
    /// The minimum number of other riders' stops before the trip's next stop.
    package var othersAhead: Int?
    /// Whether the last poll failed.
    package var isFailing: Bool?

    /// Creates an empty set of conditions.
    package init() {}
}
