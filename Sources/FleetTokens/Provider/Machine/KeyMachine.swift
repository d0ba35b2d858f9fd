package import TripModel

/// The state machine of one key's token: decides everything, without waiting, calls or locks.
///
/// ```
///                     fetch begins               token stored
///      ┌───────┐ ───────────────────▶ ┌──────────┐ ─────────────▶ ┌───────┐
///      │ empty │                      │ fetching │                │ valid │
///      └───────┘ ◀────┐               └──────────┘ ◀───────────── └───────┘
///          ▲          │ backoff ends    │      ▲    refresh, rejected   │
///          │          │ early           ▼      │                        │
///          │          └────────── ┌────────────┐ ◀──────────────────────┘
///          └── rejected, ──────── │ backingOff │   new token rejected
///              forgotten          └────────────┘
/// ```
///
/// `fetching` and `backingOff` keep the previous token, which callers get while it is usable. Every event is a function that
/// returns what the provider has to do; ``fetchReason(at:)`` and ``nextCheck`` say when a fetch begins.
package struct KeyMachine: Sendable {
    /// The state of the token.
    package enum State: Sendable {
        /// There is no token and no backoff.
        case empty
        /// A fetch is in flight.
        case fetching(Fetch, previous: BearerToken?)
        /// There is a token; it may have expired since.
        case valid(BearerToken)
        /// The last attempt failed. The end of the backoff may have passed.
        case backingOff(Backoff, previous: BearerToken?)
    }

    let shared: SharedPolicy
    package internal(set) var state = State.empty
    package internal(set) var use = Use.idle
    /// The reason of a fetch that is required even if the key is not in use: `rejected` or `requested`.
    package internal(set) var demand: FetchReason?
    /// Whether the source has changed since; the next read of the token triggers a fetch.
    var isOutdated = false
    package internal(set) var waiters: [Int: Waiter] = [:]
    package internal(set) var failures = Failures()
    var rejections = Rejections()
    /// The number of tokens that the key has had.
    package internal(set) var generation = 0
    /// The number of fetches.
    var fetchCount = 0
    /// When the last fetch started, by the steady clock.
    var lastStart: Duration?
    /// The duration of the last completed fetch, in real time.
    var lastFetchDuration: Duration?
    /// The time of the last use, by the steady clock.
    package internal(set) var lastUsed: Duration = .zero

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

    /// Whether the key remembers a failure that affects the next fetch.
    package var hasFailed: Bool { backoff != nil || rejections.fingerprint != nil }

    /// Returns whether the key has nothing worth storing: no token, failure or demand, and the minimum spacing has passed.
    package func isBlank(at now: Moment) -> Bool {
        hasNothingToKeep && lastStart.map { now.steady >= $0 + policy.minimumSpacing } ?? true
    }

    private var hasNothingToKeep: Bool {
        guard case .empty = state else { return false }
        return waiters.isEmpty && !hasFailed && demand == nil
    }

    // MARK: When to fetch

    /// Returns the reason of a fetch that is due now; `nil` if none is due.
    package func fetchReason(at now: Moment) -> FetchReason? {
        if let lastStart, now.steady < lastStart + policy.minimumSpacing { return nil }
        if let requested = backoff?.requestedUntil, now.steady < requested { return nil }
        if case .fetching = state { return nil }
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

    /// When to check the key again, by the steady clock; `nil` if it changes on external events only.
    package var nextCheck: Duration? {
        var earliest = lastStart.map { $0 + policy.minimumSpacing } ?? lastUsed
        if let requested = backoff?.requestedUntil { earliest = max(earliest, requested) }
        // A fetch in flight has its own timeout.
        if case .fetching = state { return nil }
        if demand != nil || !waiters.isEmpty { return earliest }
        // The time at which a forgotten key can be removed.
        if hasNothingToKeep, lastStart != nil { return earliest }
        guard use == .inUse else { return nil }
        switch state {
        case .valid(let token): return isOutdated ? earliest : max(token.refresh.steady, earliest)
        case .backingOff(let backoff, let previous):
            if backoff.isDenial, backoff.until >= previous?.deadline.steady ?? .zero { return nil }
            return max(backoff.until, earliest)
        case .empty, .fetching: return nil
        }
    }

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
}
