package import Runtime
import TripModel

/// The events that come from users of the token, from its source and from the service.
extension KeyMachine {
    /// Returns the token if it is usable now, and whether the read may have made a fetch due.
    ///
    /// The first read marks the key as in use. A read after the refresh time may come before the timer.
    package mutating func read(at now: Moment) -> (token: BearerToken, needsUpdate: Bool)? {
        guard let token else { return nil }
        // The refresh is due before the deadline, so that nearly all reads compare one time.
        let isRefreshDue = token.isRefreshDue(at: now)
        if isRefreshDue, !token.isUsable(at: now) { return nil }
        let needsUpdate = use != .inUse || isRefreshDue
        lastUsed = now.steady
        use = .inUse
        return (token, needsUpdate)
    }

    /// Returns whether there is a usable token with this remaining lifetime.
    package func hasToken(validFor span: Duration, at now: Moment) -> Bool {
        token.map { $0.isUsable(at: now) && $0.remaining(at: now) >= span } ?? false
    }

    /// Handles a call for a token with this remaining lifetime.
    ///
    /// - Returns: `nil` if the caller was added to the waiters: a fetch is in flight or due.
    package mutating func request(
        waiter: Int,
        validFor: Duration,
        at now: Moment
    ) -> Result<BearerToken, TokenError>? {
        lastUsed = now.steady
        if use == .released { use = .idle }
        if let token, token.isUsable(at: now) {
            use = .inUse
            if hasToken(validFor: validFor, at: now) { return .success(token) }
            // A new fetch would not help: even a new token of this source has a shorter lifetime.
            if token.properties.lifetime < validFor {
                return .failure(.tooShortLived(left: token.remaining(at: now), wanted: validFor))
            }
        }
        if let backoff, now.steady < backoff.until {
            return .failure(backoff.error.retrying(after: backoff.until - now.steady))
        }
        guard waiters.count < policy.waiterLimit else { return .failure(.tooManyWaiters(limit: policy.waiterLimit)) }
        waiters[waiter] = Waiter(validFor: validFor, since: now.steady)
        return nil
    }

    /// Removes a cancelled waiter; the fetch continues for later callers.
    package mutating func cancelWait(_ waiter: Int) { waiters[waiter] = nil }

    /// Records that the user requested a new token; ends any backoff.
    package mutating func refresh(at now: Moment) {
        guard fetch == nil else { return }
        endBackoff()
        demand = demand ?? .requested
        if use == .released { use = .idle }
        lastUsed = now.steady
    }

    /// Records that the source has changed.
    ///
    /// Tokens in use, and those that failed within the longest backoff, are fetched again at once. Other stored tokens are
    /// fetched again on their next read. A fetch in flight may have read the old content, so another one follows it.
    package mutating func sourceChanged(at now: Moment) {
        let isMissed = backoff != nil && now.steady - lastUsed <= policy.maximumRetryAfter
        let isInUse = use == .inUse && (token != nil || backoff != nil)
        if fetch != nil || isMissed || isInUse { demand = demand ?? .requested }
        isOutdated = token != nil || fetch != nil
        endBackoff()
    }

    /// Ends the token by the local clock, with which the service's agrees; returns whether its end changed.
    mutating func endByLocalClock() -> Bool {
        guard let shortened = token?.endedByLocalClock(policy: policy) else { return false }
        switch state {
        case .empty: return false
        case .valid: state = .valid(shortened)
        case .fetching(let fetch, _): state = .fetching(fetch, previous: shortened)
        case .backingOff(let backoff, _): state = .backingOff(backoff, previous: shortened)
        }
        return true
    }

    /// Stops refreshing the token until the next call for it.
    ///
    /// A refresh in flight may complete. A fetch that only the user or a rejection requested is dropped.
    package mutating func stopRefreshing() {
        use = .released
        demand = nil
    }

    /// Removes everything; the generation counter and the minimum spacing continue.
    package mutating func forget() -> Action {
        let action = Action(
            results: waiters.keys.map { ($0, .failure(.cancelled)) },
            events: [.evicted],
            cancelledFetch: fetch?.number
        )
        let generation = generation
        self = KeyMachine(policy: shared, lastStart: lastStart)
        self.generation = generation
        return action
    }

    // MARK: Rejections by the service

    /// Records that the service rejected a token.
    ///
    /// A token that is not the current one is ignored, because it was already replaced. A 401 causes one new token at once: the
    /// source may have had the old one for long. If the token is younger than 10 s and was refused with 403 or replaced such a
    /// token, or after the fourth rejection within a minute, no new fetch is started.
    ///
    /// - Returns: `nil` if the rejection was ignored.
    package mutating func reject(_ rejected: BearerToken, status: AnswerStatus, at now: Moment) -> Action? {
        guard let token, token.generation == rejected.generation, token.fingerprint == rejected.fingerprint
        else { return nil }
        // A fetch in flight started before the rejection and may return the same token.
        let cancelledFetch = fetch?.number
        lastUsed = now.steady
        failures.rejectedFingerprint = token.fingerprint
        failures.forcedFetches.removeAll { $0 <= now.steady - .seconds(60) }
        let isYoung = token.age(at: now) < policy.newTokenAge
        if !isYoung { (failures.youngRejections, failures.hasReplacedYoung) = (0, false) }
        let isInVain = isYoung && (status.httpStatus != 401 || failures.hasReplacedYoung)
        // Only the part of a backoff that the source requested remains.
        if var backoff, let requested = backoff.requestedUntil, requested > now.steady {
            backoff.until = requested
            state = .backingOff(backoff, previous: nil)
        } else {
            state = .empty
        }
        var action = Action()
        if isInVain || failures.forcedFetches.count >= policy.forcedFetchesPerMinute {
            failures.count += 1
            let error = TokenError.rejectedByService(status: status, retryAfter: .zero)
            action = backOff(afterYoungRejection(error, at: now), at: now)
        } else {
            failures.forcedFetches.append(now.steady)
            failures.hasReplacedYoung = isYoung
            demand = .rejected
        }
        action.events.insert(.rejected(status: status), at: 0)
        action.cancelledFetch = cancelledFetch
        return action
    }

    /// Returns a backoff of 10, 20, 40, 60 s: the rejection of a new token indicates wrong clocks or permissions.
    mutating func afterYoungRejection(_ error: TokenError, at now: Moment) -> Backoff {
        defer { failures.youngRejections += 1 }
        let wait = doubled(.seconds(10), times: failures.youngRejections, limit: policy.maximumBackoff)
        return Backoff(until: now.steady + wait, error: error)
    }

    private mutating func endBackoff() {
        if backoff != nil { state = State(token) }
    }
}
