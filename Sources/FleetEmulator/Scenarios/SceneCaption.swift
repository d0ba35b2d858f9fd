package import TripModel

/// A caption for viewers, with the conditions that must hold for it to be true.
package struct SceneCaption: Sendable, Equatable {
    /// The sentence, in English where the scenario has it in several languages.
    package var text: String
    /// The sentence by language, such as `zh-Hans`; empty where the scenario has it in one language only.
    ///
    /// The translations of the built-in scenarios are not here, but in `Assets/Strings`.
    package var translations: [String: String]
    /// What must be visible while it is shown; `nil` for nothing in particular.
    package var expectation: Expectation?

    /// A sentence with what belongs to it.
    package init(_ text: String, translations: [String: String] = [:], _ expectation: Expectation? = nil) {
        (self.text, self.translations, self.expectation) = (text, translations, expectation)
    }

    /// What must be visible while a caption is shown.
    package struct Expectation: Sendable, Equatable {
        /// What must be true.
        package var conditions = ExpectedConditions()
        /// The maximum time after the caption until the conditions hold, in seconds.
        package var within = 15.0
        /// Whether the conditions must then hold until the next caption.
        package var isThroughout = false

        /// Creates an empty set of conditions.
        package init() {}

        /// Creates a condition on the status that must hold until the next caption.
        package init(_ statuses: TripStatus...) {
            conditions.statuses = statuses
            isThroughout = true
        }
    }
}
