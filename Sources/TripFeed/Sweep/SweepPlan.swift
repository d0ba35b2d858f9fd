package import TripModel

/// Decides which request is sent next when all active trips of a project are followed; it neither waits nor sends requests.
///
/// Times are readings of the steady clock. Requests keep the distance that the quota requires, and compete in this order:
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
        /// The time from the start of one sweep to the start of the next.
        package var sweepInterval = Duration.seconds(20)
        /// The quota for all requests together.
        package var requestsPerMinute: Int
        /// The maximum number of requests in flight.
        package var mostInFlight = 64
        /// The maximum number of followed trips; a sweep ignores more.
        package var mostTrips = 10_000

        /// Creates a policy.
        package init(interval: Duration, requestsPerMinute: Int) {
            self.interval = interval
            self.requestsPerMinute = max(1, requestsPerMinute)
        }
    }

    /// The next step.
    package enum Step: Sendable, Equatable {
        /// Request a page of the sweep; without a token, the first page.
        case search(pageToken: String?)
        /// Request a trip.
        case get(TripID)
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
    /// The maximum number of requests in a burst after a delay.
    static let burst = 20
    /// The delay after the first failed search.
    private static let searchDelay = Duration.seconds(4)
    /// The shortest delay after the service reported that a quota is used up.
    private static let quotaDelay = Duration.seconds(5)

    private(set) var policy: Policy
    private var trips: [TripID: PlannedTrip] = [:]
    private var search: Search
    private var searchFailures = 0
    /// The number of the current sweep, the number of its pages, and the number of followed trips on them.
    private var sweep = (number: 1, pages: 0, listed: 0)
    private var sweepStart: Duration
    private var looked: Set<TripID> = []
    private var missing = TripQueue()
    private var moving = TripQueue()
    /// The ended trips with the number of the sweep in which they ended.
    ///
    /// A page that was requested before the end may still list them.
    private var ended: [TripID: Int] = [:]
    private var paused: Set<TripID> = []
    /// The number of requests whose answers have not been recorded.
    private(set) var inFlight = 0
    /// The earliest time of the next request without bursts.
    private var nextSlot: Duration

    /// Creates a plan whose first sweep starts now.
    package init(_ policy: Policy, at now: Duration) {
        self.policy = policy
        search = .due(now, pageToken: nil)
        sweepStart = now
        nextSlot = now
    }

    /// The number of followed trips.
    package var count: Int { trips.count }

    /// The distance between two requests: 2 % more than the quota requires, because the network changes the distances.
    private var distance: Duration { .seconds(60) / policy.requestsPerMinute * 1.02 }

    // MARK: Steps

    /// Returns the next step and records its request as sent.
    package mutating func next(at now: Duration) -> Step {
        guard inFlight < policy.mostInFlight else { return .hold }
        let slot = nextSlot - distance * Self.burst
        guard slot <= now else { return .wait(until: slot) }
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
            trips[trip]?.begin(at: now)
            send(at: now)
            return .get(trip)
        }
        return earliest.map { .wait(until: max($0, now)) } ?? .hold
    }

    private mutating func send(at now: Duration) {
        inFlight += 1
        nextSlot = max(nextSlot, now) + distance
    }

    /// Returns the trip to request now; `nil` if none is due.
    private mutating func dueTrip(at now: Duration) -> TripID? {
        let first = looked.compactMap { id in lookedDue(id).map { (id, $0) } }.min { $0.1 < $1.1 }
        if let (trip, due) = first, due <= now { return trip }
        guard !isPaused else { return nil }
        while let trip = missing.popFirst() {
            guard let planned = trips[trip], planned.isMissing, !planned.isInFlight else { continue }
            return trip
        }
        while let trip = moving.first {
            // A trip may have been removed, or the user may look at it now.
            guard let planned = trips[trip], planned.isQueued, !looked.contains(trip) else {
                moving.popFirst()
                trips[trip]?.isQueued = false
                continue
            }
            guard planned.due(every: policy.interval) <= now else { return nil }
            moving.popFirst()
            trips[trip]?.isQueued = false
            return trip
        }
        return nil
    }

    /// Returns when a trip that the user looks at is due; `nil` while it is requested or paused.
    private func lookedDue(_ id: TripID) -> Duration? {
        guard let trip = trips[id], !trip.isInFlight, trip.isRequested || !paused.contains(id) else { return nil }
        return trip.due(every: policy.interval)
    }

    /// The earliest time at which something is due; `nil` if only an answer or a command can change that.
    private var earliest: Duration? {
        var times = looked.compactMap(lookedDue)
        if !isPaused {
            if case .due(let time, _) = search { times.append(time) }
            if let trip = moving.first.flatMap({ trips[$0] }) { times.append(trip.due(every: policy.interval)) }
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
        _ found: [(trip: TripID, isMoving: Bool)],
        pageToken: String?,
        at now: Duration
    ) -> Set<TripID> {
        guard case .inFlight(let previous) = search else { return [] }
        inFlight -= 1
        searchFailures = 0
        sweep.pages += 1
        var followed: Set<TripID> = []
        for (id, isMoving) in found {
            guard ended[id] == nil, trips[id] != nil || trips.count < policy.mostTrips else { continue }
            followed.insert(id)
            trips[id, default: PlannedTrip()].sweep = sweep.number
            trips[id]?.isMissing = false
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
            for (id, trip) in trips where trip.sweep < sweep.number && !trip.isMissing {
                trips[id]?.isMissing = true
                missing.append(id)
            }
        }
        sweep.number += 1
        ended = ended.filter { $0.value >= sweep.number - 2 }
        search = .due(max(now, sweepStart + policy.sweepInterval), pageToken: nil)
    }

    /// Records a failed page; it is requested again after a delay that doubles with each failure.
    ///
    /// - Parameters:
    ///   - retryAfter: The delay that the service requests.
    ///   - isRefused: Whether the service refuses the request itself, such as an outdated page token.
    ///   - now: The time of the answer.
    ///   - jitter: A random number from 0 to 1, which spreads the retries of many clients.
    package mutating func searchFailed(
        retryAfter: Duration?,
        isRefused: Bool,
        at now: Duration,
        jitter: Double
    ) {
        guard case .inFlight(let token) = search else { return }
        inFlight -= 1
        searchFailures += 1
        let delay = RetryDelay(
            after: searchFailures,
            interval: Self.searchDelay,
            requested: retryAfter,
            jitter: jitter
        )
        let restarts = isRefused || searchFailures > 3
        search = .due(now + delay.duration, pageToken: restarts ? nil : token)
    }

    /// Records the answer to a request for a trip.
    package mutating func answered(_ id: TripID, isMoving: Bool, at now: Duration) {
        guard finish(id) else { return }
        trips[id]?.failures = 0
        trips[id]?.notBefore = .zero
        trips[id]?.isMissing = false
        if isMoving { enqueue(id) }
    }

    /// Records a failed request for a trip; the next one comes after a delay that doubles with each failure.
    package mutating func failed(_ id: TripID, retryAfter: Duration?, at now: Duration, jitter: Double) {
        guard finish(id), let failures = trips[id]?.failures else { return }
        trips[id]?.failures = failures + 1
        let delay = RetryDelay(
            after: failures + 1,
            interval: policy.interval,
            requested: retryAfter,
            jitter: jitter
        )
        trips[id]?.notBefore = now + delay.duration
        // It is polled again after the next sweep.
        trips[id]?.isMissing = false
    }

    /// Records that the service refuses all requests for a while, because a quota is used up.
    package mutating func hold(retryAfter: Duration?, at now: Duration, jitter: Double) {
        let delay = RetryDelay(after: 1, interval: Self.quotaDelay, requested: retryAfter, jitter: jitter)
        nextSlot = max(nextSlot, now + delay.duration + distance * Self.burst)
    }

    private mutating func finish(_ id: TripID) -> Bool {
        // A request of a removed trip also frees its place.
        inFlight -= 1
        guard trips[id]?.isInFlight == true else { return false }
        trips[id]?.isInFlight = false
        return true
    }

    private mutating func enqueue(_ id: TripID) {
        guard let trip = trips[id], !trip.isQueued, !trip.isInFlight else { return }
        trips[id]?.isQueued = true
        moving.append(id)
    }

    // MARK: Changes

    /// Sets the trips that the user looks at; trips that no sweep has listed are added.
    package mutating func look(at ids: Set<TripID>) {
        for id in ids where trips[id] == nil && ended[id] == nil {
            trips[id] = PlannedTrip(sweep: sweep.number)
        }
        looked = ids
    }

    /// Returns whether the user looks at a trip.
    package func isLooked(at id: TripID) -> Bool { looked.contains(id) }

    /// Removes a trip that has ended.
    package mutating func end(_ id: TripID) {
        remove(id)
        ended[id] = sweep.number
    }

    /// Removes a trip; a sweep that lists it adds it again.
    package mutating func remove(_ id: TripID) {
        trips[id] = nil
        paused.remove(id)
    }

    /// Makes an ended trip followable again.
    package mutating func restart(_ id: TripID) { ended[id] = nil }

    /// Requests a trip as soon as possible.
    package mutating func request(_ id: TripID) {
        trips[id]?.isRequested = true
        if !looked.contains(id), trips[id]?.isMissing == false {
            trips[id]?.isMissing = true
            missing.append(id)
        }
    }

    /// Pauses or resumes a trip; when all trips are paused, sweeps stop, too.
    package mutating func pause(_ id: TripID, _ isOn: Bool) {
        guard trips[id] != nil else { return }
        if isOn { paused.insert(id) } else { paused.remove(id) }
    }

    /// Changes the interval of the trips that the user looks at.
    package mutating func setInterval(_ interval: Duration) { policy.interval = interval }

    private var isPaused: Bool { !trips.isEmpty && paused.count == trips.count }

    /// Returns the schedule of a trip, for display.
    package func schedule(of id: TripID) -> PollSchedule {
        var schedule = PollSchedule(interval: looked.contains(id) ? policy.interval : policy.sweepInterval, next: nil)
        schedule.isPaused = paused.contains(id)
        schedule.failures = trips[id]?.failures ?? 0
        guard let trip = trips[id], !trip.isInFlight else { return schedule }
        schedule.next = looked.contains(id) ? trip.due(every: policy.interval) : sweepStart + policy.sweepInterval
        schedule.reason = trip.failures > 0 ? .backOff : .interval
        return schedule
    }
}

