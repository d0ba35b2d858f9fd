package import TripModel

/// A sentence of a scenario to people who watch it, and what they must see meanwhile for it to be true.
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

    /// Conditions on what a rider's client knows of a followed trip; all of them have to hold at once.
    package struct Expectation: Sendable, Equatable {
        /// The trip; `nil` for the first that is followed.
        package var trip: TripID?
        /// The statuses that are right; empty for any.
        package var statuses: [TripStatus] = []
        /// By how many seconds it is overdue at least.
        package var overdue: Double?
        /// By how many seconds the drop-off is later than it was expected at first: the bounds.
        package var delay: ClosedRange<Double>?
        /// The name of a finding that there is.
        package var finding: String?
        /// How old the vehicle's position is at least, in seconds.
        package var positionAge: Double?
        /// How many stops of other riders come before the trip's next one at least.
        package var othersAhead: Int?
        /// Whether the last poll failed.
        package var isFailing: Bool?
        /// How soon after the caption it has to hold, in seconds.
        package var within = 15.0
        /// Whether it has to hold from then on until the next caption.
        package var isThroughout = false

        /// No conditions yet.
        package init() {}

        /// A status that is right throughout.
        package init(_ statuses: TripStatus...) {
            self.statuses = statuses
            isThroughout = true
        }
    }
}
