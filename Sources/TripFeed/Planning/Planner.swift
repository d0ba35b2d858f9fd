package import TripModel

/// Decides what is asked next and when; the only planner of the program, which neither waits nor sends requests.
///
/// Each request is an item with a time and a priority. Times are readings of the steady clock. Of the items that are due, the
/// items of the highest priority are asked first, in the order of their due times:
///
/// | item | priority | when |
/// |---|---|---|
/// | the next page of a project's trips | ``Item/page(token:)`` before all journeys | a ``Sweep`` starts every ``Policy/sweepInterval``; its pages follow each other at once |
/// | a named journey, or a trip that the user sees | ``Priority/shown`` | as its ``PollMachine`` says: every interval, or after a backoff |
/// | a trip that a sweep no longer lists | ``Priority/missing`` | once, for its last status |
/// | a trip whose vehicle moves | ``Priority/moving`` | in turn, with what is left of the quota, at most every interval |
///
/// Journeys and pages share one rule for each thing: ``PollTimetable`` has their times, ``FailureStreak`` and ``RetryDelay`` the
/// delays after failures, and ``PollBudget`` the quota of all requests.
///
/// ```
///            next(at:) ─▶ ask ─▶ (sent) ─▶ answered, failed, searched, searchFailed ─┐
///   add, view ─▶ journeys ─▶ place ─▶ queues, one for each priority ◀────────────────┘
///                    └──── end, remove: nothing is left ────▶
/// ```
///
/// Named journeys, which are known and equal, and the trips of a project, which are found and compete, differ in these rules:
///
/// | | named journeys | a project |
/// |---|---|---|
/// | the first poll | has an offset within the interval of its own | is due when the trip is listed or shown |
/// | the interval | is at least what the quota permits for all of them | is as set; vehicles that move share the rest of the quota |
/// | the next poll | an interval after the last one was due | an interval after the last one was sent |
/// | no slot is free | the next one is taken and reported | it is not reserved: something more important may come |
/// | a 429 | that journey waits | all requests wait |
/// | the end | is confirmed by one more poll | is the first answer that says so: the sweep has shown it, too |
///
/// Every change of a journey ends with its new place in the queues. A journey that is over leaves nothing behind, with one
/// exception: the ID of an ended trip of a project is remembered while sweeps list it and for two sweeps more, so that no page
/// brings it back.
package struct Planner: Sendable {
    /// What can be asked.
    package enum Item: Sendable, Equatable {
        /// A page of the sweep; without a token, the first page.
        case page(token: String?)
        /// A journey.
        case journey(JourneyID)
    }

    /// The next step.
    package enum Action: Sendable, Equatable {
        /// Ask for an item; it counts as sent.
        case ask(Item)
        /// Report that the request of a journey got a later slot.
        case deferred(JourneyID)
        /// Wait until a time, or for an answer or a change.
        case wait(until: Duration)
        /// Wait for an answer or a change.
        case hold
        /// Nothing is followed, and nothing can be added.
        case done
    }

    /// The priorities of journeys, the highest first.
    enum Priority: Int, Sendable, CaseIterable { case shown, missing, moving }

    var policy: Policy
    var budget: PollBudget
    /// The pages of a project; `nil` if only named journeys are followed.
    var sweep: Sweep?
    var journeys: [JourneyID: PlannedJourney] = [:]
    private var queues = Priority.allCases.map { _ in DueQueue() }
    private var pausedJourneys = 0
    /// The trips of a project that the user sees.
    var shown: Set<JourneyID> = []
    /// The ended trips that a sweep may still list, with the number of the last one that may have.
    var ended: [JourneyID: Int] = [:]
    /// The number of named journeys ever added; each gets its own offset within the interval.
    var added = 0
    let start: Duration
    /// The number of requests whose answers have not been recorded.
    package internal(set) var inFlight = 0
    /// Whether journeys may be added when none is left.
    package var isOpen = true

    /// Creates a planner without journeys; the first sweep of a project starts now.
    package init(_ policy: Policy, at now: Duration) {
        self.policy = policy
        sweep = policy.sweepInterval.map { Sweep(every: $0, at: now) }
        budget = PollBudget(
            requestsPerMinute: policy.requestsPerMinute,
            interval: sweep == nil ? policy.polling.clampedInterval : .zero
        )
        start = now
    }

    /// The number of followed journeys.
    package var count: Int { journeys.count }

    /// The followed journeys.
    package var followed: Set<JourneyID> { Set(journeys.keys) }

    /// The number of entries of all tables: at most five for each followed journey, and one for each ended trip that is remembered.
    package var size: Int {
        queues.reduce(journeys.count + shown.count + ended.count) { $0 + $1.count + $1.entryCount }
    }

    // MARK: Steps

    /// Returns the next step and records its request as sent.
    package mutating func next(at now: Duration) -> Action {
        guard inFlight < policy.mostInFlight else { return .hold }
        if sweep != nil, let slot = budget.nextSlot(at: now) { return .wait(until: slot) }
        var earliest: Duration?
        if !isPaused, let due = sweep?.due {
            if due <= now { return askPage(at: now) }
            earliest = due
        }
        // While all trips are paused, only those that the user requests are polled.
        for priority in Priority.allCases where priority == .shown || !isPaused {
            guard let first = queues[priority.rawValue].first() else { continue }
            if first.due <= now { return ask(first.id, at: now) }
            earliest = min(earliest ?? first.due, first.due)
        }
        if let earliest { return .wait(until: earliest) }
        return isOpen || !journeys.isEmpty || inFlight > 0 ? .hold : .done
    }

    private mutating func askPage(at now: Duration) -> Action {
        inFlight += 1
        _ = budget.reserve(at: now)
        return .ask(.page(token: sweep?.begin(at: now)))
    }

    private mutating func ask(_ id: JourneyID, at now: Duration) -> Action {
        let isNamed = sweep == nil
        let quotaInterval = isNamed ? budget.shortestInterval : .zero
        if journeys[id]?.hasSlot != true, let slot = budget.reserve(at: now) {
            update(id) { journey in
                journey.rules.setQuotaInterval(quotaInterval)
                journey.rules.deferred(until: slot)
                journey.hasSlot = true
            }
            return .deferred(id)
        }
        update(id) { journey in
            journey.rules.setQuotaInterval(quotaInterval)
            // What is asked with the rest of a quota is asked an interval after the last time, not after the time it was due.
            journey.begin(at: now, startsSeries: !isNamed)
        }
        inFlight += 1
        return .ask(.journey(id))
    }

    private var isPaused: Bool { !journeys.isEmpty && pausedJourneys == journeys.count }

    // MARK: Places

    /// Changes a followed journey, which then has its new place in the queues.
    mutating func update(_ id: JourneyID, _ change: (inout PlannedJourney) -> Void) {
        guard let index = journeys.index(forKey: id) else { return }
        let before = journeys.values[index]
        change(&journeys.values[index])
        move(id, from: before, to: journeys.values[index])
    }

    /// Adds a journey.
    mutating func insert(_ id: JourneyID, _ journey: PlannedJourney) {
        move(id, from: journeys.updateValue(journey, forKey: id), to: journey)
    }

    /// Removes a journey; a sweep that lists it adds it again.
    package mutating func remove(_ id: JourneyID) {
        move(id, from: journeys.removeValue(forKey: id), to: nil)
        shown.remove(id)
        if sweep == nil { budget.trips = journeys.count }
    }

    private mutating func move(_ id: JourneyID, from before: PlannedJourney?, to after: PlannedJourney?) {
        if before?.rules.schedule.isPaused == true { pausedJourneys -= 1 }
        if after?.rules.schedule.isPaused == true { pausedJourneys += 1 }
        let (old, new) = (before?.place, after?.place)
        guard old != new else { return }
        if let old { queues[old.priority.rawValue].remove(id) }
        if let new { queues[new.priority.rawValue].insert(id, due: new.due) }
    }
}

