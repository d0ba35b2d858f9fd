package import FleetTokens
import FleetWire
package import TripModel

/// Follows one trip: carries out what a ``PollMachine`` decides and keeps a ``TripState``.
package actor TripPoller {
    private let client: FleetClient
    private let provider: ProviderID
    private let clock: any TripClock
    private let budget: SharedBudget
    private var machine: PollMachine
    private var chain = FailureChain()
    private var state: TripState
    private var detector: FindingDetector
    private var random: SeededGenerator
    private var isLeaving = false
    /// When the budget lets the next poll be made, if it had to wait: whoever wants it sooner waits too.
    private var slot: Duration?
    private var cancelWait: (@Sendable () -> Void)?

    /// A poller of a trip; its first poll comes when the machine says so and the budget lets it.
    package init(
        trip: TripID,
        provider: ProviderID,
        client: FleetClient,
        clock: any TripClock,
        machine: PollMachine,
        absent: Set<TripField> = [],
        limits: FindingLimits = FindingLimits(),
        budget: SharedBudget,
        trailLength: Int = TripState.longestTrail,
        seed: UInt64
    ) {
        self.client = client
        self.provider = provider
        self.clock = clock
        self.budget = budget
        self.machine = machine
        state = TripState(id: trip, trailLength: trailLength)
        detector = FindingDetector(trip: trip, provider: provider, absent: absent, limits: limits)
        random = SeededGenerator(seed: seed)
    }

    /// Follows the trip until it ends, nothing helps any more, ``leave()`` is called, or the task is cancelled.
    ///
    /// - Parameter report: Is told of everything in order; the next poll waits until it returns.
    /// - Returns: Whether ``leave()`` ended it.
    package func run(report: @escaping @Sendable (FeedEvent) async -> Void) async -> Bool {
        defer { client.rest(state.id) }
        while !Task.isCancelled, !isLeaving {
            machine.setFloor(budget.shortestInterval)
            let now = clock.now().steady
            switch machine.action(at: now) {
            case .poll:
                if let slot, slot > now {
                    await sleep(until: slot)
                } else if slot == nil, let time = budget.take(at: now) {
                    slot = time
                    machine.deferred(until: time)
                    await report(.scheduled(state.id, machine.schedule))
                    await sleep(until: time)
                } else {
                    slot = nil
                    // In a task of its own, whose memory goes with it: between two polls a trip takes little.
                    await wait(for: Task { await poll(report) })
                }
            case .wait(let time): await sleep(until: time)
            case .hold: await sleep(until: now + .seconds(86_400))
            case .stop(let end):
                await report(.ended(state.id, end))
                return false
            }
        }
        return isLeaving
    }

    /// Changes how the trip is followed and tells of the new schedule.
    package func command(_ command: FeedCommand) -> PollSchedule {
        switch command {
        case .pause: machine.pause()
        case .resume: machine.resume()
        case .pollNow: machine.pollNow(at: clock.now().steady)
        case .setInterval(let interval): machine.setInterval(interval, at: clock.now().steady)
        }
        if machine.schedule.next != nil { cancelWait?() }
        return machine.schedule
    }

    /// Follows the trip no more: calls off the request that is under way, or the wait.
    package func leave() {
        isLeaving = true
        cancelWait?()
    }

    private func poll(_ report: @Sendable (FeedEvent) async -> Void) async {
        machine.began(at: clock.now().steady)
        await report(.polling(state.id, machine.schedule))
        guard !Task.isCancelled, !isLeaving else { return }
        var request = GetTripRequest(provider: provider, trip: state.id)
        (request.routeVersion, request.trafficVersion, request.waypointsRouteVersion) = state.versions
        var outcome = await client.getTrip(request)
        guard !Task.isCancelled, !isLeaving else { return }
        let now = clock.now()
        switch outcome.outcome {
        case .success(let trip):
            state.merge(trip, serverDate: outcome.serverDate, sent: outcome.started, at: outcome.finished)
            chain.answered()
            machine.answered(trip, at: now.steady)
        case .failure(let symptom):
            let failure = chain.linked(symptom)
            outcome.outcome = .failure(failure)
            machine.failed(failure, at: now.steady, random: &random)
        }
        await report(.polled(outcome, state, machine.schedule))
        let findings = detector.examine(
            outcome,
            state: state,
            token: client.tokenStatus(of: state.id),
            interval: machine.schedule.interval
        )
        if !findings.isEmpty { await report(.found(state.id, findings)) }
    }

    /// Waits until a time, a command or a cancellation, whichever comes first.
    private func sleep(until time: Duration) async {
        // That it was cut short is no fault: what to do then is asked of the machine anew.
        _ = await wait(for: Task { [clock] in try? await clock.sleep(until: time) })
    }

    /// Waits for a task that a command can call off; it ends with this one, never after it.
    private func wait<Value: Sendable>(for task: Task<Value, Never>) async -> Value {
        cancelWait = { task.cancel() }
        defer { cancelWait = nil }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}

/// An order to a poller.
package enum FeedCommand: Sendable, Equatable {
    /// Ask no more by itself.
    case pause
    /// Ask by itself again.
    case resume
    /// Ask once, as soon as the service allows it.
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
    /// Polls before the next one that a slow reader is told of by their number alone.
    case omitted(TripID, EventOmission)
    /// A command or the budget changed the schedule.
    case scheduled(TripID, PollSchedule)
    /// The trip is followed no more.
    case ended(TripID, FeedEnd)
}
