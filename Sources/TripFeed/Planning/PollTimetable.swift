import Failures

/// When the polls of one trip are due.
///
/// Times are readings of the steady clock.
struct PollTimetable: Sendable {
    /// The schedule, for display.
    private(set) var schedule: PollSchedule
    private let policy: PollMachine.Policy
    private var due: Duration
    private var isRequested = false
    private var lastStart: Duration?
    /// The end of the wait that the service requested.
    private var notBefore = Duration.zero
    private var requestedInterval: Duration
    /// The minimum interval that the quota of all trips permits.
    private var quotaInterval = Duration.zero

    /// Creates a timetable with a first poll.
    init(policy: PollMachine.Policy, firstDue: Duration) {
        self.policy = policy
        due = firstDue
        requestedInterval = policy.interval
        schedule = PollSchedule(interval: policy.clampedInterval, next: firstDue)
        clampInterval()
    }

    /// Whether automatic polls are stopped.
    var isPaused: Bool {
        get { schedule.isPaused }
        set { schedule.isPaused = newValue }
    }

    /// When to poll; `nil` while polls are paused and none is requested.
    var nextPoll: Duration? { isRequested ? earliest : isPaused ? nil : due }

    /// The earliest time of a requested poll.
    ///
    /// It respects the poll's slot, the wait that the service requested and the minimum distance from the last poll.
    private var earliest: Duration {
        let slot = schedule.reason == .quota ? due : .zero
        return max(slot, notBefore, lastStart.map { $0 + policy.shortestInterval } ?? .zero)
    }

    // MARK: Changes

    /// Requests a poll as soon as it is permitted.
    mutating func request(at now: Duration) {
        isRequested = true
        if let next = schedule.next { schedule.next = min(next, max(now, earliest)) }
    }

    /// Changes the requested interval; a shorter one counts from now.
    mutating func setInterval(_ interval: Duration, at now: Duration) {
        requestedInterval = interval
        clampInterval()
        // A poll in progress is not interrupted: the next one is planned with the new interval.
        guard schedule.reason == .interval, schedule.next != nil else { return }
        plan(min(due, now + schedule.interval), .interval)
    }

    /// Changes the interval that the quota permits, from the next poll on.
    mutating func setQuotaInterval(_ interval: Duration) {
        guard interval != quotaInterval else { return }
        quotaInterval = interval
        clampInterval()
    }

    private mutating func clampInterval() {
        schedule.interval = policy.clamp(requestedInterval, quotaInterval: quotaInterval)
        schedule.clampedFrom = schedule.interval == requestedInterval ? nil : requestedInterval
    }

    // MARK: Polls

    /// Records the start of a poll.
    ///
    /// If `startsSeries` is true, the interval counts from it, because it may have waited for other requests.
    mutating func began(at now: Duration, startsSeries: Bool) {
        if startsSeries { due = now }
        isRequested = false
        lastStart = now
        schedule.next = nil
    }

    /// Records an answer.
    mutating func recordAnswer() { schedule.failures = 0 }

    /// Records a failure and the wait that the service requests with it.
    mutating func recordFailure(_ failure: Failure, at now: Duration) {
        schedule.failures += 1
        if !failure.isMissingToken, let wait = failure.retryAfter {
            notBefore = now + min(wait, RetryDelay.longestRequested)
        }
    }

    /// Schedules the next poll some intervals after the previous due time, so that slow answers cause no drift.
    ///
    /// After a poll that was made early, the interval counts from that poll.
    mutating func planNext(_ reason: PollSchedule.Reason, intervals: Int = 1, at now: Duration) {
        let interval = schedule.interval * intervals
        let next = min(due, lastStart ?? due) + interval
        // After a delay of more than an interval (a pause or a suspended machine), a new series of due times begins.
        plan(next > now ? next : now + interval, reason)
    }

    /// Schedules the next poll.
    mutating func plan(_ time: Duration, _ reason: PollSchedule.Reason) {
        due = time
        schedule.next = time
        schedule.reason = reason
    }
}
