import DequeModule
package import Failures
package import TripModel

/// Decides which request is sent next when all active trips of a project are followed; it neither waits nor sends requests.
///
/// Times are readings of the steady clock. Each trip has a ``PollMachine``, whose rules for failures also apply to searches. All
/// requests share one ``PollBudget``, and compete in this order:
///
/// | request | when |
/// |---|---|
/// | SearchTrips: the next page of the sweep | a sweep starts every ``Policy/sweepInterval``; pages follow each other at once |
/// | GetTrip of a trip that the user looks at | every ``Policy/interval`` |
/// | GetTrip of a trip that a sweep no longer lists | once, for its last status |
/// | GetTrip of a trip whose vehicle moves | in turn, with what is left of the quota, at most every ``Policy/interval`` |
package struct SweepPlan: Sendable {
    /// Intervals and limits.
    package struct Policy: Sendable, Equatable {
        /// The interval between two polls of a trip that the user looks at.
        package var interval: Duration
        /// The minimum interval between two polls of a trip.
        package var shortestInterval = Duration.seconds(1)
        /// The time from the start of one sweep to the start of the next.
        package var sweepInterval = Duration.seconds(20)
        /// The quota for all requests together.
        package var requestsPerMinute: Int
        /// The maximum number of requests in flight.
        package var mostInFlight = 64
        /// The maximum number of followed trips; a sweep ignores more.
        package var mostTrips = 10_000

        package init(interval: Duration, requestsPerMinute: Int) {
            self.interval = interval
            self.requestsPerMinute = max(1, requestsPerMinute)
        }

        /// The policy of each trip.
        fileprivate var polling: PollMachine.Policy {
            PollMachine.Policy(interval: interval, shortestInterval: shortestInterval, creationTimeout: nil)
        }
    }

    /// The next step.
    package enum Step: Sendable, Equatable {
        /// Request a page of the sweep; without a token, the first page.
        case search(pageToken: String?)
        /// Request a trip.
        case get(JourneyID)
        /// Wait until a time of the steady clock, or for an answer or a command.
        case wait(until: Duration)
        /// Wait for an answer or a command.
        case hold
    }

    private enum Search {
        /// A page is due at a time.
        case due(Duration, pageToken: String?)
        /// A page was requested.
        case inFlight(pageToken: String?)
    }

    /// The maximum number of pages of one sweep.
    static let mostPages = 1000
    /// The delay after the first failed search.
    private static let searchDelay = Duration.seconds(4)
    /// The shortest delay after the service reported that a quota is used up.
    private static let quotaDelay = Duration.seconds(5)

    private(set) var policy: Policy
    private var budget: PollBudget
    private var trips: [JourneyID: PlannedTrip] = [:]
    private var search: Search
    private var searchStreak = FailureStreak()
    private var searchFailures = 0
    /// The number of the current sweep, the number of its pages, and the number of followed trips on them.
    private var sweep = (number: 1, pages: 0, listed: 0)
    private var sweepStart: Duration
    private var looked: Set<JourneyID> = []
    private var missing: Deque<JourneyID> = []
    private var moving: Deque<JourneyID> = []
    /// The ended trips with the number of the sweep in which they ended.
    ///
    /// A page that was requested before the end may still list them.
    private var ended: [JourneyID: Int] = [:]
    private var paused: Set<JourneyID> = []
    /// The number of requests whose answers have not been recorded.
    private(set) var inFlight = 0

    /// Creates a plan whose first sweep starts now.
    package init(_ policy: Policy, at now: Duration) {
        self.policy = policy
        budget = PollBudget(requestsPerMinute: policy.requestsPerMinute, interval: .zero)
        search = .due(now, pageToken: nil)
        sweepStart = now
    }

    /// The number of followed trips.
    package var count: Int { trips.count }

    private func planned(at now: Duration) -> PlannedTrip {
        PlannedTrip(machine: PollMachine(policy: policy.polling, firstDue: now, isKnown: true), sweep: sweep.number)
    }

    // MARK: Steps

    /// Returns the next step and records its request as sent.
    package mutating func next(at now: Duration) -> Step {
        guard inFlight < policy.mostInFlight else { return .hold }
        if let slot = budget.nextSlot(at: now) { return .wait(until: slot) }
        if case .due(let time, let token) = search, time <= now, !isPaused {
            if token == nil {
                sweepStart = now
                (sweep.pages, sweep.listed) = (0, 0)
            }
            search = .inFlight(pageToken: token)
            send(at: now)
            return .search(pageToken: token)
        }
        if let trip = dueTrip(at: now) {
            trips[trip]?.isInFlight = true
            trips[trip]?.machine.began(at: now, startsSeries: true)
            send(at: now)
            return .get(trip)
        }
        return earliest.map { .wait(until: max($0, now)) } ?? .hold
    }

    private mutating func send(at now: Duration) {
        inFlight += 1
        _ = budget.reserve(at: now)
    }

    /// Returns the trip to request now; `nil` if none is due.
    private mutating func dueTrip(at now: Duration) -> JourneyID? {
        // Of those that are due at the same time, the first by ID: a set has another order in each run.
        let first = looked.compactMap { id in trips[id]?.nextPoll.map { (id, $0) } }
            .min { ($0.1, $0.0.rawValue) < ($1.1, $1.0.rawValue) }
        if let (trip, due) = first, due <= now { return trip }
        guard !isPaused else { return nil }
        while let trip = missing.popFirst() {
            guard let planned = trips[trip], planned.isMissing, !planned.isInFlight else { continue }
            return trip
        }
        while let trip = moving.first {
            // A trip may have been removed or paused, or the user may look at it now.
            guard let planned = trips[trip], planned.isQueued, !looked.contains(trip), let due = planned.nextPoll else {
                moving.removeFirst()
                trips[trip]?.isQueued = false
                continue
            }
            guard due <= now else { return nil }
            moving.removeFirst()
            trips[trip]?.isQueued = false
            return trip
        }
        return nil
    }

    /// The earliest time at which something is due; `nil` if only an answer or a command can change that.
    private var earliest: Duration? {
        var times = looked.compactMap { trips[$0]?.nextPoll }
        if !isPaused {
            if case .due(let time, _) = search { times.append(time) }
            if let due = moving.first.flatMap({ trips[$0]?.nextPoll }) { times.append(due) }
        }
        return times.min()
    }

    // MARK: Answers

    /// Records a page of the sweep.
    ///
    /// - Parameters:
    ///   - found: The listed trips and whether their vehicles have moved.
    ///   - pageToken: The token of the next page; `nil` on the last one.
    ///   - now: The time of the answer.
    /// - Returns: The trips that are followed; too many and ended ones are left out.
    package mutating func searched(
        _ found: [(journey: JourneyID, isMoving: Bool)],
        pageToken: String?,
        at now: Duration
    ) -> Set<JourneyID> {
        guard case .inFlight(let previous) = search else { return [] }
        inFlight -= 1
        (searchStreak, searchFailures) = (FailureStreak(), 0)
        sweep.pages += 1
        var followed: Set<JourneyID> = []
        for (id, isMoving) in found {
            guard ended[id] == nil, trips[id] != nil || trips.count < policy.mostTrips else { continue }
            followed.insert(id)
            var trip = trips[id] ?? planned(at: now)
            (trip.sweep, trip.isMissing) = (sweep.number, false)
            trips[id] = trip
            if isMoving { enqueue(id) }
        }
        sweep.listed += followed.count
        // A service that repeats a token or never ends its list must not keep the sweep running.
        if let pageToken, pageToken != previous, sweep.pages < Self.mostPages, sweep.listed < policy.mostTrips {
            search = .due(now, pageToken: pageToken)
        } else {
            finishSweep(isComplete: pageToken == nil, at: now)
        }
        return followed
    }

    private mutating func finishSweep(isComplete: Bool, at now: Duration) {
        if isComplete {
            let unlisted = trips.filter { $0.value.sweep < sweep.number && !$0.value.isMissing }.keys
            for id in unlisted.sorted(by: { $0.rawValue < $1.rawValue }) {
                trips[id]?.isMissing = true
                missing.append(id)
            }
        }
        sweep.number += 1
        ended = ended.filter { $0.value >= sweep.number - 2 }
        search = .due(max(now, sweepStart + policy.sweepInterval), pageToken: nil)
    }

    /// Records a failed page; it is requested again by the rule for polls of a known trip.
    ///
    /// - Parameters:
    ///   - failure: The failure.
    ///   - now: The time of the answer.
    ///   - random: Provides the jitter that spreads the retries of many clients.
    package mutating func searchFailed(
        _ failure: Failure,
        at now: Duration,
        random: inout some RandomNumberGenerator
    ) {
        guard case .inFlight(let token) = search else { return }
        inFlight -= 1
        searchFailures += 1
        let jitter = Double.random(in: 0...1, using: &random)
        let retry = searchStreak.record(
            failure,
            isKnown: true,
            policy.polling,
            Self.searchDelay,
            at: now,
            jitter: jitter
        )
        let delay =
            switch retry {
            case .after(let delay, _): delay
            case .nextInterval, .never: Self.searchDelay
            }
        // The service may refuse the request itself, such as an outdated page token.
        let restarts = failure.httpStatus == 400 || searchFailures > 3
        search = .due(now + delay, pageToken: restarts ? nil : token)
        holdIfExhausted(failure, at: now, jitter: jitter)
    }

    /// Records the answer to a request for a trip.
    package mutating func answered(_ journey: Journey, isMoving: Bool, at now: Duration) {
        guard finish(journey.id) else { return }
        trips[journey.id]?.machine.answered(journey, at: now)
        trips[journey.id]?.isMissing = false
        if isMoving { enqueue(journey.id) }
    }

    /// Records a failed request for a trip.
    package mutating func failed(
        _ id: JourneyID,
        _ failure: Failure,
        at now: Duration,
        random: inout some RandomNumberGenerator
    ) {
        if finish(id) {
            trips[id]?.machine.failed(failure, at: now, random: &random)
            // It is polled again after the next sweep.
            trips[id]?.isMissing = false
        }
        holdIfExhausted(failure, at: now, jitter: Double.random(in: 0...1, using: &random))
    }

    /// Sends nothing for a while if a quota of the project is used up.
    private mutating func holdIfExhausted(_ failure: Failure, at now: Duration, jitter: Double) {
        guard failure.httpStatus == 429 else { return }
        let delay = RetryDelay(after: 1, interval: Self.quotaDelay, requested: failure.retryAfter, jitter: jitter)
        budget.hold(until: now + delay.duration)
    }

    /// Records that a request for a trip has ended; returns whether the trip is still followed.
    ///
    /// A request of a removed trip also frees its place.
    @discardableResult
    package mutating func finish(_ id: JourneyID) -> Bool {
        inFlight -= 1
        guard trips[id]?.isInFlight == true else { return false }
        trips[id]?.isInFlight = false
        return true
    }

    private mutating func enqueue(_ id: JourneyID) {
        guard let trip = trips[id], !trip.isQueued, !trip.isInFlight else { return }
        trips[id]?.isQueued = true
        moving.append(id)
    }

    // MARK: Changes

    /// Sets the trips that the user looks at; trips that no sweep has listed are added.
    package mutating func look(at ids: Set<JourneyID>) {
        for id in ids where trips[id] == nil && ended[id] == nil { trips[id] = planned(at: sweepStart) }
        looked = ids
    }

    /// Returns whether the user looks at a trip.
    package func isLooked(at id: JourneyID) -> Bool { looked.contains(id) }

    /// Removes a trip that has ended.
    package mutating func end(_ id: JourneyID) {
        remove(id)
        ended[id] = sweep.number
    }

    /// Removes a trip; a sweep that lists it adds it again.
    package mutating func remove(_ id: JourneyID) {
        trips[id] = nil
        paused.remove(id)
    }

    /// Makes an ended trip followable again.
    package mutating func restart(_ id: JourneyID) { ended[id] = nil }

    /// Requests a trip as soon as possible.
    package mutating func request(_ id: JourneyID, at now: Duration) {
        trips[id]?.machine.pollNow(at: now)
        if !looked.contains(id), trips[id]?.isMissing == false {
            trips[id]?.isMissing = true
            missing.append(id)
        }
    }

    /// Pauses or resumes a trip; when all trips are paused, sweeps stop, too.
    package mutating func pause(_ id: JourneyID, _ isOn: Bool) {
        guard trips[id] != nil else { return }
        if isOn {
            paused.insert(id)
            trips[id]?.machine.pause()
        } else {
            paused.remove(id)
            trips[id]?.machine.resume()
        }
    }

    /// Changes the interval of all trips.
    package mutating func setInterval(_ interval: Duration, at now: Duration) {
        policy.interval = interval
        for id in trips.keys { trips[id]?.machine.setInterval(interval, at: now) }
    }

    private var isPaused: Bool { !trips.isEmpty && paused.count == trips.count }

    /// Returns the schedule of a trip, for display.
    package func schedule(of id: JourneyID) -> PollSchedule {
        guard let trip = trips[id] else { return PollSchedule(interval: policy.sweepInterval, next: nil) }
        var schedule = trip.machine.schedule
        guard !looked.contains(id) else { return schedule }
        // Sweeps show its status.
        schedule.interval = policy.sweepInterval
        if schedule.next != nil { schedule.next = sweepStart + policy.sweepInterval }
        return schedule
    }
}

/// The data of the plan about one trip.
private struct PlannedTrip {
    /// Decides when it is due.
    var machine: PollMachine
    /// The number of the last sweep that listed it.
    var sweep: Int
    /// Whether it is in the queue of moving trips.
    var isQueued = false
    /// Whether the last sweep did not list it, and its end is to be learned.
    var isMissing = false
    var isInFlight = false

    /// When the next request is due; `nil` during a request, and while the trip is paused.
    var nextPoll: Duration? { isInFlight ? nil : machine.nextPoll }
}
