package import Failures
import FleetTokens
import FleetWire
package import Foundation

/// Links failures to their causes since a trip's last successful answer; without side effects.
///
/// If the service refuses a token (401, 403), the token provider fetches another one. If that fetch fails, the missing token is
/// only a symptom: the refusal is the root cause. If what comes instead of an answer is not from the service, the URL may be
/// wrong, but not after an answer.
package struct FailureChain: Sendable, Equatable {
    /// The refusal that caused the next missing token.
    private var refusal: Failure?
    /// Whether there was an answer.
    private var hasAnswer = false
    /// The failures since the last answer.
    private var streak: History.Streak?

    /// Creates a chain without failures.
    package init() {}

    /// Records an answer, which clears earlier causes.
    package mutating func answered() { (refusal, streak, hasAnswer) = (nil, nil, true) }

    /// Records a failure at a time; returns it with what happened before.
    package mutating func linked(_ failure: Failure, at time: Date) -> Failure {
        streak = History.Streak(count: (streak?.count ?? 0) + 1, since: streak?.since ?? time)
        var history = failure.history
        if hasAnswer { history.hasAnswer = true }
        history.streak = streak
        if failure.isOnlyMissingToken {
            // An injected refusal makes a new token necessary, but it does not make the source of tokens fail.
            history.refusal = refusal.flatMap { $0.injected != nil && failure.isOfSource ? nil : $0 }
        } else if let answer = failure.answer {
            // Any other answer of the service means that it accepted the token.
            refusal = answer.httpStatus == 401 || answer.httpStatus == 403 ? failure : nil
        }
        return failure.with(history)
    }
}
