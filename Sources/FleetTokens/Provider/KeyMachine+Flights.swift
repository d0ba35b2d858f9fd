import Foundation
package import TripModel

/// The reason why a fetch returned no token.
package enum FlightFailure: Error, Sendable, Equatable {
    /// An error of the source.
    case source(TokenSourceError)
    /// The token is not usable.
    case fault(TokenFault)

    /// Whether the source was unreachable.
    var isOutage: Bool {
        switch self {
        case .source(.unreachable), .source(.timedOut): true
        case .source, .fault: false
        }
    }
}

extension KeyMachine {
    /// Records the end of a fetch.
    ///
    /// - Parameters:
    ///   - number: The number of the fetch.
    ///   - result: Its validated result.
    ///   - duration: Its duration in real time.
    ///   - chance: A random number 0 ..< 1, the jitter of refreshes and retries.
    ///   - now: The time.
    /// - Returns: The results for the waiters, and the events.
    package mutating func landed(
        number: Int,
        result: Result<AdmittedToken, FlightFailure>,
        duration: Duration,
        chance: Double,
        at now: Moment
    ) -> Release {
        guard flight?.number == number else {
            guard case .success = result else { return Release() }
            return Release(events: [.discardedLate])
        }
        flight = nil
        lastFetchDuration = duration
        switch result {
        case .success(let admitted) where admitted.fingerprint == rejectedFingerprint:
            // The source has its own cache, or signs the same claims again: the token would be refused again.
            failures += 1
            return silence(youngRejection(.unusable(.sameTokenAgain, retryAfter: .zero), at: now), at: now)
        case .success(let admitted) where admitted.fingerprint == token?.bearer.fingerprint:
            return repeated(admitted, at: now)
        case .success(let admitted):
            let stored = StoredToken(admitted, generation: generation + 1, policy: policy, chance: chance)
            guard stored.isUsable(at: now) else {
                let fault = TokenFault.tooShort(left: stored.remaining(at: now))
                return failed(.fault(fault), chance: chance, at: now)
            }
            return store(stored, at: now)
        case .failure(let failure): return failed(failure, chance: chance, at: now)
        }
    }

    /// Records the timeout of a fetch; its result is ignored from now on.
    package mutating func timedOut(chance: Double, at now: Moment) -> Release {
        guard let flight else { return Release() }
        self.flight = nil
        var release = failed(.source(.timedOut), chance: chance, at: now)
        release.abandoned = flight.number
        return release
    }

    /// Records that the source returned the stored token again, because it caches and has no newer one.
    private mutating func repeated(_ admitted: AdmittedToken, at now: Moment) -> Release {
        guard let held = token else { return Release() }
        let stored = StoredToken(repeating: held, admitted, policy: policy)
        token = stored
        guard stored.isUsable(at: now) else {
            let left = max(.zero, stored.remaining(at: now))
            return failed(.fault(.nearlyOver(left: left, lifetime: stored.lifetime)), chance: 1, at: now)
        }
        succeeded()
        return release(waitersWith: stored, event: .repeated(endsAt: stored.bearer.expiresAt ?? now.wall), at: now)
    }

    /// Resets the failure counters after a success.
    private mutating func succeeded() {
        failures = 0
        outages = 0
        denials = 0
        backoff = nil
        lastError = nil
    }

    private mutating func store(_ stored: StoredToken, at now: Moment) -> Release {
        token = stored
        generation += 1
        succeeded()
        // This token did not follow a refusal, so refusals of new tokens have ended.
        if rejectedFingerprint == nil { youngRejections = 0 }
        rejectedFingerprint = nil
        wasRead = false
        return release(waitersWith: stored, event: .stored(generation: generation), at: now)
    }

    /// Returns the token to the waiters, except those that require a longer lifetime.
    private mutating func release(
        waitersWith stored: StoredToken,
        event: TokenEvent.Kind,
        at now: Moment
    ) -> Release {
        var release = Release(events: [event])
        for (id, waiter) in waiters {
            let left = stored.remaining(at: now)
            let isEnough = left >= waiter.validFor
            let short = TokenError.tooShortLived(left: left, wanted: waiter.validFor)
            release.outcomes.append((id, isEnough ? .success(stored.bearer) : .failure(short)))
        }
        waiters = [:]
        return release
    }

