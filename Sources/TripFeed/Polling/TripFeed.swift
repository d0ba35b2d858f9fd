import Failures
package import Runtime
import Synchronization
package import TripModel

/// Follows named journeys, or all active trips of a project: performs what a ``Planner`` decides.
///
/// ```
/// add, remove, view, command ─▶ planner and trips (one lock) ─▶ run(): one task for each request ─▶ report
///                                        ▲                                    │
///                                        └───────────── answers ──────────────┘
/// ```
package final class TripFeed: Sendable {
    /// The options of a feed.
    package struct Options: Sendable {
        /// The project that owns the trips.
        package var provider: ProviderID
        /// Intervals, limits, and whether all trips of the project are followed.
        package var policy: Planner.Policy
        /// The thresholds above which findings are reported.
        package var limits = FindingLimits()
        /// The fields that the source never provides, such as those missing in a log format.
        package var absent: Set<TripField> = []
        /// Whether ``run()`` continues without trips, because more may be added.
        package var staysOpen = false
        /// The number of trips per page of a search.
        package var pageSize = 200
        /// The random seed.
        package var seed: UInt64
    }

    /// The clients that send the requests.
    package struct Clients: Sendable {
        /// Sends requests with a server token: searches, and polls of trips that are not shown.
        package var server: FleetClient
        /// Sends requests with a token for one trip; `nil` to use the server token for them, too.
        package var trip: FleetClient?
    }

    /// A request for a journey.
    struct Request: Sendable {
        let task: Task<Void, Never>
        /// Whether the journey was removed, so that the answer does not count.
        var isLeft = false
        /// Whether the journey was added again meanwhile; its next request may begin only after this one has ended.
        var isReadded = false
    }

    struct State {
        var planner: Planner
        /// What is known of the followed journeys.
        var trips: [JourneyID: PolledTrip] = [:]
        /// The requests for journeys that have not ended.
        var requests: [JourneyID: Request] = [:]
        /// The named journeys that ended without being removed.
        var over: Set<JourneyID> = []
        /// The trips of a project that the user has named or added.
        var named: Set<JourneyID> = []
        /// The trips that the user sees.
        var viewed: Set<JourneyID> = []
        /// The trips that the user has removed.
        var removed: Set<JourneyID> = []
        /// Why the last search failed; `nil` if it did not.
        var searchFailure: Failure?
        /// Spreads the retries of many clients.
        var random: SeededGenerator
        /// What ``run()`` waits for, unless something has changed since.
        var wait: Planner.Action?
    }

    let options: Options
    let clients: Clients
    let clock: any TripClock
    let report: @Sendable (FeedEvent) -> Void
    let searched: @Sendable (SearchEvent) -> Void
    let state: Locked<State>
    /// Notifies ``run()`` that the planner may have another step.
    private let changes: AsyncStream<Void>
    private let changed: AsyncStream<Void>.Continuation

    /// Creates a feed of named journeys.
    ///
    /// `report` is called with every event, in order; it must neither block nor call the feed.
    package convenience init(
        trips: [JourneyID],
        options: Options,
        client: FleetClient,
        clock: any TripClock,
        report: @escaping @Sendable (FeedEvent) -> Void
    ) {
        let clients = Clients(server: client, trip: client)
        self.init(trips: trips, options: options, clients: clients, clock: clock, report: report, searched: { _ in })
    }

    /// Creates a feed of a project's trips.
    ///
    /// - Parameters:
    ///   - trips: The trips that the user has named.
    ///   - options: The project and the limits.
    ///   - clients: Send the requests.
    ///   - clock: The clock of the process.
    ///   - report: Called with every event, in order; it must neither block nor call the feed.
    ///   - searched: Called with every page of a search, before the events of its trips, and every failed one; the same holds.
    package init(
        trips: [JourneyID],
        options: Options,
        clients: Clients,
        clock: any TripClock,
        report: @escaping @Sendable (FeedEvent) -> Void,
        searched: @escaping @Sendable (SearchEvent) -> Void
    ) {
        self.options = options
        self.clients = clients
        self.clock = clock
        self.report = report
        self.searched = searched
        var planner = Planner(options.policy, at: clock.now().steady)
        planner.isOpen = options.staysOpen || planner.hasSweeps
        state = Locked(State(planner: planner, random: SeededGenerator(seed: options.seed)))
        (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { follow(trips, &$0) }
    }

    /// Changes the state, and lets ``run()`` ask the planner again.
    func change<Value>(_ body: (inout State) -> sending Value) -> Value {
        defer { changed.yield() }
        return state.withLock { state in
            state.wait = nil
            return body(&state)
        }
    }

    /// Follows all trips until the last one has ended (and no more can be added) or the task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            var changes = changes.makeAsyncIterator()
            while !Task.isCancelled {
                switch state.withLock({ next(&$0) }) {
                case .ask(.page(let token)): group.addTask { await self.search(token) }
                case .ask(.journey(let id)):
                    guard let request = state.withLock({ $0.requests[id]?.task }) else { break }
                    group.addTask {
                        await withTaskCancellationHandler {
                            await request.value
                        } onCancel: {
                            request.cancel()
                        }
                    }
                case .deferred: break
                case .wait(let time):
                    // The timer ends with this wait.
                    let timer = Task { [clock, changed] in
                        // A cancelled timer reports nothing: a report would end the next wait, whose timer would end the wait
                        // after it.
                        guard (try? await clock.sleep(until: time)) != nil else { return }
                        changed.yield()
                    }
                    // It ends with the cancellation of this task, too.
                    await changes.next()
                    timer.cancel()
                case .hold: await changes.next()
                case .done: return
                }
            }
        }
        // The tokens of trips that are still followed when the task is cancelled.
        for id in state.withLock({ Array($0.trips.keys) }) { clients.trip?.stopRefreshing(id) }
    }

    /// Takes the next step; begins a request for a journey at once, so that one that is removed meanwhile stays removed.
    private func next(_ state: inout State) -> Planner.Action {
        let action = state.planner.next(at: clock.now().steady)
        switch action {
        case .ask(.page): break
        case .ask(.journey(let id)): begin(id, &state)
        case .deferred(let id): report(.scheduled(id, state.planner.schedule(of: id)))
        case .wait, .hold, .done: state.wait = action
        }
        return action
    }

    // MARK: Questions

    /// The journeys that are currently followed.
    package var trips: Set<JourneyID> {
        state.withLock { state in state.planner.followed.union(state.requests.filter(\.value.isReadded).keys) }
    }

    /// The named journeys that ended without being removed.
    package var over: Set<JourneyID> { state.withLock { $0.over } }

    /// What the feed waits for; `nil` while it sends requests or processes their answers.
    package var wait: Planner.Action? { state.withLock { $0.planner.inFlight > 0 ? nil : $0.wait } }

    /// Returns the number of stored positions per vehicle; all trips together store at most 200,000.
    package static func trailLength(for trips: Int) -> Int {
        min(TripState.longestTrail, max(50, 200_000 / max(1, trips)))
    }
}
