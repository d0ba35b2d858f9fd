package import Failures
import Runtime
import Synchronization
import TripModel

extension TokenProvider {
    /// Stops refreshing a key until the next call for its token; the stored token is returned until it expires.
    public func stopRefreshing(_ context: AuthorizationContext) {
        withState { state in
            guard let slot = state.keys[context] else { return }
            slot.machine.stopRefreshing()
            update(slot, &state)
        }
    }

    /// Removes and overwrites the token of a key, for example after signing out; the next call fetches.
    ///
    /// Waiters get `cancelled`, and a fetch in flight is cancelled.
    public func forget(_ context: AuthorizationContext) {
        withState { state in
            guard let slot = state.keys[context] else { return }
            state.evidence.remove(context)
            perform(slot.machine.forget(), of: slot, &state)
        }
    }

    /// Reports that the service answered 401 or 403, over gRPC UNAUTHENTICATED or PERMISSION_DENIED, to a request with exactly this token.
    ///
    /// The token is removed and a new one is fetched, unless it was already replaced. Retry the request once with a new token. If
    /// that fails, too, or if the token is younger than 10 s and the status is 403, the token's age is not the cause, and no
    /// other one is fetched for 10 s.
    public func reject(_ token: BearerToken, for context: AuthorizationContext, status: AnswerStatus) {
        reject(token, for: context, status: status, injected: nil)
    }

    /// Reports a refusal as above, and the injected fault that has made it in the name of the service.
    package func reject(
        _ token: BearerToken,
        for context: AuthorizationContext,
        status: AnswerStatus,
        injected: InjectedFault?
    ) {
        withState { state in
            guard let slot = state.keys[context] else { return }
            let offset = slot.machine.token?.properties.clockOffset
            guard let action = slot.machine.reject(token, status: status, at: state.now) else {
                state.counters.ignoredRejections += 1
                return
            }
            state.counters.rejections += 1
            let reason = RejectedToken.Reason.service(status: status)
            var rejected = RejectedToken(
                token.revealed,
                for: context,
                reason,
                at: state.now,
                clockOffset: offset,
                isAccessToken: token.properties.isAccessToken,
                until: token.expiresAt
            )
            rejected.injected = injected
            state.evidence.record(TokenEvidence(rejected: rejected), for: context)
            perform(action, of: slot, &state)
        }
    }

    /// Reports whether an answer of the service had the time of the local clock.
    ///
    /// As long as it has, a token source whose clock alone is behind does not prolong its tokens: the local clock judges them,
    /// also those that are stored. When the local clock is set, this is unknown until the next answer.
    package func compareClocks(serviceAgrees: Bool) {
        withState { state in
            let wasKnown = state.serviceAgrees
            state.agreedAt = serviceAgrees ? state.now : nil
            guard serviceAgrees, !wasKnown else { return }
            for slot in state.keys.inOrder() where slot.machine.endByLocalClock() { update(slot, &state) }
        }
    }

    /// Returns the status of a key without counting as a use.
    public func status(of context: AuthorizationContext) -> TokenStatus {
        let now = clock.now()
        return state.withLock { status(of: context, $0, at: now) }
    }

    func status(of context: AuthorizationContext, _ state: borrowing ProviderState, at now: Moment) -> TokenStatus {
        let unknown = TokenStatus(state: state.isClosed ? .closed : .absent, source: source.name)
        var status = state.keys[context]?.machine.status(source: source.name, at: now) ?? unknown
        let evidence = state.evidence[context]
        (status.lastAnswer, status.lastRejected) = (evidence?.answer, evidence?.rejected)
        status.lastExchange = evidence?.exchange
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
