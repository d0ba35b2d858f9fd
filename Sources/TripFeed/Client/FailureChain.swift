package import Failures
import FleetTokens
package import Foundation

/// Links failures to their causes since a trip's last successful answer; without side effects.
///
/// If the service refuses a token (401, 403), the token provider fetches another one. If that fetch fails, the missing token is
/// only a symptom: the refusal is the root cause. If what comes instead of an answer is not from the service, the URL may be
/// wrong, but not after an answer.
package struct FailureChain: Sendable, Equatable {
    /// The refusal that caused the next missing token.
    private var refusal: Failure?
    /// The last answer; `nil` before.
    private var lastAnswer: History.Answer?
    /// How failures and answers take turns.
    private var turns = FailureTurns()
    /// The failures since the last answer.
    private var streak: History.Streak?

    /// Creates a chain without failures.
    package init() {}

    /// Records an answer at a time, for which a token was accepted; it clears earlier causes.
    package mutating func answered(at time: Date, token: Int?) {
        lastAnswer = History.Answer(at: time, token: token)
        turns.answered()
        (refusal, streak) = (nil, nil)
    }

    /// Records a failure at a time; returns it with what happened before.
    package mutating func linked(_ failure: Failure, at time: Date) -> Failure {
        streak = History.Streak(count: (streak?.count ?? 0) + 1, since: streak?.since ?? time)
        var history = failure.history
        if lastAnswer != nil { history.hasAnswer = true }
        (history.lastAnswer, history.streak) = (lastAnswer, streak)
        history.alternations = turns.failed(failure)
        if failure.isOnlyMissingToken {
            // An injected refusal makes a new token necessary, but it does not make the source of tokens fail.
            history.refusal = refusal.flatMap { $0.injected != nil && failure.isOfSource ? nil : $0 }
        } else if let answer = failure.answer {
            // Any other answer of the service means that it accepted the token.
            refusal = answer.httpStatus == 401 || answer.httpStatus == 403 ? failure.with(history) : nil
        }
        return failure.with(history)
    }
}

/// How failures and answers take turns.
private struct FailureTurns: Equatable {
    /// The kind of the last failure; `nil` before.
    private var kind: String?
    /// The number of answers since then.
    private var answers = 0
    /// The number of successive failures of this kind, each after one good answer since the previous failure.
    private var count = 0

    mutating func answered() { answers += 1 }

    /// Records a failure; returns how often in a row one answer has come between two failures of its kind.
    mutating func failed(_ failure: Failure) -> Int {
        // An injected fault alternates with answers because its settings say so.
        let new = failure.injected == nil ? failure.nameInJSON : nil
        count = new != nil && new == kind && answers == 1 ? count + 1 : 0
        (kind, answers) = (new, 0)
        return count
    }
}
