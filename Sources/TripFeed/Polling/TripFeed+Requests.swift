import Failures
import FleetTokens
import FleetWire
import Runtime
import Synchronization
import TripModel

extension TripFeed {
    // MARK: Journeys

    /// Begins a request that the planner has counted as sent.
    func begin(_ id: JourneyID, _ state: inout State) {
        let (isShown, schedule) = (state.planner.isShown(id), state.planner.schedule(of: id))
        if isShown { report(.polling(id, schedule)) }
        let known = state.trips[id] ?? new(id, state)
        if state.trips[id] == nil { state.trips[id] = known }
        var request = JourneyRequest(provider: options.provider, journey: id)
        (request.routeVersion, request.trafficVersion, request.waypointsRouteVersion) = known.state.versions
        // A child of the task group of `run()` awaits it; `remove(_:)` may cancel it before.
        let task = Task { [request] in await ask(request, isShown: isShown, because: schedule.reason) }
        state.requests[id] = Request(task: task)
    }

    private func ask(_ request: JourneyRequest, isShown: Bool, because reason: PollSchedule.Reason) async {
        var poll: PollReport
        var token = ExaminedToken()
        if isShown, let client = clients.trip {
            poll = await client.get(request)
            // It may differ from the status in the last event of the token.
            token = ExaminedToken(client.tokenStatus(of: request.journey))
        } else {
            poll = await clients.server.get(request, as: .server)
            poll.isByServer = true
        }
        switch reason {
        case .newToken: poll.call?.cause = .rejected
        case .backOff, .retryAfter: poll.call?.cause = .retry
        case .interval, .waitingForVehicle, .nextAttempt, .waitingForCreation, .confirmingEnd, .quota: break
        }
        change { record(&poll, token, &$0) }
    }

    /// Records the outcome of a request and reports its events.
    private func record(_ poll: inout PollReport, _ token: ExaminedToken, _ state: inout State) {
        let id = poll.journey
        let request = state.requests.removeValue(forKey: id)
        guard request?.isLeft == false, !Task.isCancelled, let index = state.trips.index(forKey: id) else {
            state.planner.dropped()
            // Its request may have asked for a token after the removal.
            if request?.isReadded == true { follow([id], &state) } else { clients.trip?.stopRefreshing(id) }
            return
        }
        let now = clock.now().steady
        var isMoving = false
        if case .success(let journey) = poll.outcome {
            isMoving = Optional(state.trips.values[index]).hasMoved(to: journey)
        }
        state.trips.values[index].record(&poll)
        let end: FeedEnd? =
            switch poll.outcome {
            case .success(let journey): state.planner.answered(journey, isMoving: isMoving, at: now)
            case .failure(let failure): state.planner.failed(id, failure, at: now, random: &state.random)
            }
        let interval = state.planner.pollInterval(of: id)
        let findings = state.trips.values[index].findings(of: &poll, token: token, interval: interval)
        // The findings come first, because a poll can end the session.
        if !findings.isEmpty { report(.found(id, findings)) }
        report(.polled(poll, state.trips.values[index].state, state.planner.schedule(of: id)))
        guard let end else { return }
        state.planner.end(id)
        forget(id, &state)
        if !state.planner.hasSweeps { state.over.insert(id) }
        report(.ended(id, end))
        clients.trip?.stopRefreshing(id)
    }

    private func new(_ id: JourneyID, _ state: State) -> PolledTrip {
        let detector = FindingDetector(
            journey: id,
            provider: options.provider,
            absent: options.absent,
            limits: options.limits
        )
        let trips = state.planner.hasSweeps ? options.policy.mostTrips : state.planner.count
        return PolledTrip(id, detector, trailLength: Self.trailLength(for: trips))
    }

    // MARK: Pages

    /// Requests a page of the trips of the project.
    func search(_ pageToken: String?) async {
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
            change { state in
                state.searchFailure = failure
                state.planner.searchFailed(failure, at: clock.now().steady, random: &state.random)
            }
        }
    }

    private func record(_ found: TripPage, of page: SearchReport) async {
        let trips = found.trips.filter { !$0.status.isTerminal }.map { (id: JourneyID.trip($0.id), trip: $0) }
        var followed: Set<JourneyID> = []
        change { state in
            state.searchFailure = nil
            followed = state.planner.searched(
                trips.filter { !state.removed.contains($0.id) }.map {
                    ($0.id, state.trips[$0.id].hasMoved(to: .trip($0.trip)))
                },
                pageToken: found.nextPageToken,
                at: clock.now().steady
            )
        }
        // One trip at a time, so that the answers about trips that the user sees do not wait for a whole page.
        for (number, (id, trip)) in trips.enumerated() where followed.contains(id) {
            if number.isMultiple(of: 20) { await Task.yield() }
            state.withLock { state in
                // It may have ended or been removed meanwhile.
                guard state.planner.isFollowed(id) else { return }
                if state.trips[id] == nil { state.trips[id] = new(id, state) }
                guard let poll = state.trips[id]?.merge(trip, of: page), let known = state.trips[id] else { return }
                report(.polled(poll, known.state, state.planner.schedule(of: id)))
            }
        }
    }
}
