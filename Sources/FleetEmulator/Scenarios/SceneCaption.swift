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
    package var expectation: TripExpectation?

    /// The time until the conditions of a caption must hold, in seconds, unless its scenario says otherwise.
    static let limit = 15.0

    /// A sentence with what belongs to it.
    package init(_ text: String, translations: [String: String] = [:], expectation: TripExpectation? = nil) {
        (self.text, self.translations, self.expectation) = (text, translations, expectation)
    }
}
