package import Failures
import Foundation
package import Runtime
import TripModel

extension KeyMachine {
    /// Records the end of a fetch.
    ///
    /// The duration is in real time. The jitter is a random number 0 ..< 1 that spreads refreshes and retries.
    package mutating func completed(
        number: Int,
        result: Result<BearerToken, Failure>,
        duration: Duration,
        jitter: Double,
        at now: Moment
    ) -> Action {
        guard case .fetching(let fetch, let previous) = state, fetch.number == number else {
            guard case .success = result else { return Action() }
            return Action(events: [.discardedLate])
        }
        state = State(previous)
        lastFetchDuration = duration
        switch result {
        case .success(let token) where token.fingerprint == failures.rejectedFingerprint:
            // The source has its own cache, or signs the same claims again: the token would be rejected again.
            failures.count += 1
            return backOff(afterYoungRejection(.unusable(.tokenSameAgain, retryAfter: .zero), at: now), at: now)
        case .success(let token) where token.fingerprint == previous?.fingerprint:
            let stored = previous?.repeated(by: token, policy: policy) ?? token
            state = .valid(stored)
            guard stored.isUsable(at: now) else {
                let left = max(.zero, stored.remaining(at: now))
                let lifetime = stored.properties.lifetime
                return failed(.tokenNearlyOver(left: left, lifetime: lifetime), jitter: 1, at: now)
            }
            failures.end()
            return deliver(stored, event: .repeated(endsAt: stored.expiresAt), at: now)
        case .success(let token):
            let stored = token.stored(generation: generation + 1, policy: policy, jitter: jitter)
            guard stored.isUsable(at: now) else {
                return failed(.tokenTooShort(left: stored.remaining(at: now)), jitter: jitter, at: now)
            }
            return store(stored, at: now)
        case .failure(let failure): return failed(failure, jitter: jitter, at: now)
        }
    }

    /// Records the timeout of the fetch in flight; its result is ignored from now on.
    package mutating func timedOut(jitter: Double, at now: Moment) -> Action {
        guard case .fetching(let fetch, let previous) = state else { return Action() }
        state = State(previous)
        var action = failed(.sourceTimedOut, jitter: jitter, at: now)
        action.cancelledFetch = fetch.number
        return action
    }

    private mutating func store(_ token: BearerToken, at now: Moment) -> Action {
        state = .valid(token)
        generation += 1
        failures.end()
        // This token did not follow a rejection, so rejections of new tokens have ended.
        if failures.rejectedFingerprint == nil {
            (failures.youngRejections, failures.hasReplacedYoung) = (0, false)
        }
        failures.rejectedFingerprint = nil
        if use == .inUse { use = .idle }
        return deliver(token, event: .stored(generation: Int(generation)), at: now)
    }

    /// Returns the token to the waiters, except those that require a longer lifetime.
    private mutating func deliver(_ token: BearerToken, event: TokenEvent.Kind, at now: Moment) -> Action {
        let left = token.remaining(at: now)
        defer { waiters = [:] }
        return Action(
            results: waiters.map { id, waiter in
                let tooShort = TokenError.tooShortLived(left: left, wanted: waiter.validFor)
                return (id, left >= waiter.validFor ? .success(token) : .failure(tooShort))
            },
            events: [event]
        )
    }

    // MARK: Failures

    private mutating func failed(_ failure: Failure, jitter: Double, at now: Moment) -> Action {
        failures.count += 1
        let error = TokenError(ofFetch: failure)
        let isOutage = failure.retry == .withSource
        if isOutage { failures.outages += 1 }
        var wait = delay(isOutage: isOutage, jitter: jitter, at: now)
        if failure.denialStatus != nil {
            failures.denials += 1
            wait = doubled(policy.firstDenial, times: failures.denials - 1, limit: policy.maximumRetryAfter)
        }
        let requested = failure.retryAfter.map { min($0, policy.maximumRetryAfter) }
        if let requested { wait = max(wait, requested) }
        let until = requested.map { now.steady + $0 }
        return backOff(Backoff(until: now.steady + wait, error: error, requestedUntil: until), at: now)
    }

    /// Returns the backoff with equal jitter: between half and all of 1, 2, 4, … 60 s.
    ///
    /// It is at most a quarter of the token's remaining lifetime. Outages are counted separately, so that a source that is back
    /// but not yet ready is retried soon.
    private func delay(isOutage: Bool, jitter: Double, at now: Moment) -> Duration {
        let times = isOutage ? failures.outages : failures.count - failures.outages
        let limit = isOutage ? policy.maximumOutageBackoff : policy.maximumBackoff
        var whole = doubled(policy.firstBackoff, times: times - 1, limit: limit)
        if let token, token.isUsable(at: now) {
            let byWall = Duration(clampedSeconds: token.deadline.wall.timeIntervalSince(now.wall))
            let left = min(token.deadline.steady - now.steady, byWall)
            whole = min(whole, max(left / 4, policy.minimumSpacing))
        }
        return whole / 2 + whole * (jitter / 2)
    }

    func doubled(_ first: Duration, times: Int, limit: Duration) -> Duration {
        min(first * (1 << min(max(times, 0), 20)), limit)
    }

    /// Starts a backoff; all waiters get the same error.
    mutating func backOff(_ backoff: Backoff, at now: Moment) -> Action {
        var backoff = backoff
        if let lastStart { backoff.until = max(backoff.until, lastStart + policy.minimumSpacing) }
        if let requested = self.backoff?.requestedUntil {
            backoff.until = max(backoff.until, requested)
            backoff.requestedUntil = requested
        }
        backoff.error = backoff.error.retrying(after: backoff.until - now.steady)
        state = .backingOff(backoff, previous: token)
        failures.lastError = backoff.error
        // After the token's expiry, a former reader does not count as a user; only a waiter does.
        if use == .inUse, token?.isUsable(at: now) != true { use = .idle }
        defer { waiters = [:] }
        return Action(results: waiters.keys.map { ($0, .failure(backoff.error)) }, events: [.failed(backoff.error)])
    }
}
