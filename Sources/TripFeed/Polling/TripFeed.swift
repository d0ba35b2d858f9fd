import Synchronization
package import TripModel

/// Follows many trips at once; a failure of one is none of the others' business.
///
/// ```
/// add, remove ─▶ entries (Mutex) ─▶ arrivals ─▶ run(): one task per trip ─▶ report
///                     ▲                                    │
///                     └────────── ended, removed ──────────┘
/// ```
package final class TripFeed: Sendable {
    /// How trips are followed.
    package struct Options: Sendable {
        /// The project that owns the trips.
        package var provider: ProviderID
        /// Intervals and patience.
        package var policy: PollMachine.Policy
        /// From where on something is a finding.
        package var limits = FindingLimits()
        /// What the source of the answers never has, such as a format of logs that lacks a field.
        package var absent: Set<TripField> = []
        /// How many requests all trips together may make in a minute; `nil` for as many as the intervals ask for.
        package var requestsPerMinute: Int?
        /// Whether ``run()`` goes on without any trip, as more may be added.
        package var staysOpen = false
        /// Where chance starts.
        package var seed: UInt64

        /// Options of these parts.
        package init(provider: ProviderID, policy: PollMachine.Policy, seed: UInt64) {
            self.provider = provider
            self.policy = policy
            self.seed = seed
        }
    }

    private struct Entry {
        let poller: TripPoller
        /// It was removed, and its last poll is still being called off.
        var isLeaving = false
        /// It was added again meanwhile: a second poller may begin only when the first is gone.
        var comesBack = false
    }

    private struct State {
        var entries: [TripID: Entry] = [:]
        /// Trips that were ever added: each gets its own place within the interval.
        var places = 0
        var isOpen: Bool
        /// Trips that came to an end by themselves.
        var over: Set<TripID> = []
    }

    private let options: Options
    private let client: FleetClient
    private let clock: any TripClock
    private let report: @Sendable (FeedEvent) async -> Void
    private let budget: SharedBudget
    private let start: Duration
    private let state: Locked<State>
    private let arrivals: AsyncStream<TripID>
    private let arrival: AsyncStream<TripID>.Continuation

    /// Sets up a poller per trip.
    ///
    /// `report` is told of everything, in order for each trip, from several tasks at once.
    package init(
        trips: [TripID],
        options: Options,
        client: FleetClient,
        clock: any TripClock,
        report: @escaping @Sendable (FeedEvent) async -> Void
    ) {
        self.options = options
        self.client = client
        self.clock = clock
        self.report = report
        budget = SharedBudget(
            PollBudget(requestsPerMinute: options.requestsPerMinute, interval: options.policy.clampedInterval)
        )
        start = clock.now().steady
        state = Locked(State(isOpen: options.staysOpen))
        (arrivals, arrival) = AsyncStream.makeStream(of: TripID.self)
        budget.trips = trips.count
        for trip in trips { add(trip) }
        state.withLock { finishIfOver($0) }
    }

    /// Follows all trips until the last has ended (and no more can come), or the task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for await trip in arrivals {
                guard let poller = state.withLock({ $0.entries[trip]?.poller }) else { continue }
                group.addTask { [self] in
                    let hasLeft = await poller.run(report: report)
                    if hasLeft, !Task.isCancelled { await report(.ended(trip, .left)) }
                    isOver(trip, hasLeft: hasLeft)
                }
            }
        }
    }

    /// The trips that are followed just now.
    package var trips: Set<TripID> {
        state.withLock { Set($0.entries.filter { !$0.value.isLeaving || $0.value.comesBack }.keys) }
    }

    /// The trips that came to an end by themselves, and were not removed.
    package var over: Set<TripID> { state.withLock { $0.over } }

    /// Forgets which trips came to an end by themselves, but for these: the others may be added again.
    package func forget(over kept: Set<TripID>) {
        state.withLock { $0.over.formIntersection(kept) }
    }

    // MARK: Trips that come and go

    /// Follows one more trip, unless it is followed already.
    package func add(_ trip: TripID) {
        state.withLock { state in
            if var known = state.entries[trip] {
                known.comesBack = known.isLeaving
                state.entries[trip] = known
                return
            }
            state.over.remove(trip)
            place(trip, &state)
        }
    }

    /// Follows a trip no more; a request that is under way is called off, and ``FeedEnd/left`` is the last of its news.
    package func remove(_ trip: TripID) async {
        let poller: TripPoller? = state.withLock { state in
            guard var known = state.entries[trip] else { return nil }
            known.comesBack = false
            defer { state.entries[trip] = known }
            guard !known.isLeaving else { return nil }
            known.isLeaving = true
            return known.poller
        }
        await poller?.leave()
    }

    /// Says that no trip is added any more: ``run()`` returns when the last one has ended.
    package func close() {
        state.withLock { state in
            state.isOpen = false
            finishIfOver(state)
        }
    }

    /// Gives an order to the poller of a trip, which answers with a ``FeedEvent/scheduled(_:_:)``.
    package func command(_ command: FeedCommand, trip: TripID) async {
        guard let poller = state.withLock({ $0.entries[trip]?.poller }) else { return }
        await report(.scheduled(trip, await poller.command(command)))
    }

    private func isOver(_ trip: TripID, hasLeft: Bool) {
        state.withLock { state in
            if !hasLeft, !Task.isCancelled { state.over.insert(trip) }
            let known = state.entries.removeValue(forKey: trip)
            budget.trips = state.entries.count
            if known?.comesBack == true { place(trip, &state) }
            finishIfOver(state)
        }
    }

    private func finishIfOver(_ state: State) {
        if !state.isOpen, state.entries.isEmpty { arrival.finish() }
    }

    /// How many places of a vehicle are kept, so that all trips together keep no more than 200,000.
    private static func trail(for trips: Int) -> Int {
        min(TripState.longestTrail, max(50, 200_000 / max(1, trips)))
    }

    /// Gives a trip a poller whose polls fall where the fewest others do.
    ///
    /// Multiples of the golden ratio, taken modulo 1, lie evenly over the interval after any number of them, so that
    /// trips may come and go.
    private func place(_ trip: TripID, _ state: inout State) {
        let share = (Double(state.places) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
        budget.trips = max(budget.trips, state.entries.count + 1)
        let interval = max(options.policy.clampedInterval, budget.shortestInterval)
        let now = clock.now().steady
        // A turn that has only just gone by is taken at once: the first trip's is the moment at which the feed began.
        let round = ((now - start) / interval - share - 0.1).rounded(.up)
        let due = start + interval * (max(0, round) + share)
        state.entries[trip] = Entry(
            poller: TripPoller(
                trip: trip,
                provider: options.provider,
                client: client,
                clock: clock,
                machine: PollMachine(policy: options.policy, firstDue: due),
                absent: options.absent,
                limits: options.limits,
                budget: budget,
                trailLength: Self.trail(for: budget.trips),
                seed: options.seed &+ UInt64(state.places)
            )
        )
        state.places += 1
        arrival.yield(trip)
    }
}