    private mutating func failed(_ failure: FlightFailure, chance: Double, at now: Moment) -> Release {
        failures += 1
        if failure.isOutage { outages += 1 }
        let jittered = delay(isOutage: failure.isOutage, chance: chance, at: now)
        var wait = jittered
        var ordered: Duration?
        let error: TokenError
        switch failure {
        case .fault(let fault): error = .unusable(fault, retryAfter: .zero)
        case .source(.refusedStatus(let status, let retryAfter)) where [403, 404, 410].contains(status):
            denials += 1
            wait = doubled(policy.firstDenial, times: denials - 1, limit: policy.longestRetryAfter)
            wait = max(wait, min(retryAfter ?? .zero, policy.longestRetryAfter))
            ordered = retryAfter
            error = .denied(status: status, retryAfter: .zero)
        case .source(let cause):
            if case .refusedStatus(_, let retryAfter?) = cause {
                wait = max(wait, min(retryAfter, policy.longestRetryAfter))
                ordered = retryAfter
            }
            error =
                cause.isMissingData
                ? .missingData(cause, retryAfter: .zero) : .unavailable(cause, retryAfter: .zero)
        }
        let orderedUntil = ordered.map { now.steady + min($0, policy.longestRetryAfter) }
        return silence(Backoff(until: now.steady + wait, error: error, orderedUntil: orderedUntil), at: now)
    }

    /// Returns the backoff with equal jitter: between half and all of 1, 2, 4, … 60 s.
    ///
    /// It is at most a quarter of the token's remaining lifetime. Outages are counted separately, so that a source that is back
    /// but not yet ready is retried soon.
    private func delay(isOutage: Bool, chance: Double, at now: Moment) -> Duration {
        let times = isOutage ? outages : failures - outages
        let limit = isOutage ? policy.longestOutageBackoff : policy.longestBackoff
        var whole = doubled(policy.firstBackoff, times: times - 1, limit: limit)
        if let token, token.isUsable(at: now) {
            let byWall = Duration(clampedSeconds: token.deadline.wall.timeIntervalSince(now.wall))
            let left = min(token.deadline.steady - now.steady, byWall)
            whole = min(whole, max(left / 4, policy.minimumSpacing))
        }
        return whole / 2 + whole * (chance / 2)
    }

    private func doubled(_ first: Duration, times: Int, limit: Duration) -> Duration {
        min(first * (1 << min(max(times, 0), 20)), limit)
    }

    /// Starts a backoff; all waiters get the same error.
    private mutating func silence(_ silence: Backoff, at now: Moment) -> Release {
        var silence = silence
        if let lastStart { silence.until = max(silence.until, lastStart + policy.minimumSpacing) }
        if let ordered = backoff?.orderedUntil {
            silence.until = max(silence.until, ordered)
            silence.orderedUntil = ordered
        }
        silence.error = silence.error.retrying(after: silence.until - now.steady)
        backoff = silence
        lastError = silence.error
        // After the token's expiry, a former reader does not count as a user; only a lease or a waiter does.
        if token?.isUsable(at: now) != true { wasRead = false }
        let release = Release(
            outcomes: waiters.keys.map { ($0, .failure(silence.error)) },
            events: [.failed(silence.error)]
        )
        waiters = [:]
        return release
    }

    // MARK: Refusals by the service

    /// Records that the service refused a token.
    ///
    /// A token that is not the current one is ignored, because it was already replaced. If the token is younger than 10 s, or
    /// after the fourth refusal within a minute, no new fetch is started.
    ///
    /// - Returns: `nil` if the refusal was ignored.
    package mutating func reject(_ bearer: BearerToken, status: Int, at now: Moment) -> Release? {
        guard let token, token.bearer.generation == bearer.generation, token.bearer.fingerprint == bearer.fingerprint
        else { return nil }
        self.token = nil
        lastUsed = now.steady
        rejectedFingerprint = bearer.fingerprint
        // A fetch in flight started before the refusal and may return the same token.
        let abandoned = flight?.number
        flight = nil
        forcedAt.removeAll { $0 <= now.steady - .seconds(60) }
        let isYoung = token.age(at: now) < policy.youngAge
        if !isYoung { youngRejections = 0 }
        var release: Release
        if isYoung || forcedAt.count >= policy.forcedFlightsPerMinute {
            let error = TokenError.rejectedByService(status: status, retryAfter: .zero)
            failures += 1
            release = silence(youngRejection(error, at: now), at: now)
        } else {
            forcedAt.append(now.steady)
            isForced = true
            // Of the backoff, only the wait requested by the source remains.
            if let ordered = backoff?.orderedUntil, ordered > now.steady {
                backoff?.until = ordered
            } else {
                backoff = nil
            }
            release = Release()
        }
        release.events.insert(.rejected(status: status), at: 0)
        release.abandoned = abandoned
        return release
    }

    /// Returns a backoff of 10, 20, 40, 60 s: the refusal of a new token indicates wrong clocks or permissions.
    private mutating func youngRejection(_ error: TokenError, at now: Moment) -> Backoff {
        defer { youngRejections += 1 }
        let wait = doubled(.seconds(10), times: youngRejections, limit: policy.longestBackoff)
        return Backoff(until: now.steady + wait, error: error)
    }
}