/// The data of the plan about one trip.
private struct PlannedTrip {
    /// The number of the last sweep that listed it.
    var sweep = 0
    /// Whether it is in the queue of moving trips.
    var isQueued = false
    /// Whether the last sweep did not list it, and its end is to be learned.
    var isMissing = false
    var isInFlight = false
    /// Whether the user has requested it.
    var isRequested = false
    /// When it was last requested.
    var asked: Duration?
    var failures = 0
    /// The end of the delay after a failure.
    var notBefore = Duration.zero

    /// When the next request is due.
    func due(every interval: Duration) -> Duration {
        guard let asked else { return notBefore }
        return max(notBefore, isRequested ? asked + .seconds(1) : asked + interval)
    }

    mutating func begin(at now: Duration) {
        isInFlight = true
        isRequested = false
        asked = now
    }
}

/// A first-in, first-out queue of trips.
private struct TripQueue {
    private var trips: [TripID] = []
    private var head = 0

    var first: TripID? { head < trips.count ? trips[head] : nil }

    mutating func append(_ trip: TripID) { trips.append(trip) }

    @discardableResult
    mutating func popFirst() -> TripID? {
        guard let trip = first else { return nil }
        head += 1
        if head > 1000, head * 2 > trips.count {
            trips.removeFirst(head)
            head = 0
        }
        return trip
    }
}
