package import TripModel

/// Decides everything about the token of one key; without waiting, calls or locks.
///
/// ```
///            ask ─▶ .token | .wait | .fail          want ─▶ the reason of a fetch that is due now (or nil)
///                                                   due  ─▶ when to check again (or nil)
///   begin ─▶ in flight ─▶ completed / timed out ─▶ results for the waiters
///                 ▲
///   reject, refresh, leases and cancelled waits change whether a fetch is due
/// ```
package struct KeyMachine: Sendable {
    /// The response to a caller.
    package enum Answer: Sendable {
        /// A cached token.
        case token(BearerToken)
        /// The caller waits for a fetch in flight or due; it was added to the waiters.
        case wait(joined: Bool)
        /// An error without a fetch.
        case fail(TokenError)
    }

    /// A fetch in flight.
    package struct Flight: Sendable, Equatable {
        /// The provider's number of the fetch.
        package var number: Int
        /// When it started.
        package var startedAt: Moment
        /// The reason.
        package var reason: FetchReason
        /// When it times out, by the steady clock.
        package var timeoutAt: Duration
    }

    /// The backoff state after a failed fetch.
    package struct Backoff: Sendable, Equatable {
        /// The end of the backoff, by the steady clock.
        package var until: Duration
        /// The error for callers without a token; its `retryAfter` is updated for each caller.
        package var error: TokenError
        /// The end of the wait that the source requested with `Retry-After`.
        ///
        /// Not even a refusal by the service shortens it.
        package var orderedUntil: Duration?
    }

    /// A waiting caller.
    package struct Waiter: Sendable, Equatable {
        /// The required remaining lifetime of the token.
        package var validFor: Duration
        /// When the wait started, by the steady clock.
        package var since: Duration
    }

    /// The results for waiters after a change.
    package struct Release: Sendable {
        /// The waiters and their results.
        package var outcomes: [(waiter: Int, result: Result<BearerToken, TokenError>)] = []
        /// The events.
        package var events: [TokenEvent.Kind] = []
        /// The number of a fetch that is obsolete and must be cancelled.
        package var abandoned: Int?
    }

    private let shared: SharedPolicy
    /// The time of the last use that the machine handled, by the steady clock; see `ProviderState.Place`.
    package internal(set) var lastUsed: Duration = .zero
    /// Whether the token was read since it was stored.
    package internal(set) var wasRead = false
    /// Whether refreshing is stopped: the last user needs no further token and no call came since.
    package private(set) var isResting = false
    package internal(set) var token: StoredToken?
    package internal(set) var flight: Flight?
    package internal(set) var backoff: Backoff?
    package internal(set) var generation = 0
    package internal(set) var waiters: [Int: Waiter] = [:]
    /// The number of leases on the key.
    package internal(set) var pins = 0
    package internal(set) var fetches = 0
    package internal(set) var failures = 0
    package internal(set) var lastError: TokenError?
    package internal(set) var lastFetchDuration: Duration?

    /// When the last fetch started, by the steady clock.
    var lastStart: Duration?
    /// Whether the service refused a token and a new one must be fetched.
    var isForced = false
    /// Whether the user requested a new token.
    var isRequested = false
    /// Whether the source has changed since; the next read of the token triggers a fetch.
    var isOutdated = false
    var rejectedFingerprint: String?
    var youngRejections = 0
    var forcedAt: [Duration] = []
    var denials = 0
    /// The number of successive failures that did not reach the source.
    var outages = 0

    /// Creates a key; `lastStart` is the start of its last fetch, if known.
    package init(policy: SharedPolicy, lastStart: Duration? = nil) {
        shared = policy
        self.lastStart = lastStart
    }

    package var policy: TokenPolicy { shared.policy }

    /// Whether the key is in use, so that its token is refreshed ahead.
    package var isInUse: Bool { pins > 0 || wasRead }

    /// Whether the key has a lease or waiters.
    package var isHeld: Bool { pins > 0 || !waiters.isEmpty }

    /// Whether the key can be evicted without affecting callers.
    package var isIdle: Bool { !isHeld && flight == nil }

    /// Whether the key stores a failure that affects the next fetch.
    package var isTroubled: Bool { backoff != nil || rejectedFingerprint != nil }

    /// Whether a fetch is required even if the key is not in use.
    package var isDemanded: Bool { isForced || isRequested }

    /// Whether the key has no history.
    private var isUnknown: Bool { token == nil && flight == nil && waiters.isEmpty && !isTroubled && !isDemanded }

    /// Returns whether the key has nothing worth storing: no token, history or demand, and the minimum spacing has passed.
    package func isBlank(at now: Moment) -> Bool {
        pins == 0 && isUnknown && lastStart.map { now.steady >= $0 + policy.minimumSpacing } ?? true
    }

    // MARK: Reading

    /// Returns the token if it is usable now.
    package mutating func read(at now: Moment) -> BearerToken? { hit(at: now)?.token }

    /// Returns the token if it is usable now, and whether the key must be rescheduled because of the read.
    ///
    /// The first read marks the key as in use. A read after the refresh time may come before the timer task.
    package mutating func hit(at now: Moment) -> (token: BearerToken, wantsLook: Bool)? {
        // For speed, copy only the needed fields of the stored token.
        guard let deadline = token?.deadline, !StoredToken.isPast(deadline, at: now), let bearer = token?.bearer,
            let refresh = token?.refresh
        else { return nil }
        let wantsLook = !wasRead || StoredToken.isPast(refresh, at: now)
        lastUsed = now.steady
        wasRead = true
        isResting = false
        return (bearer, wantsLook)
    }

    /// Returns whether there is a token with this remaining lifetime.
    package func lasts(_ span: Duration, at now: Moment) -> Bool {
        token.map { $0.isUsable(at: now) && $0.remaining(at: now) >= span } ?? false
    }

    /// Handles a call for a token with this remaining lifetime.
    package mutating func ask(waiter: Int, validFor: Duration, at now: Moment) -> Answer {
        lastUsed = now.steady
        isResting = false
        if let token, token.isUsable(at: now) {
            wasRead = true
            if lasts(validFor, at: now) { return .token(token.bearer) }
            // A new fetch would not help: even a new token of this source has a shorter lifetime.
            if token.lifetime < validFor {
                return .fail(.tooShortLived(left: token.remaining(at: now), wanted: validFor))
            }
        }
        if flight == nil, let error = failFast(at: now) { return .fail(error) }
        guard waiters.count < policy.waiterLimit else { return .fail(.tooManyWaiters(limit: policy.waiterLimit)) }
        let joined = flight != nil || !waiters.isEmpty
        waiters[waiter] = Waiter(validFor: validFor, since: now.steady)
        return .wait(joined: joined)
    }

    /// Returns the error for callers during a backoff.
    private func failFast(at now: Moment) -> TokenError? {
        guard let backoff, now.steady < backoff.until else { return nil }
        return backoff.error.retrying(after: backoff.until - now.steady)
    }

    /// Removes a cancelled waiter; the fetch continues for later callers.
    ///
    /// - Returns: Whether it was still waiting.
    package mutating func cancelWait(_ waiter: Int) -> Bool { waiters.removeValue(forKey: waiter) != nil }

    /// Records that the user requested a new token; ends any backoff.
    package mutating func refresh(at now: Moment) {
        guard flight == nil else { return }
        backoff = nil
        isRequested = true
        isResting = false
        lastUsed = now.steady
    }

    /// Records that the source has changed.
    ///
    /// Tokens in use, and those that failed within the longest backoff, are fetched again at once. Other stored tokens are
    /// fetched again on their next read.
    ///
    /// A fetch in flight may have read the old content, so another one follows it.
    package mutating func sourceChanged(at now: Moment) {
        let isMissed = backoff != nil && now.steady - lastUsed <= policy.longestRetryAfter
        if flight != nil || isMissed || (isInUse && (token != nil || backoff != nil)) { isRequested = true }
        isOutdated = token != nil || flight != nil
        backoff = nil
    }

    /// Stops refreshing the token until the next call for it.
    ///
    /// A refresh in flight may complete. A fetch that only the user or a refusal requested is dropped.
    package mutating func rest() {
        wasRead = false
        isRequested = false
        isForced = false
        isResting = true
    }

    /// Removes everything except leases; the generation counter continues.
    package mutating func forget() -> Release {
        let release = Release(
            outcomes: waiters.keys.map { ($0, .failure(.cancelled)) },
            events: [.evicted],
            abandoned: flight?.number
        )
        var blank = KeyMachine(policy: shared, lastStart: lastStart)
        blank.pins = pins
        blank.generation = generation
        // Leases need a new token.
        blank.isRequested = pins > 0 && !isUnknown
        self = blank
        return release
    }

    /// Adds or removes leases.
    package mutating func pin(by count: Int) { pins += count }

    // MARK: Fetches

    /// Returns the reason of a fetch that is due now; `nil` if none is due.
    package func want(at now: Moment) -> FetchReason? {
        guard flight == nil else { return nil }
        if let lastStart, now.steady < lastStart + policy.minimumSpacing { return nil }
        if let ordered = backoff?.orderedUntil, now.steady < ordered { return nil }
        if isForced { return .rejected }
        if isRequested { return .requested }
        if !waiters.isEmpty { return failures > 0 ? .retry : .needed }
        guard isInUse else { return nil }
        if let backoff {
            // After a denial, and without a usable token, no fetch starts automatically.
            if case .denied = backoff.error, token?.isUsable(at: now) != true { return nil }
            return now.steady >= backoff.until ? .retry : nil
        }
        if let token { return isOutdated || token.isRefreshDue(at: now) ? .ahead : nil }
        return generation > 0 ? .needed : nil
    }

    /// Whether callers wait for the due fetch.
    package var isUrgent: Bool { isForced || !waiters.isEmpty }

    /// When to check the key again, by the steady clock; `nil` if it changes on external events only.
    package var due: Duration? {
        // A fetch in flight has its own timeout.
        guard flight == nil else { return nil }
        var earliest = lastStart.map { $0 + policy.minimumSpacing } ?? lastUsed
        if let ordered = backoff?.orderedUntil { earliest = max(earliest, ordered) }
        if isDemanded || !waiters.isEmpty { return earliest }
        // The time at which a forgotten key can be removed.
        if isUnknown, pins == 0, lastStart != nil { return earliest }
        guard isInUse else { return nil }
        if let backoff {
            if case .denied = backoff.error, backoff.until >= token?.deadline.steady ?? .zero { return nil }
            return max(backoff.until, earliest)
        }
        if let token { return isOutdated ? earliest : max(token.refresh.steady, earliest) }
        return generation > 0 ? earliest : nil
    }

    /// Records the start of a fetch.
    package mutating func begin(number: Int, reason: FetchReason, timeout: Duration, at now: Moment) {
        flight = Flight(number: number, startedAt: now, reason: reason, timeoutAt: now.steady + timeout)
        lastStart = now.steady
        fetches += 1
        isForced = false
        isRequested = false
        isOutdated = false
        backoff = nil
    }

    /// Returns the state of the key.
    package func state(at now: Moment) -> TokenState {
        let isSilent = backoff.map { now.steady < $0.until } ?? false
        if let token, token.isUsable(at: now) {
            if flight != nil { return .refreshingAhead }
            return backoff != nil ? .stale : .fresh
        }
        if flight?.reason == .rejected || (isForced && !isSilent) { return .invalidated }
        if flight != nil || !waiters.isEmpty { return .fetching }
        if case .denied = backoff?.error { return .denied }
        if isSilent { return .failing }
        if token != nil { return .expired }
        return lastError == nil ? .absent : .failing
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

/// A policy shared by many keys, because it is several times larger than the rest of a key's state.
package final class SharedPolicy: Sendable {
    package let policy: TokenPolicy

    package init(_ policy: TokenPolicy) { self.policy = policy }
}
