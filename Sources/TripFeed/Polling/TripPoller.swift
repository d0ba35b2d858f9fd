package import Failures
import FleetWire
package import Runtime
package import TripModel

/// Follows one trip: performs the decisions of a ``PollMachine`` and updates a ``TripState``.
package actor TripPoller {
    private enum Step {
        case request
        case wait(until: Duration)
        case report(FeedEvent, isLast: Bool)
    }

    private let client: FleetClient
    private let provider: ProviderID
    private let clock: any TripClock
    private let budget: SharedBudget
    private var machine: PollMachine
    private let id: JourneyID
    private var trip: PolledTrip
    private var random: SeededGenerator
    private var isLeaving = false
    private var isCancelled = false
    /// The current wait and poll.
    private var round: Task<Void, Never>?
    /// The time of the next poll's slot, if the budget deferred it; earlier requests wait for it, too.
    private var slot: Duration?

    /// Creates a poller; the first poll comes when the machine and the budget permit it.
    package init(
        journey: JourneyID,
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
        id = journey
        let detector = FindingDetector(journey: journey, provider: provider, absent: absent, limits: limits)
        self.trip = PolledTrip(journey, detector, trailLength: trailLength)
        random = SeededGenerator(seed: seed)
    }

    /// Follows the trip until it ends, polling cannot continue, or ``leave()`` or ``cancel()`` is called.
    ///
    /// - Parameters:
    ///   - report: Called with every event in order; the next poll waits until it returns.
    ///   - ended: Called at the end, except after ``cancel()``, with whether ``leave()`` ended it.
    package func start(
        report: @escaping @Sendable (FeedEvent) async -> Void,
        ended: @escaping @Sendable (_ hasLeft: Bool) async -> Void
    ) {
        guard !isCancelled else { return client.stopRefreshing(id) }
        // Each round is a task of its own, which frees its memory at its end. Between two polls, a trip needs little memory.
        // `cancel()` waits for it.
        round = Task {
            let hasLeft = await poll(report)
            guard !isCancelled, let hasLeft else { return start(report: report, ended: ended) }
            client.stopRefreshing(id)
            await ended(hasLeft)
        }
    }

    /// Waits until the next poll is due and performs it.
    ///
    /// - Returns: Whether ``leave()`` ended following; `nil` if it goes on.
    private func poll(_ report: @Sendable (FeedEvent) async -> Void) async -> Bool? {
        while !Task.isCancelled, !isLeaving {
            switch nextStep() {
            case .request:
                await request(report)
                return nil
            case .wait(let time):
                // An interrupted sleep is not an error: the machine returns the next step.
                try? await clock.sleep(until: time)
            case .report(let event, let isLast):
                await report(event)
                if isLast { return false }
            }
        }
        // After a cancelled round, the next one performs the command or the end.
        return Task.isCancelled ? nil : true
    }

    /// Decides what to do now.
    ///
    /// It is not inlined: an asynchronous function keeps the memory of all its values while it waits.
    @inline(never)
    private func nextStep() -> Step {
        machine.setQuotaInterval(budget.shortestInterval)
        let now = clock.now().steady
        switch machine.action(at: now) {
        case .poll:
            if let slot, slot > now { return .wait(until: slot) }
            guard slot == nil, let time = budget.reserve(at: now) else {
                slot = nil
                return .request
            }
            slot = time
            machine.deferred(until: time)
            return .report(.scheduled(id, machine.schedule), isLast: false)
        case .wait(let time): return .wait(until: time)
        case .hold: return .wait(until: now + .seconds(86_400))
        case .stop(let end): return .report(.ended(id, end), isLast: true)
        }
    }

    /// Performs a command; returns the new schedule.
    package func command(_ command: FeedCommand) -> PollSchedule {
        switch command {
        case .pause: machine.pause()
        case .resume: machine.resume()
        case .pollNow: machine.pollNow(at: clock.now().steady)
        case .setInterval(let interval): machine.setInterval(interval, at: clock.now().steady)
        }
        if machine.schedule.next != nil { round?.cancel() }
        return machine.schedule
    }

    /// Stops following the trip: cancels the request in progress or the wait.
    package func leave() {
        isLeaving = true
        round?.cancel()
    }

    /// Stops without further events, and waits for the request in progress.
    package func cancel() async {
        isCancelled = true
        round?.cancel()
        await round?.value
    }

    @inline(never)
    private func request(_ report: @Sendable (FeedEvent) async -> Void) async {
        let reason = machine.schedule.reason
        machine.began(at: clock.now().steady)
        await report(.polling(id, machine.schedule))
        guard !Task.isCancelled, !isLeaving else { return }
        var request = JourneyRequest(provider: provider, journey: id)
        (request.routeVersion, request.trafficVersion, request.waypointsRouteVersion) = trip.state.versions
        var outcome = await client.get(request)
        switch reason {
        case .newToken: outcome.call?.cause = .rejected
        case .backOff, .retryAfter: outcome.call?.cause = .retry
        case .interval, .waitingForVehicle, .nextAttempt, .waitingForCreation, .confirmingEnd, .quota: break
        }
        guard !Task.isCancelled, !isLeaving else { return }
        // The findings come first, because a poll can end the session.
        for event in record(outcome) { await report(event) }
    }

    /// Records an outcome; returns its events.
    @inline(never)
    private func record(_ outcome: PollReport) -> [FeedEvent] {
        var outcome = outcome
        let now = clock.now().steady
        trip.record(&outcome)
        switch outcome.outcome {
        case .success(let answer): machine.answered(answer, at: now)
        case .failure(let failure): machine.failed(failure, at: now, random: &random)
        }
        // It may differ from that of the last event of the token.
        let token = ExaminedToken(client.tokenStatus(of: id))
        let findings = trip.findings(of: &outcome, token: token, interval: machine.schedule.interval)
        let polled = FeedEvent.polled(outcome, trip.state, machine.schedule)
        return findings.isEmpty ? [polled] : [.found(id, findings), polled]
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
    case polling(JourneyID, PollSchedule)
    /// A poll is complete: its report, the new state and the next schedule.
    indirect case polled(PollReport, TripState, PollSchedule)
    /// The poll that is reported next produced findings; at least one, the most severe first.
    case found(JourneyID, [Finding])
    /// The number of polls that were dropped because the reader was slow.
    case omitted(JourneyID, EventOmission)
    /// A command or the budget changed the schedule.
    case scheduled(JourneyID, PollSchedule)
    /// The driver of the trip has called the service, in a demo.
    case driver(JourneyID, Call)
    /// The trip is no longer followed.
    case ended(JourneyID, FeedEnd)
}
