import Foundation
package import Runtime
import TripModel

/// The state machine of one key's token: decides everything, without waiting, calls or locks.
///
/// The article <doc:LifeOfAToken> has a drawing of the states. Every event is a function that returns what the provider has
/// to do; ``fetchReason(at:)`` and ``nextCheck`` say when a fetch begins.
package struct KeyMachine: Sendable {
    /// The state of the token; an idle key stores only the reference of its token.
    package enum State: Sendable {
        /// There is no token and no backoff.
        case empty
        /// A fetch is in flight.
        indirect case fetching(Fetch, previous: BearerToken?)
        /// There is a token; it may have expired since.
        case valid(BearerToken)
        /// The last attempt failed. The end of the backoff may have passed.
        indirect case backingOff(Backoff, previous: BearerToken?)
    }

    let shared: SharedPolicy
    package internal(set) var state = State.empty
    package internal(set) var use = Use.idle
    /// The reason of a fetch that is required even if the key is not in use: `rejected` or `requested`.
    package internal(set) var demand: FetchReason?
    /// Whether the source has changed since; the next read of the token triggers a fetch.
    var isOutdated = false
    private var fetchCount: UInt32 = 0
    /// The time of the last use, by the steady clock.
    package internal(set) var lastUsed: Duration = .zero
    package internal(set) var waiters: [Int: Waiter] = [:]
    @FailureStorage package internal(set) var failures: Failures
    /// The duration of the last completed fetch, in real time.
    var lastFetchDuration: Duration?
    /// When the last fetch started, by the steady clock.
    private(set) var lastStart: Duration?
    /// The number of tokens that the key has had.
    package internal(set) var generation: UInt32 = 0

    /// Creates the machine of a key; `lastStart` is the start of its last fetch, if known.
    package init(policy: SharedPolicy, lastStart: Duration? = nil) {
        shared = policy
        self.lastStart = lastStart
    }

    var policy: TokenPolicy { shared.policy }

    /// The current or previous token.
    package var token: BearerToken? {
        switch state {
        case .empty: nil
        case .valid(let token): token
        case .fetching(_, let previous), .backingOff(_, let previous): previous
        }
    }

    /// The fetch in flight.
    package var fetch: Fetch? { if case .fetching(let fetch, _) = state { fetch } else { nil } }

    /// The backoff.
    package var backoff: Backoff? { if case .backingOff(let backoff, _) = state { backoff } else { nil } }

    /// Whether the key can be evicted without affecting callers.
    package var isEvictable: Bool { waiters.isEmpty && fetch == nil }

    /// Whether the state has a failure that affects the next fetch.
    package var hasFailed: Bool { backoff != nil || failures.rejectedFingerprint != nil }

    /// Returns whether the key has nothing worth storing: no token, failure or demand, and the minimum spacing has passed.
    package func isBlank(at now: Moment) -> Bool { isVacant && now.steady >= earliestStart ?? now.steady }

    private var isVacant: Bool {
        guard case .empty = state else { return false }
        return waiters.isEmpty && !hasFailed && demand == nil
    }

    // MARK: When to fetch

    /// The earliest start of the next fetch, after the minimum spacing and the wait that the source requested.
    private var earliestStart: Duration? {
        guard let spaced = lastStart.map({ $0 + policy.minimumSpacing }) else { return backoff?.requestedUntil }
        return max(spaced, backoff?.requestedUntil ?? spaced)
    }

    /// Returns the reason of a fetch that is due now; `nil` if none is due.
    package func fetchReason(at now: Moment) -> FetchReason? {
        if fetch != nil || now.steady < earliestStart ?? now.steady { return nil }
        if let demand { return demand }
        if !waiters.isEmpty { return failures.count > 0 ? .retry : .needed }
        guard use == .inUse else { return nil }
        switch state {
        case .valid(let token): return isOutdated || token.isRefreshDue(at: now) ? .ahead : nil
        case .backingOff(let backoff, let previous):
            // After a denial, and without a usable token, no fetch starts automatically.
            if backoff.isDenial, previous?.isUsable(at: now) != true { return nil }
            return now.steady >= backoff.until ? .retry : nil
        case .empty, .fetching: return nil
        }
    }

    /// When to check the key again or its fetch times out, by the steady clock; `nil` if it changes on external events only.
    package var nextCheck: Duration? {
        let earliest = earliestStart ?? lastUsed
        if let fetch { return fetch.timeoutAt }
        if demand != nil || !waiters.isEmpty { return earliest }
        // The time at which a forgotten key can be removed.
        if isVacant, lastStart != nil { return earliest }
        guard use == .inUse else { return nil }
        switch state {
        case .valid(let token): return isOutdated ? earliest : max(token.refresh.steady, earliest)
        case .backingOff(let backoff, let previous):
            if backoff.isDenial, backoff.until >= previous?.deadline.steady ?? .zero { return nil }
            return max(backoff.until, earliest)
        case .empty, .fetching: return nil
        }
    }

    /// Returns ``nextCheck`` unless it has passed without a due fetch, which would recur at once in an endless loop.
    func check(after now: Moment) -> Duration? {
        nextCheck.flatMap { $0 > now.steady || fetch != nil ? $0 : nil }
    }

    /// Returns whether a check has something to do.
    func isDue(at now: Moment) -> Bool {
        hasTimedOut(at: now) || fetchReason(at: now) != nil || isBlank(at: now)
    }

    func hasTimedOut(at now: Moment) -> Bool { fetch.map { $0.timeoutAt <= now.steady } ?? false }

    /// Whether callers wait for the due fetch.
    package var isUrgent: Bool { demand == .rejected || !waiters.isEmpty }

    /// Records the start of a fetch.
    package mutating func begin(number: Int, reason: FetchReason, timeout: Duration, at now: Moment) {
        state = .fetching(Fetch(number: number, reason: reason, timeoutAt: now.steady + timeout), previous: token)
        lastStart = now.steady
        fetchCount += 1
        demand = nil
        isOutdated = false
    }

    // MARK: Status

    /// Returns the state of the key for display.
    package func tokenState(at now: Moment) -> TokenState {
        let isBackingOff = backoff.map { now.steady < $0.until } ?? false
        if let token, token.isUsable(at: now) {
            if fetch != nil { return .refreshingAhead }
            return backoff != nil ? .stale : .fresh
        }
        if fetch?.reason == .rejected || (demand == .rejected && !isBackingOff) { return .invalidated }
        if fetch != nil || !waiters.isEmpty { return .fetching }
        if backoff?.isDenial == true { return .denied }
        if isBackingOff { return .failing }
        if token != nil { return .expired }
        return failures.lastError == nil ? .absent : .failing
    }

    /// Returns the status of the key for display.
    package func status(source: String, at now: Moment) -> TokenStatus {
        var status = TokenStatus(state: tokenState(at: now), source: source)
        status.fetches = Int(fetchCount)
        status.failures = failures.count
        status.lastError = failures.lastError
        status.lastFetchDuration = lastFetchDuration
        status.generation = Int(generation)
        let ahead = token?.properties.clockOffset?.seconds ?? 0
        if let token = token?.properties {
            status.clockOffset = token.clockOffset
            status.issuedAt = token.issuedAt
            status.expiresAt = token.expiresAt
            status.usableUntil = token.deadline.wall + ahead
            status.refreshAt = token.refresh.wall + ahead
            status.fingerprint = token.fingerprint
            status.warnings = token.warnings
        }
        if let backoff { status.retryAt = now.wall + (backoff.until - now.steady).seconds + ahead }
        return status
    }
}
