import FleetWire
package import TripModel

/// Follows one trip: performs the decisions of a ``PollMachine`` and updates a ``TripState``.
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
    /// The time of the next poll's slot, if the budget deferred it; earlier requests wait for it, too.
    private var slot: Duration?
    private var cancelWait: (@Sendable () -> Void)?

    /// Creates a poller; the first poll comes when the machine and the budget permit it.
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

    /// Follows the trip until it ends, polling cannot continue, ``leave()`` is called, or the task is cancelled.
    ///
    /// - Parameter report: Called with every event in order; the next poll waits until it returns.
    /// - Returns: Whether ``leave()`` ended it.
    package func run(report: @escaping @Sendable (FeedEvent) async -> Void) async -> Bool {
        defer { client.stopRefreshing(state.id) }
        while !Task.isCancelled, !isLeaving {
            machine.setQuotaInterval(budget.shortestInterval)
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
                    // A separate task frees its memory at its end, so that a trip needs little memory between polls.
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

    /// Performs a command; returns the new schedule.
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

    /// Stops following the trip: cancels the request in progress or the wait.
    package func leave() {
        isLeaving = true
        cancelWait?()
    }

    private func poll(_ report: @Sendable (FeedEvent) async -> Void) async {
        // A command may have cancelled the poll before it began.
        guard !Task.isCancelled, !isLeaving else { return }
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
        let findings = detector.examine(
            outcome,
            state: state,
            token: client.tokenStatus(of: state.id),
            interval: machine.schedule.interval
        )
        // The findings come first, because a poll can end the session.
        if !findings.isEmpty { await report(.found(state.id, findings)) }
        await report(.polled(outcome, state, machine.schedule))
    }

    /// Waits until a time, a command or a cancellation, whichever comes first.
    private func sleep(until time: Duration) async {
        // An interrupted sleep is not an error: the machine returns the next step.
        _ = await wait(for: Task { [clock] in try? await clock.sleep(until: time) })
    }

    /// Waits for a task that a command can cancel; the task never outlives the caller.
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

/// A command for a poller.
package enum FeedCommand: Sendable, Equatable {
    /// Stop automatic polls.
    case pause
    /// Resume automatic polls.
    case resume
    /// Poll once, as soon as the service permits it.
    case pollNow
    /// Change the interval.
    case setInterval(Duration)
}

/// An event of a followed trip.
package enum FeedEvent: Sendable {
    /// A request was sent.
    case polling(TripID, PollSchedule)
    /// A poll is complete: its report, the new state and the next schedule.
    case polled(PollReport, TripState, PollSchedule)
    /// The poll that is reported next produced findings; at least one, the most severe first.
    case found(TripID, [Finding])
    /// The number of polls that were dropped because the reader was slow.
    case omitted(TripID, EventOmission)
    /// A command or the budget changed the schedule.
    case scheduled(TripID, PollSchedule)
    /// The trip is no longer followed.
    case ended(TripID, FeedEnd)
}
