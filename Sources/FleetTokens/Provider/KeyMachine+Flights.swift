import Foundation
package import TripModel

/// Why a flight brought nothing.
package enum FlightFailure: Error, Sendable, Equatable {
    /// The source said so.
    case source(TokenSourceError)
    /// What it handed out may not be used.
    case fault(TokenFault)

    /// Whether nobody was reached.
    var isOutage: Bool {
        switch self {
        case .source(.unreachable), .source(.timedOut): true
        case .source, .fault: false
        }
    }
}

extension KeyMachine {
    /// Takes in the end of a flight.
    ///
    /// - Parameters:
    ///   - number: Which flight.
    ///   - result: What it brought, already judged.
    ///   - duration: How long it took, in real time.
    ///   - chance: A number 0 ..< 1 that spreads refreshes and retries.
    ///   - now: The time.
    /// - Returns: Who gets what, and what to tell.
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
            // The source has a cache of its own, or signs the same claims again: what was refused will be refused.
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

    /// Takes in that a flight has taken too long; whatever it still brings is dropped.
    package mutating func timedOut(chance: Double, at now: Moment) -> Release {
        guard let flight else { return Release() }
        self.flight = nil
        var release = failed(.source(.timedOut), chance: chance, at: now)
        release.abandoned = flight.number
        return release
    }

    /// Takes in that the source has handed out the token that is held: it caches, and has no other yet.
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

    /// Forgets the failures before a success.
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
        // A token that followed no refusal shows that the trouble of new-born tokens is over.
        if rejectedFingerprint == nil { youngRejections = 0 }
        rejectedFingerprint = nil
        wasRead = false
        return release(waitersWith: stored, event: .stored(generation: generation), at: now)
    }

    /// Gives a token to the callers that waited, as far as it lasts long enough for them.
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

    /// Equal jitter: between a half and the whole of 1, 2, 4, … 60 s; never past a quarter of what the token still has.
    ///
    /// Outages are counted apart, so that a source is not left alone for long when it is back and not yet ready.
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

    /// Begins a silence and tells everybody who waited, all with the same error.
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
        // Who has read a token that is over now does not wait for another; only a lease or a caller does.
        if token?.isUsable(at: now) != true { wasRead = false }
        let release = Release(
            outcomes: waiters.keys.map { ($0, .failure(silence.error)) },
            events: [.failed(silence.error)]
        )
        waiters = [:]
        return release
    }

    // MARK: Refusals by the service

    /// Takes in that the service refused a token.
    ///
    /// A token that is not the current one is ignored: somebody has replaced it already. A refusal of a token younger
    /// than ten seconds, or the fourth within a minute, is not answered by another fetch.
    ///
    /// - Returns: `nil` if it was ignored.
    package mutating func reject(_ bearer: BearerToken, status: Int, at now: Moment) -> Release? {
        guard let token, token.bearer.generation == bearer.generation, token.bearer.fingerprint == bearer.fingerprint
        else { return nil }
        self.token = nil
        lastUsed = now.steady
        rejectedFingerprint = bearer.fingerprint
        // What is in the air was asked for while the refused token was good; it may be the same one.
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
            // Of the silence only what the source has asked for is left.
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

    /// 10, 20, 40, 60 s: a token refused at birth is a matter of clocks or permissions.
    private mutating func youngRejection(_ error: TokenError, at now: Moment) -> Backoff {
        defer { youngRejections += 1 }
        let wait = doubled(.seconds(10), times: youngRejections, limit: policy.longestBackoff)
        return Backoff(until: now.steady + wait, error: error)
    }
}
