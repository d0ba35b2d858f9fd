/// Conditions on a rider's view of a trip; all of those that are set must be true at the same time.
///
/// Scenarios and the files of `--expect` contain them under `expect`.
package struct ExpectedConditions: Sendable, Equatable {
    /// The journey; `nil` for the first followed one.
    package var journey: JourneyID?
    /// The accepted statuses; empty for any.
    package var statuses: [JourneyStatus] = []
    /// The status that the trip must have or have had; `nil` for any.
    package var reached: JourneyStatus?
    /// The statuses that must have been seen in this order; empty for any.
    package var order: [JourneyStatus] = []
    /// The name of a reported finding.
    package var finding: String?
    /// Whether the last poll failed.
    package var isFailing: Bool?
    /// The comparisons of measured values.
    package var checks: [MeasureCheck] = []

    /// Creates an empty set of conditions.
    package init() {}
}
