package import TripModel

/// Decides everything about the token of one key; never waits, never calls, knows no lock.
///
/// ```
///            ask ─▶ .token | .wait | .fail          want ─▶ a fetch is due now (or nil)
///                                                   due  ─▶ when to look again (or nil)
///   begin ─▶ in flight ─▶ landed / timed out ─▶ who gets what
///                 ▲
///   reject, refresh, leases, cancelled waits change what is wanted
/// ```
package struct KeyMachine: Sendable {
    /// What a caller gets.
    package enum Answer: Sendable {
        /// A token, at once.
        case token(BearerToken)
        /// It waits for the flight that is under way or wanted; the waiter is listed.
        case wait(joined: Bool)
        /// An error, at once and without a fetch.
        case fail(TokenError)
    }

    /// A fetch in the air.
    package struct Flight: Sendable, Equatable {
        /// The provider's number for it.
        package var number: Int
        /// When it began.
        package var startedAt: Moment
        /// Why.
        package var reason: FetchReason
        /// When it is given up, by the steady clock.
        package var timeoutAt: Duration
    }

    /// A silence after a failure.
    package struct Backoff: Sendable, Equatable {
        /// Its end, by the steady clock.
        package var until: Duration
        /// What callers without a token are told; its `retryAfter` is made afresh for each.
        package var error: TokenError
        /// Until when the source has asked to be left alone (`Retry-After`): not even a refusal by the service cuts that short.
        package var orderedUntil: Duration?
    }

    /// A caller that waits.
    package struct Waiter: Sendable, Equatable {
        /// How long the token has to last for it.
        package var validFor: Duration
        /// Since when it waits, by the steady clock.
        package var since: Duration
    }

    /// What becomes of the callers that waited.
    package struct Release: Sendable {
        /// One waiter and what it gets.
        package var outcomes: [(waiter: Int, result: Result<BearerToken, TokenError>)] = []
        /// What happened, for the stream of events.
        package var events: [TokenEvent.Kind] = []
        /// A flight that nobody wants any more and that is to be cancelled.
        package var abandoned: Int?
    }

    private let shared: SharedPolicy
    /// When anybody asked last whom the machine itself answered, by the steady clock; see `ProviderState.Place`.
    package internal(set) var lastUsed: Duration = .zero
    /// Whether the token was read since it was stored.
    package internal(set) var wasRead = false
    /// Whether nobody needs its next token, and nobody has asked since.
    package private(set) var isResting = false
    package internal(set) var token: StoredToken?
    package internal(set) var flight: Flight?
    package internal(set) var backoff: Backoff?
    package internal(set) var generation = 0
    package internal(set) var waiters: [Int: Waiter] = [:]
    /// How many leases hold the key.
    package internal(set) var pins = 0
    package internal(set) var fetches = 0
    package internal(set) var failures = 0
    package internal(set) var lastError: TokenError?
    package internal(set) var lastFetchDuration: Duration?

    /// When the last flight began, by the steady clock.
    var lastStart: Duration?
    /// The service refused a token, and a flight is to bring another.
    var isForced = false
    /// A person wants a new token.
    var isRequested = false
    /// The source has had other tokens since; whoever reads this one next is reason enough for another.
    var isOutdated = false
    var rejectedFingerprint: String?
    var youngRejections = 0
    var forcedAt: [Duration] = []
    var denials = 0
    /// How many of the failures in a row never reached the source.
    var outages = 0

    /// A key of which nothing is known but when a fetch of it began last, if one has.
    package init(policy: SharedPolicy, lastStart: Duration? = nil) {
        shared = policy
        self.lastStart = lastStart
    }

    package var policy: TokenPolicy { shared.policy }

    /// Whether somebody uses the key, so that its token is refreshed ahead.
    package var isInUse: Bool { pins > 0 || wasRead }

    /// Whether somebody holds the key or waits for its token.
    package var isHeld: Bool { pins > 0 || !waiters.isEmpty }

    /// Whether the key may be forgotten without anybody noticing.
    package var isIdle: Bool { !isHeld && flight == nil }

    /// Whether it is remembered that there was trouble, so that the next fetch is another one than the first.
    package var isTroubled: Bool { backoff != nil || rejectedFingerprint != nil }

    /// Whether a fetch is wanted whoever uses the key.
    package var isDemanded: Bool { isForced || isRequested }

    /// Whether nothing was ever asked of the key, or all of it is forgotten.
    private var isUnknown: Bool { token == nil && flight == nil && waiters.isEmpty && !isTroubled && !isDemanded }

    /// Whether the key is as good as none: nothing is held, remembered or wanted, and the least spacing is kept without it.
    package func isBlank(at now: Moment) -> Bool {
        pins == 0 && isUnknown && lastStart.map { now.steady >= $0 + policy.minimumSpacing } ?? true
    }

    // MARK: Asking

    /// The token, if it may be handed out now.
    package mutating func read(at now: Moment) -> BearerToken? { hit(at: now)?.token }

    /// The hit: the token, if it may be handed out now, and whether the key wants a look because of it.
    ///
    /// The first read makes it a key in use; a read past the refresh time finds what the sleeping task has not yet.
    package mutating func hit(at now: Moment) -> (token: BearerToken, wantsLook: Bool)? {
        // Only what is looked at is copied out of the stored token.
        guard let deadline = token?.deadline, !StoredToken.isPast(deadline, at: now), let bearer = token?.bearer,
            let refresh = token?.refresh
        else { return nil }
        let wantsLook = !wasRead || StoredToken.isPast(refresh, at: now)
        lastUsed = now.steady
        wasRead = true
        isResting = false
        return (bearer, wantsLook)
    }

    /// Whether there is a token that lasts so long.
    package func lasts(_ span: Duration, at now: Moment) -> Bool {
        token.map { $0.isUsable(at: now) && $0.remaining(at: now) >= span } ?? false
    }

    /// Takes in a caller that wants a token lasting so long.
    package mutating func ask(waiter: Int, validFor: Duration, at now: Moment) -> Answer {
        lastUsed = now.steady
        isResting = false
        if let token, token.isUsable(at: now) {
            wasRead = true
            if lasts(validFor, at: now) { return .token(token.bearer) }
            // No token of this source lasts that long, however early it came; another fetch would not change it.
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

    /// What a caller is told during a silence.
    private func failFast(at now: Moment) -> TokenError? {
        guard let backoff, now.steady < backoff.until else { return nil }
        return backoff.error.retrying(after: backoff.until - now.steady)
    }

    /// Takes out a caller that was cancelled; the flight goes on for whoever comes next.
    ///
    /// - Returns: Whether it still waited.
    package mutating func cancelWait(_ waiter: Int) -> Bool { waiters.removeValue(forKey: waiter) != nil }

    /// Takes in that a person wants a new token; it ends every silence.
    package mutating func refresh(at now: Moment) {
        guard flight == nil else { return }
        backoff = nil
        isRequested = true
        isResting = false
        lastUsed = now.steady
    }

    /// Takes in that the source has other tokens than before: what is in use, or was missed no longer ago than the longest
    /// silence, is asked for anew, and all else that is held when it is read.
    ///
    /// A fetch in the air may have read the old one, so that another follows it.
    package mutating func sourceChanged(at now: Moment) {
        let isMissed = backoff != nil && now.steady - lastUsed <= policy.longestRetryAfter
        if flight != nil || isMissed || (isInUse && (token != nil || backoff != nil)) { isRequested = true }
        isOutdated = token != nil || flight != nil
        backoff = nil
    }

    /// Takes in that whoever read the token needs no other: it is not refreshed before somebody asks again.
    ///
    /// A refresh that is in the air is let land; one that only a person or a refusal asked for is dropped.
    package mutating func rest() {
        wasRead = false
        isRequested = false
        isForced = false
        isResting = true
    }

    /// Drops all that is known but who holds the key; its tokens are counted on.
    package mutating func forget() -> Release {
        let release = Release(
            outcomes: waiters.keys.map { ($0, .failure(.cancelled)) },
            events: [.evicted],
            abandoned: flight?.number
        )
        var blank = KeyMachine(policy: shared, lastStart: lastStart)
        blank.pins = pins
        blank.generation = generation
        // Whoever holds the key wants the next one, as before.
        blank.isRequested = pins > 0 && !isUnknown
        self = blank
        return release
    }

    /// Adds or takes away a lease.
    package mutating func pin(by count: Int) { pins += count }

    // MARK: Wanting

    /// Whether a fetch is due now, and why.
    package func want(at now: Moment) -> FetchReason? {
        guard flight == nil else { return nil }
        if let lastStart, now.steady < lastStart + policy.minimumSpacing { return nil }
        if let ordered = backoff?.orderedUntil, now.steady < ordered { return nil }
        if isForced { return .rejected }
        if isRequested { return .requested }
        if !waiters.isEmpty { return failures > 0 ? .retry : .needed }
        guard isInUse else { return nil }
        if let backoff {
            // A denial is not tried again behind the user's back once there is nothing left to serve.
            if case .denied = backoff.error, token?.isUsable(at: now) != true { return nil }
            return now.steady >= backoff.until ? .retry : nil
        }
        if let token { return isOutdated || token.isRefreshDue(at: now) ? .ahead : nil }
        return generation > 0 ? .needed : nil
    }

    /// Whether callers wait for the fetch that is due.
    package var isUrgent: Bool { isForced || !waiters.isEmpty }

    /// When to look at the key again, by the steady clock; `nil` if nothing will happen by itself.
    package var due: Duration? {
        // What is in the air has a time of its own: when it is given up.
        guard flight == nil else { return nil }
        var earliest = lastStart.map { $0 + policy.minimumSpacing } ?? lastUsed
        if let ordered = backoff?.orderedUntil { earliest = max(earliest, ordered) }
        if isDemanded || !waiters.isEmpty { return earliest }
        // When a key that was forgotten may go.
        if isUnknown, pins == 0, lastStart != nil { return earliest }
        guard isInUse else { return nil }
        if let backoff {
            if case .denied = backoff.error, backoff.until >= token?.deadline.steady ?? .zero { return nil }
            return max(backoff.until, earliest)
        }
        if let token { return isOutdated ? earliest : max(token.refresh.steady, earliest) }
        return generation > 0 ? earliest : nil
    }

    /// Takes in that a flight begins.
    package mutating func begin(number: Int, reason: FetchReason, timeout: Duration, at now: Moment) {
        flight = Flight(number: number, startedAt: now, reason: reason, timeoutAt: now.steady + timeout)
        lastStart = now.steady
        fetches += 1
        isForced = false
        isRequested = false
        isOutdated = false
        backoff = nil
    }

    /// Where the key stands.
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
    /// The same error with another wait.
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

/// A policy that many keys share: it is several times as large as all else that a key needs.
package final class SharedPolicy: Sendable {
    package let policy: TokenPolicy

    package init(_ policy: TokenPolicy) { self.policy = policy }
}
