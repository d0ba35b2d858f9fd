import TripModel

extension TokenProvider {
    /// Fetches a new token in the background on request of the user.
    ///
    /// It ends a backoff but respects the minimum spacing of fetches. The current token is used meanwhile.
    public func refresh(_ context: AuthorizationContext) {
        withState { state, _, now in
            guard let slot = state.keys.slot(creating: context) else { return }
            slot.machine.refresh(at: now)
            update(slot, &state, at: now)
        }
    }

    /// Fetches all tokens again that are stored or missing, because the source has changed.
    func sourceChanged() {
        withState { state, _, now in
            for slot in state.keys.inOrder() {
                slot.machine.sourceChanged(at: now)
                update(slot, &state, at: now)
            }
        }
    }

    /// Stops refreshing a key until the next call for its token; the stored token is returned until it expires.
    public func stopRefreshing(_ context: AuthorizationContext) {
        withState { state, _, now in
            guard let slot = state.keys[context] else { return }
            slot.machine.stopRefreshing()
            update(slot, &state, at: now)
        }
    }

    /// Removes and overwrites the token of a key, for example after signing out; the next call fetches.
    ///
    /// Waiters get `cancelled`, and a fetch in flight is cancelled.
    public func forget(_ context: AuthorizationContext) {
        withState { state, effects, now in
            guard let slot = state.keys[context] else { return }
            state.evidence.remove(context)
            perform(slot.machine.forget(), of: slot, &state, &effects, at: now)
        }
    }

    /// Reports that the service answered 401 or 403 to a request with exactly this token.
    ///
    /// The token is removed and a new one is fetched, unless it was already replaced or is younger than 10 s. Retry the request
    /// once with a new token. If that fails, too, the token's age is not the cause.
    public func reject(_ token: BearerToken, for context: AuthorizationContext, status: Int) {
        withState { state, effects, now in
            guard let slot = state.keys[context] else { return }
            let offset = slot.machine.token?.properties.clockOffset
            guard let action = slot.machine.reject(token, status: status, at: now) else {
                state.counters.ignoredRejections += 1
                return
            }
            state.counters.rejections += 1
            let reason = RejectedToken.Reason.service(status: status)
            let rejected = RejectedToken(token.revealed, for: context, reason, at: now, clockOffset: offset)
            state.evidence.record(TokenEvidence(rejected: rejected), for: context)
            perform(action, of: slot, &state, &effects, at: now)
        }
    }
}
