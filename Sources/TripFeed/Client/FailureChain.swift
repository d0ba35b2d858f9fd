import Failures
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
    private var refusal: PollFailure?
    /// Whether there was an answer.
    private var hasAnswer = false
    /// The failures since the last answer.
    private var streak: PollFailure.Streak?

    /// Creates a chain without failures.
    package init() {}

    /// Records an answer, which clears earlier causes.
    package mutating func answered() { (refusal, streak, hasAnswer) = (nil, nil, true) }

    /// Records a failure at a time; returns it with its cause and with what happened before.
    package mutating func linked(_ failure: PollFailure, at time: Date) -> PollFailure {
        var linked = withCause(failure)
        if hasAnswer { linked = linked.followingAnswer() }
        streak = PollFailure.Streak(count: (streak?.count ?? 0) + 1, since: streak?.since ?? time)
        linked.streak = streak
        return linked
    }

    private mutating func withCause(_ failure: PollFailure) -> PollFailure {
        if let error = failure.tokenError, failure.cause == nil {
            // An injected refusal makes a new token necessary, but it does not make the source of tokens fail.
            let cause = refusal.flatMap { $0.injected != nil && error.failure.isOfSource ? nil : $0 }
            return PollFailure.token(error, after: cause).with(failure.exchange, tokens: failure.history.tokens)
        }
        if let answer = failure.answer {
            // Any other answer of the service means that it accepted the token.
            refusal = answer.httpStatus == 401 || answer.httpStatus == 403 ? failure : nil
        }
        return failure
    }
}
