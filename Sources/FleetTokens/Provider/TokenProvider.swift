import Failures
import Runtime
import Synchronization
import TripModel

/// Provides tokens, with one cache entry per trip or vehicle.
///
/// Concurrent calls share one fetch. A token is refreshed before its expiry, retained while a refresh fails, and removed when the
/// service rejects it.
///
/// ``KeyMachine`` makes each decision within one lock hold, and this class performs it. It is not an actor, because a cached
/// token must be available without suspending. Its tasks do not retain it; ``close()`` or the release of the last reference
/// ends everything.
public final class TokenProvider: Sendable {
    let source: any TokenSource
    let clock: any TripClock
    let admission: TokenAdmission
    let state: Locked<ProviderState>

    /// Creates a provider over a source, with the machine's clocks.
    ///
    /// - Parameters:
    ///   - source: Where the tokens come from.
    ///   - policy: When tokens are fetched, and how many are stored.
    ///   - expectations: Which tokens are accepted.
    public convenience init(
        source: any TokenSource,
        policy: TokenPolicy = .standard,
        expectations: TokenExpectations = TokenExpectations()
    ) {
        self.init(
            source: source,
            clock: SystemClock(),
            policy: policy,
            expectations: expectations,
            seed: .random(in: 0...UInt64.max)
        )
    }

    /// Creates a provider over a source and a clock.
    ///
    /// The seed determines the jitter of refreshes and retries. Processes that follow the same trips need different seeds.
    package init(
        source: any TokenSource,
        clock: any TripClock,
        policy: TokenPolicy = .standard,
        expectations: TokenExpectations = TokenExpectations(),
        seed: UInt64
    ) {
        self.source = source
        self.clock = clock
        admission = TokenAdmission(expectations: expectations, policy: policy)
        state = Locked(ProviderState(policy: policy, seed: seed, startedAt: clock.now()))
        if let changes = source.changes() {
            // The task ends with the provider, in `close()` or `deinit`.
            let observer = Task.detached { [weak self] in
                for await _ in changes { self?.sourceChanged() }
            }
            state.withLock { $0.sourceObserver = observer }
        }
    }

    deinit {
        let effects = state.withLock { $0.close() }
        effects.perform()
    }

    // MARK: Tokens

    /// Returns the token of a key if it is usable now; never fetches or suspends, counts as a use.
    public func cached(for context: AuthorizationContext) -> BearerToken? {
        let now = clock.now()
        return state.withLock { state in
            guard let slot = state.keys[context], let (token, needsUpdate) = slot.machine.read(at: now) else {
                return nil
            }
            state.counters.hits += 1
            if needsUpdate {
                if slot.machine.failures.count > 0, token.isRefreshDue(at: now) { state.counters.staleServed += 1 }
                state.now = now
                update(slot, &state)
            }
            return token
        }
    }

    /// Returns the token of a key without counting as a use, so that it does not cause refreshes.
    public func peek(at context: AuthorizationContext) -> BearerToken? {
        let now = clock.now()
        return state.withLock { state in
            guard let token = state.keys[context]?.machine.token, token.isUsable(at: now) else { return nil }
            return token
        }
    }

    /// Returns a token with a remaining lifetime of at least 30 s (or a twentieth of its lifetime), or `validFor` if longer.
    ///
    /// A cached token is returned without suspending, even to a cancelled task. Otherwise the caller waits for the single fetch
    /// of its key. During a backoff it gets the last error at once.
    ///
    /// - Parameters:
    ///   - context: The trip or vehicle.
    ///   - validFor: The required remaining lifetime, by the provider's clock.
    /// - Returns: The token.
    /// - Throws: ``TokenError``; `cancelled` if the caller's task is cancelled while it waits. Other callers are not affected.
    public func token(
        for context: AuthorizationContext,
        validFor: Duration = .zero
    ) async throws(TokenError) -> BearerToken {
        if validFor <= .zero, let token = cached(for: context) { return token }
        let number = state.withLock { $0.nextNumber() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                let result = request(number, caller, context, validFor: validFor)
                if let result { caller.resume(returning: result) }
            }
        } onCancel: {
            cancelWait(number, context)
        }
        return try result.get()
    }

    /// Answers a caller at once, or adds it to the waiters and returns `nil`.
    func request(
        _ number: Int,
        _ caller: ProviderState.Caller,
        _ context: AuthorizationContext,
        validFor: Duration
    ) -> Result<BearerToken, TokenError>? {
        let now = clock.now()
        return state.withLock { state in
            state.now = now
            func refuse(_ error: TokenError) -> Result<BearerToken, TokenError> {
                state.counters.refusals += 1
                return .failure(error)
            }
            if state.isClosed { return refuse(.closed) }
            // Check under the lock: a cancellation before this point had no waiter to remove.
            if Task.isCancelled, state.keys[context]?.machine.hasToken(validFor: validFor, at: now) != true {
                return refuse(.cancelled)
            }
            guard let slot = state.keys.slot(creating: context) else {
                return refuse(.tooManyKeys(limit: state.policy.keyLimit))
            }
            defer { update(slot, &state) }
            let isJoining = !slot.machine.isEvictable
            let result = slot.machine.request(waiter: number, validFor: validFor, at: now)
            switch result {
            case .success?: state.counters.hits += 1
            case .failure(let error)? where error.retryAfter != nil: state.counters.negativeHits += 1
            case .failure?: state.counters.refusals += 1
            case nil:
                if isJoining { state.counters.joins += 1 } else { state.counters.starts += 1 }
                state.callers[number] = caller
            }
            return result
        }
    }

    private func cancelWait(_ number: Int, _ context: AuthorizationContext) {
        withState { state in
            guard let caller = state.callers.removeValue(forKey: number) else { return }
            state.counters.cancelledWaits += 1
            state.effects.resumptions.append((caller, .failure(.cancelled)))
            guard let slot = state.keys[context] else { return }
            slot.machine.cancelWait(number)
            update(slot, &state)
        }
    }

    // MARK: Commands

    /// Fetches a new token in the background on request of the user.
    ///
    /// It ends a backoff but respects the minimum spacing of fetches. The current token is used meanwhile.
    public func refresh(_ context: AuthorizationContext) {
        withState { state in
            guard let slot = state.keys.slot(creating: context) else { return }
            slot.machine.refresh(at: state.now)
            update(slot, &state)
        }
    }

    /// Fetches all tokens again that are stored or missing, because the source has changed.
    func sourceChanged() {
        withState { state in
            for slot in state.keys.inOrder() {
                slot.machine.sourceChanged(at: state.now)
                update(slot, &state)
            }
        }
    }

    // MARK: Status

    // MARK: Closing

    /// Closes the provider.
    ///
    /// Waiting and later callers get `closed`. Fetches in flight are cancelled and awaited. Tokens are removed, and event
    /// streams end.
    public func close() async {
        let now = clock.now()
        let effects = state.withLock { state in
            state.now = now
            let status = TokenStatus(state: .closed, source: source.name)
            for slot in state.keys.inOrder() { publish(.closed, slot.context, &state, status: status) }
            return state.close()
        }
        effects.perform()
        for task in effects.cancellations { await task.value }
    }
}
