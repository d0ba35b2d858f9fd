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

    /// A good answer of the service.
    package struct Answer: Sendable, Equatable {
        /// When it came, by the local clock.
        package let at: Date
        /// The number of the token that it accepted; `nil` if it is unknown.
        package let token: Int?

        package init(at: Date, token: Int?) { (self.at, self.token) = (at, token) }
    }

    /// The number of tokens that the source has returned for the same trip or vehicle.
    package var tokens: Int
    /// Whether the service has answered for the same trip or project.
    package var hasAnswer: Bool
    /// The last good answer of the service for the same trip; `nil` if there was none, or if it is unknown.
    package var lastAnswer: Answer?
    /// How often in a row one good answer has come between two failures of the same kind.
    package var alternations = 0
    /// How long the attempts have failed; `nil` if it is unknown.
    package var streak: Streak?
    /// The refusal that made a new token necessary, if there was none; `nil` if the failure itself is the root cause.
    package var refusal: Failure?

    package init(tokens: Int = 0, hasAnswer: Bool = false, refusal: Failure? = nil) {
        (self.tokens, self.hasAnswer, self.refusal) = (tokens, hasAnswer, refusal)
    }
}
