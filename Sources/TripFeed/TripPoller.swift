import FleetWire
package import TripModel

/// Follows one trip: carries out what a ``PollMachine`` decides and keeps a ``TripState``.
package actor TripPoller {
    private let client: FleetClient
    private let provider: ProviderID
    private let clock: any TripClock
    private var machine: PollMachine
    private var state: TripState
    private var examiner: Examiner
    private var random: SeededGenerator
    private var nap: Task<Void, any Error>?

    /// A poller of a trip; its first poll comes when the machine says so.
    package init(
        trip: TripID,
        provider: ProviderID,
        client: FleetClient,
        clock: any TripClock,
        machine: PollMachine,
        limits: FindingLimits = FindingLimits(),
        seed: UInt64
    ) {
        self.client = client
        self.provider = provider
        self.clock = clock
        self.machine = machine
        state = TripState(id: trip)
        examiner = Examiner(trip: trip, provider: provider, limits: limits)
        random = SeededGenerator(seed: seed)
    }

    /// Follows the trip until it ends, nothing helps any more, or the task is cancelled.
    ///
    /// - Parameter report: Is told of everything in order; the next poll waits until it returns.
    package func run(report: @Sendable (FeedEvent) async -> Void) async {
        while !Task.isCancelled {
            switch machine.action(at: clock.now().steady) {
            case .poll: await poll(report)
            case .wait(let time): await sleep(until: time)
            case .hold: await sleep(until: clock.now().steady + .seconds(86_400))
            case .stop(let end):
                await report(.ended(state.id, end))
                return
            }
        }
    }

    /// Changes how the trip is followed and tells of the new schedule.
    package func command(_ command: FeedCommand) -> PollSchedule {
        switch command {
        case .pause: machine.pause()
        case .resume: machine.resume()
        case .pollNow: machine.pollNow()
        case .setInterval(let interval): machine.setInterval(interval, at: clock.now().steady)
        }
        nap?.cancel()
        return machine.schedule
    }

    private func poll(_ report: @Sendable (FeedEvent) async -> Void) async {
        machine.began(at: clock.now().steady)
        await report(.polling(state.id, machine.schedule))
        var request = GetTripRequest(provider: provider, trip: state.id)
        (request.routeVersion, request.trafficVersion, request.waypointsRouteVersion) = state.versions
        let outcome = await client.getTrip(request)
        guard !Task.isCancelled else { return }
        let now = clock.now()
        switch outcome.outcome {
        case .success(let trip):
            state.merge(trip, serverDate: outcome.serverDate, at: outcome.finished)
            machine.answered(trip, at: now.steady)
        case .failure(let failure):
            machine.failed(failure, at: now.steady, random: &random)
        }
        await report(.polled(outcome, state, machine.schedule))
        let findings = examiner.examine(
            outcome,
            state: state,
            token: client.tokenStatus(of: state.id),
            interval: machine.schedule.interval
        )
        if !findings.isEmpty { await report(.found(state.id, findings)) }
    }

    /// Waits until a time, a command or a cancellation, whichever comes first.
    private func sleep(until time: Duration) async {
        // Not left behind: it is awaited below, and cancelled with this task or by a command.
        let nap = Task { [clock] in try await clock.sleep(until: time) }
        self.nap = nap
        await withTaskCancellationHandler {
            _ = await nap.result
        } onCancel: {
            nap.cancel()
        }
        self.nap = nil
    }
}

/// An order to a poller.
package enum FeedCommand: Sendable, Equatable {
    /// Ask no more by itself.
    case pause
    /// Ask by itself again.
    case resume
    /// Ask once, now.
    case pollNow
    /// Ask at another interval.
    case setInterval(Duration)
}

/// News of a followed trip.
package enum FeedEvent: Sendable {
    /// A request was sent.
    case polling(TripID, PollSchedule)
    /// A poll is over; what came of it, what is known now, and when the next one comes.
    case polled(PollReport, TripState, PollSchedule)
    /// The last poll showed something that is not as it should be; at least one finding, the worst first.
    case found(TripID, [Finding])
    /// A command changed the schedule.
    case scheduled(TripID, PollSchedule)
    /// The trip is followed no more.
    case ended(TripID, FeedEnd)
}
