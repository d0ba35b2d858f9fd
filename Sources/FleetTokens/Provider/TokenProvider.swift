import Synchronization
public import TripModel

/// Provides tokens, with one cache entry per trip or vehicle.
///
/// Concurrent calls share one fetch. A token is refreshed before its expiry, kept while a refresh fails, and removed when the
/// service refuses it.
///
/// ```
///  callers ─▶ token(for:) ─┐                ┌─▶ source.fetch (one task per fetch)
///  screens ─▶ status(of:)  ├─▶ Locked ─────┤
///  pollers ─▶ reject(_:)   ┘   one machine  └─▶ one timer task, until the earliest time of a key in use or a fetch
///                              per key
/// ```
///
/// ``KeyMachine`` makes each decision within one lock hold, and this class performs it. It is not an actor, because a cached
/// token must be available without suspending. Its tasks do not keep it alive; ``close()`` or the release of the last reference
/// ends everything.
public final class TokenProvider: Sendable {
    let source: any TokenSource
    let clock: any TripClock
    let admission: TokenAdmission
    let state: Locked<ProviderState>

    var policy: TokenPolicy { admission.policy }

    /// Creates a provider over a source.
    ///
    /// The seed determines the jitter of refreshes and retries. Processes that follow the same trips need different seeds.
    public init(
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
            let listener = Task.detached { [weak self] in
                for await _ in changes { self?.sourceChanged() }
            }
            state.withLock { $0.listener = listener }
        }
    }

    deinit {
        let (tasks, subscribers) = state.withLock { state in
            let tasks = state.flights.values.map(\.task) + [state.sleeper?.task, state.listener].compactMap(\.self)
            return (tasks, Array(state.subscribers.values))
        }
        for task in tasks { task.cancel() }
        for subscriber in subscribers { subscriber.finish() }
    }

    // MARK: Tokens

    /// Returns the token of a key if it is usable now; never fetches or suspends, counts as a use.
    public func cached(for context: AuthorizationContext) -> BearerToken? {
        let now = clock.now()
        return state.withLock { hit(context, &$0, at: now) }
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
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiting in
                enter(waiter, waiting, context, validFor: validFor)
            }
        } onCancel: {
            leave(waiter, context)
        }
        return try result.get()
    }

    private func hit(
        _ context: AuthorizationContext,
        _ state: inout ProviderState,
        at now: Moment
    ) -> BearerToken? {
        guard let place = state.places.index(forKey: context) else { return nil }
        if let token = state.places.values[place].hit(at: now) {
            state.counters.hits += 1
            return token
        }
        let entry = state.places.values[place].entry
        guard let (token, wantsLook) = entry.machine.hit(at: now) else { return nil }
        state.counters.hits += 1
        if wantsLook {
            if entry.machine.failures > 0, entry.machine.token?.isRefreshDue(at: now) == true {
                state.counters.staleServed += 1
            }
            settle(entry, context, &state, at: now)
        }
        return token
    }

    /// Answers a caller at once or adds it to the waiters.
    private func enter(
        _ waiter: Int,
        _ waiting: ProviderState.Waiting,
        _ context: AuthorizationContext,
        validFor: Duration
    ) {
        let now = clock.now()
        let result: Result<BearerToken, TokenError>? = state.withLock { state in
            func refuse(_ error: TokenError) -> Result<BearerToken, TokenError> {
                state.counters.refusals += 1
                return .failure(error)
            }
            if state.isClosed { return refuse(.closed) }
            // Check under the lock: a cancellation before this point had no waiter to remove.
            if Task.isCancelled, state.places[context]?.entry.machine.lasts(validFor, at: now) != true {
                return refuse(.cancelled)
            }
            guard let entry = state.entry(for: context) else {
                return refuse(.tooManyKeys(limit: state.policy.keyLimit))
            }
            defer { settle(entry, context, &state, at: now) }
            switch entry.machine.ask(waiter: waiter, validFor: validFor, at: now) {
            case .token(let token):
                state.counters.hits += 1
                return .success(token)
            case .fail(let error) where error.retryAfter != nil:
                state.counters.negativeHits += 1
                return .failure(error)
            case .fail(let error): return refuse(error)
            case .wait(let joined):
                if joined { state.counters.joins += 1 } else { state.counters.starts += 1 }
                state.waiting[waiter] = waiting
                return nil
            }
        }
        if let result { waiting.resume(returning: result) }
    }

    private func leave(_ waiter: Int, _ context: AuthorizationContext) {
        let now = clock.now()
        let waiting: ProviderState.Waiting? = state.withLock { state in
            guard let waiting = state.waiting.removeValue(forKey: waiter) else { return nil }
            state.counters.cancelledWaits += 1
            if let entry = state.places[context]?.entry {
                _ = entry.machine.cancelWait(waiter)
                settle(entry, context, &state, at: now)
            }
            return waiting
        }
        waiting?.resume(returning: .failure(.cancelled))
    }

    // MARK: Commands

    /// Fetches a new token in the background on request of the user.
    ///
    /// It ends a backoff but respects the minimum spacing of fetches. The current token is used meanwhile.
    public func refresh(_ context: AuthorizationContext) {
        change(context, creating: true) { entry, _, now in
            entry.machine.refresh(at: now)
            return KeyMachine.Release()
        }
    }

    /// Fetches all tokens again that are stored or missing, because the source has changed.
    func sourceChanged() {
        let now = clock.now()
        state.withLock { state in
            guard !state.isClosed else { return }
            for (context, entry) in state.inOrder() {
                entry.machine.sourceChanged(at: now)
                settle(entry, context, &state, at: now)
            }
        }
    }

    /// Stops refreshing a key until the next call for its token.
    ///
    /// The stored token is returned until it expires. Leased keys are still refreshed.
    public func lapse(_ context: AuthorizationContext) {
        change(context, creating: false) { entry, _, _ in
            entry.machine.rest()
            return KeyMachine.Release()
        }
    }

    /// Removes and overwrites the token of a key, for example after signing out; the next call fetches.
    ///
    /// Waiters get `cancelled`, and a fetch in flight is cancelled. A leased key is fetched again; the lease's own copy is
    /// released on its next call.
    public func forget(_ context: AuthorizationContext) {
        change(context, creating: false) { entry, state, _ in
            state.evidence.remove(context)
            return entry.machine.forget()
        }
    }

    /// Reports that the service answered 401 or 403 to a request with exactly this token.
    ///
    /// The token is removed and a new one is fetched, unless it was already replaced or is younger than 10 s. Retry the request
    /// once with a new token. If that fails, too, the token's age is not the cause.
    public func reject(_ token: BearerToken, for context: AuthorizationContext, status: Int) {
        change(context, creating: false) { entry, state, now in
            let offset = entry.machine.token?.clockOffset
            guard let release = entry.machine.reject(token, status: status, at: now) else {
                state.counters.ignoredRejections += 1
                return KeyMachine.Release()
            }
            state.counters.rejections += 1
            let rejected = RejectedToken(
                token.revealed,
                for: context,
                .service(status: status),
                at: now,
                clockOffset: offset
            )
            state.evidence.record(EvidenceStore.Evidence(rejected: rejected), for: context)
            return release
        }
    }

    /// Changes one key and performs the consequences.
    func change(
        _ context: AuthorizationContext,
        creating: Bool,
        _ body: (ProviderState.Entry, inout ProviderState, Moment) -> KeyMachine.Release
    ) {
        let now = clock.now()
        let work = state.withLock { state in
            var work = ProviderState.Work()
            guard !state.isClosed else { return work }
            guard let entry = creating ? state.entry(for: context) : state.places[context]?.entry else { return work }
            let release = body(entry, &state, now)
            release.carryOut(entry, context, self, &state, &work, at: now)
            return work
        }
        work.perform()
    }

    // MARK: Status and events

    /// Returns the status of a key without counting as a use.
    public func status(of context: AuthorizationContext) -> TokenStatus {
        let now = clock.now()
        return state.withLock { state in
            guard !state.isClosed else { return TokenStatus(state: .closed, source: source.name) }
            let status = state.places[context]?.entry.machine.status(source: source.name, at: now)
            return (status ?? TokenStatus(source: source.name)).with(state.evidence[context])
        }
    }

    /// The counters since the start and the current numbers of keys, fetches and callers; computed over all keys.
    public var counters: TokenCounters {
        let now = clock.now().steady
        return state.withLock { state in
            var counters = state.counters
            counters.keys = state.places.count
            counters.inFlight = state.flights.count
            let machines = state.places.values.map(\.entry.machine)
            counters.pinned = machines.count { $0.pins > 0 }
            counters.oldestWaiter = machines.flatMap { $0.waiters.values.map(\.since) }.min().map { now - $0 }
            let refreshes = machines.compactMap { $0.isInUse ? $0.token?.refresh.steady : nil }
            counters.nextRefresh = refreshes.min().map { max($0 - now, .zero) }
            return counters
        }
    }

    /// Returns all events from now on, over all keys, in order.
    ///
    /// The memory for a slow reader is bounded per key. Of its unread outcomes, repeated successes are dropped first, then
    /// repeated failures; ``TokenEvent/Kind/omitted(_:)`` counts them.
    public func events() -> AsyncStream<TokenEvent> {
        let number = state.withLock { state in
            state.lastSubscriber += 1
            return state.lastSubscriber
        }
        let queue = TokenEventQueue()
        let subscriber = ProviderState.Subscriber(hear: queue.post, finish: queue.finish)
        if !subscribe(subscriber, number) { queue.finish() }
        let reading = TokenEventQueue.Reading(queue) { [weak self] in
            self?.state.withLock { $0.subscribers[number] = nil }
        }
        return AsyncStream { await reading.queue.next() }
    }

    /// Calls a closure with all events until the provider is closed, before the affected callers resume.
    ///
    /// It is called under the provider's lock: it must neither block nor call the provider.
    package func observe(_ hear: @escaping @Sendable (TokenEvent) -> Void) {
        let number = state.withLock { state in
            state.lastSubscriber += 1
            return state.lastSubscriber
        }
        _ = subscribe(ProviderState.Subscriber(hear: hear, finish: {}), number)
    }

    /// Adds a subscriber; returns `false` if the provider is closed.
    private func subscribe(_ subscriber: ProviderState.Subscriber, _ number: Int) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.subscribers[number] = subscriber
            return true
        }
    }

    // MARK: Closing

    /// Closes the provider.
    ///
    /// Waiting and later callers get `closed`. Fetches in flight are cancelled and awaited. Tokens are removed, and event
    /// streams end.
    public func close() async {
        let now = clock.now()
        let (work, subscribers, tasks) = state.withLock { state in
            var work = ProviderState.Work()
            guard !state.isClosed else {
                return (work, [ProviderState.Subscriber](), [Task<Void, Never>]())
            }
            state.isClosed = true
            for place in state.places.values { place.entry.version?.show(nil) }
            if !state.subscribers.isEmpty {
                for (context, _) in state.inOrder() {
                    announce(.closed, context, TokenStatus(state: .closed, source: source.name), state, at: now)
                }
            }
            work.resumptions = state.waiting.values.map { ($0, .failure(.closed)) }
            work.cancellations = state.flights.values.map(\.task)
            let subscribers = Array(state.subscribers.values)
            let tasks = [state.sleeper?.task, state.listener].compactMap(\.self)
            state.sleeper = nil
            state.listener = nil
            state.waiting = [:]
            state.places = [:]
            state.flights = [:]
            state.subscribers = [:]
            return (work, subscribers, tasks)
        }
        for task in tasks { task.cancel() }
        work.perform()
        for subscriber in subscribers { subscriber.finish() }
        for flight in work.cancellations { await flight.value }
        for task in tasks { await task.value }
    }
}
