import Synchronization
import TripModel

extension TokenProvider {
    /// Returns the status of a key without counting as a use.
    public func status(of context: AuthorizationContext) -> TokenStatus {
        let now = clock.now()
        return state.withLock { state in
            state.isClosed
                ? TokenStatus(state: .closed, source: source.name) : status(of: context, state, at: now)
        }
    }

    func status(of context: AuthorizationContext, _ state: borrowing ProviderState, at now: Moment) -> TokenStatus {
        let known = state.keys[context]?.machine.status(source: source.name, at: now)
        var status = known ?? TokenStatus(source: source.name)
        let evidence = state.evidence[context]
        status.lastAnswer = evidence?.answer
        status.lastRejected = evidence?.rejected
        return status
    }

    /// The counters since the start and the current numbers of keys, fetches and callers; computed over all keys.
    public var counters: TokenCounters {
        let now = clock.now().steady
        return state.withLock { state in
            var counters = state.counters
            counters.evictions = state.keys.evictions
            counters.keys = state.keys.count
            counters.inFlight = state.fetches.count
            let machines = state.keys.all.map(\.machine)
            counters.oldestWaiter = machines.flatMap { $0.waiters.values.map(\.since) }.min().map { now - $0 }
            let refreshes = machines.compactMap { $0.use == .inUse ? $0.token?.refresh.steady : nil }
            counters.nextRefresh = refreshes.min().map { max($0 - now, .zero) }
            return counters
        }
    }
}
