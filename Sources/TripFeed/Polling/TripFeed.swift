package import Runtime
import Synchronization
package import TripModel

/// Follows many trips concurrently; a failure of one trip does not affect others.
///
/// ```
/// add, remove ─▶ entries (Mutex) ─▶ arrivals ─▶ run(): one poller per trip ─▶ report
///                     ▲                                    │
///                     └────────── ended, removed ──────────┘
/// ```
package final class TripFeed: TripFollowing {
    /// The options of a feed.
    package struct Options: Sendable {
        /// The project that owns the trips.
        package var provider: ProviderID
        /// Intervals and timeouts.
        package var policy: PollMachine.Policy
        /// The thresholds above which findings are reported.
        package var limits = FindingLimits()
        /// The fields that the source never provides, such as those missing in a log format.
        package var absent: Set<TripField> = []
        /// The maximum number of requests per minute for all trips together; `nil` for no limit.
        package var requestsPerMinute: Int?
        /// Whether ``run()`` continues without trips, because more may be added.
        package var staysOpen = false
        /// The random seed.
        package var seed: UInt64

        package init(provider: ProviderID, policy: PollMachine.Policy, seed: UInt64) {
            self.provider = provider
            self.policy = policy
            self.seed = seed
        }
    }

    private struct Entry {
        let poller: TripPoller
        /// Whether the trip was removed and its last poll is being cancelled.
        var isLeaving = false
        /// Whether the trip was added again meanwhile.
        ///
        /// A second poller may start only after the first has ended.
        var isReadded = false
    }

    private struct State {
        var entries: [JourneyID: Entry] = [:]
        /// The number of trips ever added; each gets its own offset within the interval.
        var added = 0
        var isOpen: Bool
        /// The trips that ended without being removed.
        var over: Set<JourneyID> = []
    }

    private let options: Options
    private let client: FleetClient
    private let clock: any TripClock
    private let report: @Sendable (FeedEvent) async -> Void
    private let budget: SharedBudget
    private let start: Duration
    private let state: Locked<State>
    private let arrivals: AsyncStream<JourneyID>
    private let arrival: AsyncStream<JourneyID>.Continuation

    /// Creates a feed.
    ///
    /// `report` is called with every event, in order for each trip, from several tasks concurrently.
    package init(
        trips: [JourneyID],
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
        (arrivals, arrival) = AsyncStream.makeStream(of: JourneyID.self)
        budget.trips = trips.count
        for id in trips { add(id) }
        state.withLock { finishIfOver($0) }
    }

    /// Follows all trips until the last one has ended (and no more can be added) or the task is cancelled.
    package func run() async {
        for await trip in arrivals {
            guard let poller = state.withLock({ $0.entries[trip]?.poller }) else { continue }
            await poller.start(report: report) { [self] hasLeft in
                if hasLeft { await report(.ended(trip, .left)) }
                isOver(trip, hasLeft: hasLeft)
            }
        }
        // No trip is left, or the task is cancelled.
        let pollers = state.withLock { $0.entries.values.map(\.poller) }
        await withDiscardingTaskGroup { group in
            for poller in pollers { group.addTask { await poller.cancel() } }
        }
    }

    /// The trips that are currently followed.
    package var trips: Set<JourneyID> {
        state.withLock { Set($0.entries.filter { !$0.value.isLeaving || $0.value.isReadded }.keys) }
    }

    /// The trips that ended without being removed.
    package var over: Set<JourneyID> { state.withLock { $0.over } }

    /// Forgets that trips have ended, except `kept`, so that the others may be added again.
    package func forget(over kept: Set<JourneyID>) {
        state.withLock { $0.over.formIntersection(kept) }
    }

    // MARK: Adding and removing trips

    /// Adds a trip, unless it is already followed.
    package func add(_ id: JourneyID) {
        state.withLock { state in
            if var known = state.entries[id] {
                known.isReadded = known.isLeaving
                state.entries[id] = known
                return
            }
            state.over.remove(id)
            addPoller(for: id, &state)
        }
    }

    /// Removes a trip and cancels its request in progress; ``FeedEnd/left`` is its last event.
    package func remove(_ id: JourneyID) async {
        let poller: TripPoller? = state.withLock { state in
            guard var known = state.entries[id] else { return nil }
            known.isReadded = false
            defer { state.entries[id] = known }
            guard !known.isLeaving else { return nil }
            known.isLeaving = true
            return known.poller
        }
        await poller?.leave()
    }

    /// Declares that no more trips will be added: ``run()`` returns when the last one has ended.
    package func close() {
        state.withLock { state in
            state.isOpen = false
            finishIfOver(state)
        }
    }

    /// Sends a command to a trip's poller, which replies with a ``FeedEvent/scheduled(_:_:)``.
    package func command(_ command: FeedCommand, journey: JourneyID) async {
        guard let poller = state.withLock({ $0.entries[journey]?.poller }) else { return }
        await report(.scheduled(journey, await poller.command(command)))
    }

    private func isOver(_ id: JourneyID, hasLeft: Bool) {
        state.withLock { state in
            if !hasLeft { state.over.insert(id) }
            let known = state.entries.removeValue(forKey: id)
            budget.trips = state.entries.count
            if known?.isReadded == true { addPoller(for: id, &state) }
            finishIfOver(state)
        }
    }

    private func finishIfOver(_ state: State) {
        if !state.isOpen, state.entries.isEmpty { arrival.finish() }
    }

    /// Returns the number of stored positions per vehicle; all trips together store at most 200,000.
    package static func trailLength(for trips: Int) -> Int {
        min(TripState.longestTrail, max(50, 200_000 / max(1, trips)))
    }

    /// Creates a poller whose polls are as far as possible from those of other trips.
    ///
    /// Multiples of the golden ratio, modulo 1, are evenly distributed over the interval for any number of trips. Trips may
    /// therefore be added and removed at any time.
    private func addPoller(for id: JourneyID, _ state: inout State) {
        let share = (Double(state.added) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
        budget.trips = max(budget.trips, state.entries.count + 1)
        let interval = max(options.policy.clampedInterval, budget.shortestInterval)
        let now = clock.now().steady
        // If the trip's offset has only just passed, poll at once: the first trip's offset is the start of the feed.
        let round = ((now - start) / interval - share - 0.1).rounded(.up)
        let due = start + interval * (max(0, round) + share)
        // Before its token arrives, so that a recording can be read even if the token contains the ID.
        KnownSecrets.ofProcess.keepReadable(id: id.rawValue)
        state.entries[id] = Entry(
            poller: TripPoller(
                journey: id,
                provider: options.provider,
                client: client,
                clock: clock,
                machine: PollMachine(policy: options.policy, firstDue: due),
                absent: options.absent,
                limits: options.limits,
                budget: budget,
                trailLength: Self.trailLength(for: budget.trips),
                seed: options.seed &+ UInt64(state.added)
            )
        )
        state.added += 1
        arrival.yield(id)
    }
}
