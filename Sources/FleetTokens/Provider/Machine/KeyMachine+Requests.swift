package import TripModel

/// The events that come from users of the token and from its source.
extension KeyMachine {
    /// Returns the token if it is usable now, and whether the read may have made a fetch due.
    ///
    /// The first read marks the key as in use. A read after the refresh time may come before the timer.
    package mutating func read(at now: Moment) -> (token: BearerToken, needsUpdate: Bool)? {
        guard let token, token.isUsable(at: now) else { return nil }
        let needsUpdate = use != .inUse || token.isRefreshDue(at: now)
        lastUsed = now.steady
        use = .inUse
        return (token, needsUpdate)
    }

    /// Returns whether there is a usable token with this remaining lifetime.
    package func hasToken(validFor span: Duration, at now: Moment) -> Bool {
        token.map { $0.isUsable(at: now) && $0.remaining(at: now) >= span } ?? false
    }

    /// Handles a call for a token with this remaining lifetime.
    package mutating func request(waiter: Int, validFor: Duration, at now: Moment) -> Answer {
        lastUsed = now.steady
        if use == .released { use = .idle }
        if let token, token.isUsable(at: now) {
            use = .inUse
            if hasToken(validFor: validFor, at: now) { return .token(token) }
            // A new fetch would not help: even a new token of this source has a shorter lifetime.
            if token.properties.lifetime < validFor {
                return .fail(.tooShortLived(left: token.remaining(at: now), wanted: validFor))
            }
        }
        if let backoff, now.steady < backoff.until {
            return .fail(backoff.error.retrying(after: backoff.until - now.steady))
        }
        guard waiters.count < policy.waiterLimit else { return .fail(.tooManyWaiters(limit: policy.waiterLimit)) }
        let joined = fetch != nil || !waiters.isEmpty
        waiters[waiter] = Waiter(validFor: validFor, since: now.steady)
        return .wait(joined: joined)
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

    private mutating func endBackoff() {
        guard case .backingOff(_, let previous) = state else { return }
        state = previous.map(State.valid) ?? .empty
    }
}

extension TokenError {
    /// Returns the error with another `retryAfter`.
    func retrying(after delay: Duration) -> TokenError {
        switch self {
        case .missingData(let cause, _): .missingData(cause, retryAfter: delay)
        case .unavailable(let cause, _): .unavailable(cause, retryAfter: delay)
        case .denied(let status, _): .denied(status: status, retryAfter: delay)
        case .unusable(let fault, _): .unusable(fault, retryAfter: delay)
        case .rejectedByService(let status, _): .rejectedByService(status: status, retryAfter: delay)
        case .noAuthorizationContext, .tooShortLived, .tooManyKeys, .tooManyWaiters, .cancelled, .closed: self
        }
    }
}
