package import TripModel

/// A caption for viewers, with the conditions that must hold for it to be true.
package struct SceneCaption: Sendable, Equatable {
    /// The sentence, in English where the scenario has it in several languages.
    package var text: String
    /// The sentence by language, such as `zh-Hans`; empty where the scenario has it in one language only.
    package var translations: [String: String]
    /// What has to be seen while it is shown; `nil` for nothing in particular.
    package var expectation: Expectation?

    /// A sentence with what belongs to it.
    package init(_ text: String, translations: [String: String] = [:], _ expectation: Expectation? = nil) {
        (self.text, self.translations, self.expectation) = (text, translations, expectation)
    }

    /// Conditions on what a rider's client knows of a followed trip; all must hold at the same time.
    package struct Expectation: Sendable, Equatable {
        /// The trip; `nil` for the first followed one.
        package var trip: TripID?
        /// The accepted statuses; empty for any.
        package var statuses: [TripStatus] = []
        /// The minimum overdue time in seconds.
        package var overdue: Double?
        /// The delay of the drop-off compared to the first forecast, in seconds.
        package var delay: ClosedRange<Double>?
        /// The name of an active finding.
        package var finding: String?
        /// The minimum age of the vehicle's position in seconds.
        package var positionAge: Double?
        /// The minimum number of other riders' stops before the trip's next stop.
        package var othersAhead: Int?
        /// Whether the last poll failed.
        package var isFailing: Bool?
        /// The maximum time after the caption until the conditions hold, in seconds.
        package var within = 15.0
        /// Whether the conditions must then hold until the next caption.
        package var isThroughout = false

        /// Creates an empty set of conditions.
        package init() {}

        /// Creates a condition on the status that must hold until the next caption.
        package init(_ statuses: TripStatus...) {
            self.statuses = statuses
            isThroughout = true
        }
    }
}
