package import Foundation

/// What is known about earlier attempts of the same step with the same settings.
package struct History: Sendable, Equatable {
    /// Failed attempts in a row.
    package struct Streak: Sendable, Equatable {
        /// The number of failed attempts.
        package let count: Int
        /// The end of the first one, by the local clock.
        package let since: Date

        package init(count: Int, since: Date) { (self.count, self.since) = (count, since) }
    }

    /// The number of tokens that the source has returned for the same trip or vehicle.
    package var tokens: Int
    /// Whether the service has answered for the same trip or project.
    package var hasAnswer: Bool
    /// How long the attempts have failed; `nil` if it is unknown.
    package var streak: Streak?
    /// The refusal that made a new token necessary, if there was none; `nil` if the failure itself is the root cause.
    package var refusal: Failure?

    package init(tokens: Int = 0, hasAnswer: Bool = false, refusal: Failure? = nil) {
        (self.tokens, self.hasAnswer, self.refusal) = (tokens, hasAnswer, refusal)
    }
}
