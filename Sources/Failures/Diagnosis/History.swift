/// What is known about earlier attempts of the same step with the same settings.
package struct History: Sendable, Hashable {
    /// The number of tokens that the source has returned for the same trip or vehicle.
    package var tokens: Int
    /// Whether the service has answered for the same trip or project.
    package var hasAnswer: Bool

    package init(tokens: Int = 0, hasAnswer: Bool = false) {
        (self.tokens, self.hasAnswer) = (tokens, hasAnswer)
    }
}
