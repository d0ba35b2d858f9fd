import Failures
import FleetTokens
import FleetWire
package import Runtime
import Synchronization
package import TripModel

/// Follows all active trips of a project within a quota: performs the steps of a ``SweepPlan``.
///
/// A server token searches for trips and reads those that are not shown.
package final class ProjectFeed: TripFollowing {
    /// The options of a feed.
    package struct Options: Sendable {
        /// The project that owns the trips.
        package var provider: ProviderID
        /// Intervals and limits.
        package var policy: SweepPlan.Policy
        /// The number of trips per page.
        package var pageSize = 200
        /// The thresholds above which findings are reported.
        package var limits = FindingLimits()
        /// The fields that the source never provides, such as those missing in a log format.
        package var absent: Set<TripField> = []
        /// The trips that the user has named, which are polled at the full rate.
        package var named: Set<JourneyID> = []
        /// The random seed.
        package var seed: UInt64 = 0

        package init(provider: ProviderID, policy: SweepPlan.Policy) {
            (self.provider, self.policy) = (provider, policy)
        }
    }

    /// The clients that send the requests.
    package struct Clients: Sendable {
        /// Sends requests with a server token.
        package var server: FleetClient
        /// Sends requests with a token for one trip; `nil` to use the server token for them, too.
        package var trip: FleetClient?

        package init(server: FleetClient, trip: FleetClient?) {
            (self.server, self.trip) = (server, trip)
        }
    }

    private struct State {
        var plan: SweepPlan
        var trips: [JourneyID: SweptTrip] = [:]
        /// The trips that the user has named or added.
        var named: Set<JourneyID>
        /// The trips that the user looks at.
        var looked: Set<JourneyID> = []
        /// The trips that have ended, with the steady times of their ends.
        var over: [JourneyID: Duration] = [:]
        /// The trips that the user has removed.
        var removed: Set<JourneyID> = []
        /// Why the last search failed; `nil` if it did not.
        var searchFailure: Failure?
        /// Spreads the retries of many clients.
        var random: SeededGenerator
    }

    /// How long an ended trip is remembered: an answer that lists it as active was sent before its end.
    private static let endedMemory = Duration.seconds(600)

    private let options: Options
    private let clients: Clients
    private let clock: any TripClock
    private let report: @Sendable (FeedEvent) -> Void
    private let searched: @Sendable (SearchEvent) -> Void
    private let state: Locked<State>
    /// Tells ``run()`` that the plan may have another step.
    private let changes: AsyncStream<Void>
    private let changed: AsyncStream<Void>.Continuation

    /// Creates a feed.
    ///
    /// - Parameters:
    ///   - options: The project and the limits.
    ///   - clients: Send the requests.
    ///   - clock: The clock of the process.
    ///   - report: Called with every event, in order; it must not block.
    ///   - searched: Called with every page of a search, before the events of its trips, and every failed one; it must not block.
    package init(
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
        var plan = SweepPlan(options.policy, at: clock.now().steady)
        plan.look(at: options.named)
        state = Locked(State(plan: plan, named: options.named, random: SeededGenerator(seed: options.seed)))
        (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// The number of requests whose answers have not been processed.
    package var requestsInFlight: Int { state.withLock(\.plan.inFlight) }

    package func run() async {
        await withDiscardingTaskGroup { group in
            var changes = changes.makeAsyncIterator()
            while !Task.isCancelled {
                let (step, start) = state.withLock { next(&$0) }
                switch step {
                case .search(let token): group.addTask { await self.search(token) }
                case .get(let id): group.addTask { await self.get(id, start) }
                case .hold: await changes.next()
                case .wait(let time):
                    // The timer ends with this wait.
                    let timer = Task { [clock, changed] in
                        // A cancelled timer reports nothing: that would end the next wait, whose timer would end the one after it.
                        guard (try? await clock.sleep(until: time)) != nil else { return }
                        changed.yield()
                    }
                    // It ends with the cancellation of this task, too.
                    await changes.next()
                    timer.cancel()
                }
            }
        }
    }

    /// What a request for a trip starts from.
    private struct Start {
        var isLooked = false
        var versions: (route: Version?, traffic: Version?, waypointsRoute: Version?) = (nil, nil, nil)
    }

    /// Takes the next step; begins a request for a trip at once, so that a trip that is removed meanwhile stays removed.
    private func next(_ state: inout State) -> (SweepPlan.Step, Start) {
        let step = state.plan.next(at: clock.now().steady)
        guard case .get(let id) = step else { return (step, Start()) }
        let isLooked = state.plan.isLooked(at: id)
        if isLooked { report(.polling(id, state.plan.schedule(of: id))) }
        let known = state.trips[id, default: new(id)]
        state.trips[id] = known
        return (step, Start(isLooked: isLooked, versions: known.state.versions))
    }

    // MARK: Requests

    private func search(_ pageToken: String?) async {
        var search = TripSearch()
        search.activeOnly = true
        search.page.size = options.pageSize
        search.page.token = pageToken
        let page = await clients.server.searchTrips(search, in: options.provider)
        guard !Task.isCancelled else { return }
        var event = SearchEvent(page)
        let before = state.withLock(\.searchFailure)
        if let before { event.call?.cause = before.asksForNewToken ? .rejected : .retry }
        searched(event)
        switch page.outcome {
        case .success(let found): await record(found, of: page.ofTrips)
        case .failure(let failure):
            state.withLock { state in
                state.searchFailure = failure
                state.plan.searchFailed(failure, at: clock.now().steady, random: &state.random)
            }
            changed.yield()
        }
    }

    private func record(_ found: TripPage, of page: SearchReport) async {
        let trips = found.trips.filter { !$0.status.isTerminal }.map { (id: JourneyID.trip($0.id), trip: $0) }
        let followed = state.withLock { state in
            state.searchFailure = nil
            let now = clock.now().steady
            state.over = state.over.filter { now - $0.value < Self.endedMemory }
            return state.plan.searched(
                trips.filter { !state.removed.contains($0.id) }.map {
                    ($0.id, state.trips[$0.id].hasMoved(to: .trip($0.trip)))
                },
                pageToken: found.nextPageToken,
                at: clock.now().steady
            )
        }
        changed.yield()
        // One trip at a time, so that the answers about trips that the user looks at do not wait for a whole page.
        for (number, (id, trip)) in trips.enumerated() where followed.contains(id) {
            if number.isMultiple(of: 20) { await Task.yield() }
            state.withLock { state in
                // It may have ended or been removed meanwhile.
                guard !state.removed.contains(id), state.over[id] == nil else { return }
                let poll = state.trips[id, default: new(id)].merge(trip, of: page)
                guard let known = state.trips[id]?.state else { return }
                report(.polled(poll, known, state.plan.schedule(of: id)))
            }
        }
    }

    private func get(_ id: JourneyID, _ start: Start) async {
        var request = JourneyRequest(provider: options.provider, journey: id)
        (request.routeVersion, request.trafficVersion, request.waypointsRouteVersion) = start.versions
        var poll: PollReport
        var token = ExaminedToken()
        if start.isLooked, let client = clients.trip {
            poll = await client.get(request)
            token = ExaminedToken(client.tokenStatus(of: id))
        } else {
            poll = await clients.server.get(request, as: .server)
            poll.isByServer = true
        }
        guard !Task.isCancelled else { return }
        state.withLock { record(&poll, token: token, &$0, at: clock.now().steady) }
        changed.yield()
    }

    private func record(_ poll: inout PollReport, token: ExaminedToken, _ state: inout State, at now: Duration) {
        let id = poll.journey
        let before = state.trips[id]
        // The user may have removed it meanwhile.
        guard let before else {
            state.plan.finish(id)
            return
        }
        let findings = state.trips[id, default: before].merge(
            &poll,
            token: token,
            interval: options.policy.interval
        )
        var end: FeedEnd?
        switch poll.outcome {
        case .success(let answer):
            state.plan.answered(answer, isMoving: Optional(before).hasMoved(to: answer), at: now)
            if answer.status.isTerminal { end = .reached(answer.status) }
        case .failure(let failure):
            state.plan.failed(id, failure, at: now, random: &state.random)
            // A trip that was known and is gone has been deleted.
            if failure.code == .notFound, before.state.journey != nil { end = .failed(failure) }
        }
        if !findings.isEmpty { report(.found(id, findings)) }
        if let known = state.trips[id]?.state {
            report(.polled(poll, known, state.plan.schedule(of: id)))
        }
        if let end {
            state.plan.end(id)
            state.trips[id] = nil
            state.over[id] = now
            updateLooked(&state)
            clients.trip?.stopRefreshing(id)
            report(.ended(id, end))
        }
    }

    private func new(_ id: JourneyID) -> SweptTrip {
        let length = TripFeed.trailLength(for: options.policy.mostTrips)
        return SweptTrip(
            id,
            provider: options.provider,
            absent: options.absent,
            limits: options.limits,
            trailLength: length
        )
    }

    // MARK: Commands

    package func add(_ id: JourneyID) {
        state.withLock { state in
            state.removed.remove(id)
            state.over[id] = nil
            state.plan.restart(id)
            state.named.insert(id)
            updateLooked(&state)
        }
        changed.yield()
    }

    package func remove(_ id: JourneyID) async {
        state.withLock { state in
            state.removed.insert(id)
            state.named.remove(id)
            state.trips[id] = nil
            state.plan.remove(id)
            updateLooked(&state)
            report(.ended(id, .left))
        }
        clients.trip?.stopRefreshing(id)
        changed.yield()
    }

    package func command(_ command: FeedCommand, journey: JourneyID) async {
        state.withLock { state in
            switch command {
            case .pause: state.plan.pause(journey, true)
            case .resume: state.plan.pause(journey, false)
            case .pollNow: state.plan.request(journey, at: clock.now().steady)
            case .setInterval(let interval): state.plan.setInterval(interval, at: clock.now().steady)
            }
            report(.scheduled(journey, state.plan.schedule(of: journey)))
        }
        changed.yield()
    }

    package func look(at trips: Set<JourneyID>) {
        let left: Set<JourneyID> = state.withLock { state in
            guard trips != state.looked else { return [] }
            let before = state.looked
            state.looked = trips
            updateLooked(&state)
            return before.subtracting(trips).subtracting(state.named)
        }
        for id in left { clients.trip?.stopRefreshing(id) }
        changed.yield()
    }

    private func updateLooked(_ state: inout State) {
        state.plan.look(at: state.named.union(state.looked).subtracting(state.removed).subtracting(state.over.keys))
    }
}

extension SweptTrip? {
    /// Returns whether the vehicle has moved since the last answer; before the first one, whether it is on its way.
    fileprivate func hasMoved(to answer: Journey) -> Bool {
        guard answer.status != .trip(.new), let place = answer.lastLocation?.coordinate else { return false }
        guard let known = self?.state.journey else { return true }
        return known.lastLocation?.coordinate != place
    }
}
