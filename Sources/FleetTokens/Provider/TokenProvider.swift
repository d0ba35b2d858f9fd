import Synchronization
public import TripModel

/// Hands out tokens, one cache entry per trip or vehicle: fetched once however many ask, refreshed ahead of their end,
/// kept while a refresh fails, dropped when the service refuses them.
///
/// ```
///  callers ─▶ token(for:) ─┐                ┌─▶ source.fetch (a task per flight)
///  screens ─▶ status(of:)  ├─▶ Locked ─────┤
///  pollers ─▶ reject(_:)   ┘   one machine  └─▶ one sleeping task, until the earliest time of a key in use or a fetch
///                              per key
/// ```
///
/// What is decided is decided by ``KeyMachine``, in one lock hold; this class carries it out. It is no actor, since a
/// cached token has to be had without suspending. It is never kept alive by a task of its own; ``close()`` or the last
/// reference ends everything.
public final class TokenProvider: Sendable {
    let source: any TokenSource
    let clock: any TripClock
    let admission: TokenAdmission
    let state: Locked<ProviderState>

    var policy: TokenPolicy { admission.policy }

    /// A provider over a source.
    ///
    /// The seed decides how refreshes and retries are spread; processes that follow the same trips need different ones.
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
            // It ends with the provider, in `close()` or `deinit`.
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

    /// The token of a key if there is one that may be used now: never fetches, never suspends, counts as use.
    public func cached(for context: AuthorizationContext) -> BearerToken? {
        let now = clock.now()
        return state.withLock { hit(context, &$0, at: now) }
    }

    /// A token that lasts at least 30 s (or a twentieth of its life), or `validFor` if that is more.
    ///
    /// A token that is there is returned without suspending, even to a cancelled task. Otherwise the caller waits for
    /// the one fetch of its key, or gets the last error at once while a silence lasts.
    ///
    /// - Parameters:
    ///   - context: The trip or vehicle.
    ///   - validFor: How long the token has to last for this caller, by the provider's clock.
    /// - Returns: The token.
    /// - Throws: ``TokenError``; `cancelled` when the caller's task is cancelled while it waits, which disturbs nobody.
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

    /// Answers a caller at once or lists it among those that wait.
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
            // Looked at under the lock: a cancellation before this point found nobody to take out.
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

    // MARK: Orders

    /// Fetches a new token in the background because a person asks for it.
    ///
    /// That ends a silence; the current token is served meanwhile, and the least spacing of fetches is kept.
    public func refresh(_ context: AuthorizationContext) {
        change(context, creating: true) { entry, _, now in
            entry.machine.refresh(at: now)
            return KeyMachine.Release()
        }
    }

    /// Asks anew for everything that is held or was missed, because the source has other tokens now.
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

    /// Tells that nobody needs the next token of a key: it is not refreshed ahead before somebody asks for one again.
    ///
    /// What is held is served as long as it lasts, and what leases hold is refreshed all the same.
    public func lapse(_ context: AuthorizationContext) {
        change(context, creating: false) { entry, _, _ in
            entry.machine.rest()
            return KeyMachine.Release()
        }
    }

    /// Drops and wipes what is held of a key, as after signing out: the next call fetches.
    ///
    /// Whoever waits for its token gets `cancelled`, and a fetch in the air is cancelled, too. A key that a lease holds is
    /// fetched anew; the lease's own copy goes with its next call.
    public func forget(_ context: AuthorizationContext) {
        change(context, creating: false) { entry, state, _ in
            state.evidence.remove(context)
            return entry.machine.forget()
        }
    }

    /// Tells that the service answered 401 or 403 to a request that carried exactly this token.
    ///
    /// The token is dropped and another one fetched, unless it was replaced already or is younger than ten seconds.
    /// Retry the request once with a new token; if that fails too, it is not the token's age.
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

    /// Changes one key and carries out what follows from it.
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

    // MARK: Looking

    /// How a key stands, for a screen; does not count as use.
    public func status(of context: AuthorizationContext) -> TokenStatus {
        let now = clock.now()
        return state.withLock { state in
            guard !state.isClosed else { return TokenStatus(state: .closed, source: source.name) }
            let status = state.places[context]?.entry.machine.status(source: source.name, at: now)
            return (status ?? TokenStatus(source: source.name)).with(state.evidence[context])
        }
    }

    /// What was done so far, and how many keys, fetches and callers there are just now; looks at every key.
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

    /// What happens from now on, over all keys, in order.
    ///
    /// A slow reader costs bounded memory for each key. Of the outcomes that it has not read, repeated good ones go first,
    /// then repeated failures; ``TokenEvent/Kind/omitted(_:)`` says how many.
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

    /// Calls a closure with all that happens from now on until the provider is closed, before the caller that it concerns
    /// goes on.
    ///
    /// It is called under the provider's lock: it must not wait, nor call the provider.
    package func observe(_ hear: @escaping @Sendable (TokenEvent) -> Void) {
        let number = state.withLock { state in
            state.lastSubscriber += 1
            return state.lastSubscriber
        }
        _ = subscribe(ProviderState.Subscriber(hear: hear, finish: {}), number)
    }

    /// Adds a subscriber, unless the provider is closed.
    private func subscribe(_ subscriber: ProviderState.Subscriber, _ number: Int) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.subscribers[number] = subscriber
            return true
        }
    }

    // MARK: Ending

    /// Ends everything.
    ///
    /// Waiting callers get `closed`, and so does every later call; fetches in the air are cancelled and waited for, tokens
    /// are dropped, and the streams of events end.
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