extension Planner {
    /// Intervals and limits.
    package struct Policy: Sendable, Equatable {
        /// The rules and limits of each journey.
        package var polling: PollMachine.Policy
        /// The quota for all requests together; `nil` for none.
        package var requestsPerMinute: Int?
        /// The time from the start of one sweep to the start of the next; `nil` if only named journeys are followed.
        package let sweepInterval: Duration?
        /// The maximum number of requests in flight.
        package var mostInFlight = Int.max
        /// The maximum number of followed trips of a project; a sweep ignores more.
        package var mostTrips = 10_000

        /// Creates the policy of named journeys.
        package init(interval: Duration, shortestInterval: Duration, creationTimeout: Duration?) {
            polling = PollMachine.Policy(
                interval: interval,
                shortestInterval: shortestInterval,
                creationTimeout: creationTimeout
            )
            sweepInterval = nil
        }

        /// Creates the policy of the trips of a project.
        package init(
            interval: Duration,
            shortestInterval: Duration = .seconds(1),
            requestsPerMinute: Int,
            sweepInterval: Duration = .seconds(20)
        ) {
            polling = PollMachine.Policy(
                interval: interval,
                shortestInterval: shortestInterval,
                creationTimeout: nil
            )
            self.requestsPerMinute = requestsPerMinute
            self.sweepInterval = sweepInterval
            mostInFlight = 64
        }
    }
}
