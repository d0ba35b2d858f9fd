package import Failures
package import TripModel

/// Decides when to poll a trip; it neither waits nor sends requests.
///
/// Times are readings of the steady clock.
///
/// | outcome | next step |
/// |---|---|
/// | answer | the next poll one interval after the previous due time, without drift; missed polls are skipped |
/// | answer, NEW without vehicle | the same with twice the interval |
/// | COMPLETE, CANCELED, or closed with SUCCEEDED | one more poll to confirm, then the end |
/// | a closed shipment without success | twice the interval, until ``Policy/attemptTimeout`` ends, then the end: another
/// attempt may follow |
/// | 401 | one poll with a new token, as soon as it may be fetched; after that backoff, until a failure of another kind |
/// | 403 | one poll with a new token, as soon as it may be fetched; after that the end |
/// | 404 | one poll per interval until ``Policy/creationTimeout`` ends, then the end |
/// | other 4xx; a redirect; a permanent token failure | the end |
/// | any of these except the service's own 404, after a successful answer | an outage: the same as 5xx |
/// | 408, 429, 5xx, unreadable | 1, 2, 4 … intervals, at most 60 s, with jitter; `Retry-After` is a minimum |
/// | no connection, incomplete answer | 1, 2, 2 … intervals, minus jitter: a retry does not load the service, and the network
/// may be back |
/// | no token, source unreachable | one interval, minus jitter, and not before the token provider retries |
package struct PollMachine: Sendable {
    private enum State: Sendable {
        /// No answer has arrived yet.
        case connecting(FailureStreak)
        /// The trip is known.
        case following(FailureStreak)
        /// The trip has ended with this status, and one more poll confirms it.
        case confirming(JourneyStatus)
        /// Polling has stopped permanently.
        case ended(FeedEnd)
    }

    private let policy: Policy
    private var state = State.connecting(FailureStreak())
    /// The status of a shipment that was closed without success, and since when; another attempt may follow.
    private var closure: (status: JourneyStatus, since: Duration)?
    private var timetable: PollTimetable

    /// Creates a machine whose first poll is due at a time of the steady clock.
    ///
    /// If `isKnown` is true, something else has shown that the trip exists, so that every failure is an outage.
    package init(policy: Policy, firstDue: Duration, isKnown: Bool = false) {
        self.policy = policy
        if isKnown { state = .following(FailureStreak()) }
        timetable = PollTimetable(policy: policy, firstDue: firstDue)
    }

    /// The schedule, for display.
    package var schedule: PollSchedule { timetable.schedule }

    /// How polling has stopped permanently; `nil` if it has not.
    package var end: FeedEnd? { if case .ended(let end) = state { end } else { nil } }

    /// When the next poll is due, unless a poll is in progress; `nil` if only a command can lead to one.
    package var nextPoll: Duration? {
        if case .ended = state { return nil }
        return timetable.nextPoll
    }

    // MARK: Commands

    /// Stops automatic polls; explicitly requested polls are still made.
    package mutating func pause() { timetable.isPaused = true }

    /// Resumes automatic polls; polls at once if one was missed.
    package mutating func resume() { timetable.isPaused = false }

    /// Polls as soon as no poll is in progress and the service permits it.
    ///
    /// This is at once, unless the service requested a wait or the last poll was too recent.
    package mutating func pollNow(at now: Duration) { timetable.request(at: now) }

    /// Changes the interval; an out-of-range value is clamped and stored in ``PollSchedule/clampedFrom``.
    package mutating func setInterval(_ interval: Duration, at now: Duration) {
        timetable.setInterval(interval, at: now)
    }

    /// Sets the minimum interval that the quota of all trips permits, from the next poll on.
    package mutating func setQuotaInterval(_ interval: Duration) { timetable.setQuotaInterval(interval) }

    /// Records that the due poll must wait for its slot.
    package mutating func deferred(until time: Duration) { timetable.plan(time, .quota) }

    // MARK: Polls

    /// Records the start of a poll.
    ///
    /// If `startsSeries` is true, the next interval counts from it and not from the time at which it was due.
    package mutating func began(at now: Duration, startsSeries: Bool = false) {
        timetable.began(at: now, startsSeries: startsSeries)
    }

    /// Records an answer.
    package mutating func answered(_ journey: Journey, at now: Duration) {
        timetable.recordAnswer()
        if journey.isOver {
            if case .confirming = state {
                state = .ended(.reached(journey.status))
            } else {
                state = .confirming(journey.status)
                timetable.planNext(.confirmingEnd, at: now)
            }
            return
        }
        if journey.shipment?.state == .closed { return closed(journey.status, at: now) }
        closure = nil
        state = .following(FailureStreak())
        if journey.status == .trip(.new), journey.vehicleID == nil {
            timetable.planNext(.waitingForVehicle, intervals: 2, at: now)
        } else {
            timetable.planNext(.interval, at: now)
        }
    }

    /// Records that a shipment is closed without success.
    private mutating func closed(_ status: JourneyStatus, at now: Duration) {
        closure = (status, closure?.since ?? now)
        state = .following(FailureStreak())
        if !endsClosed(at: now) { timetable.planNext(.nextAttempt, intervals: 2, at: now) }
    }

    /// Ends following if a shipment has been closed without success for too long; returns whether it did.
    private mutating func endsClosed(at now: Duration) -> Bool {
        guard let (status, since) = closure, now - since >= policy.attemptTimeout else {
            return false
        }
        state = .ended(.reached(status))
        return true
    }

    /// Records a failure.
    ///
    /// - Parameters:
    ///   - failure: The failure.
    ///   - now: When it was known.
    ///   - random: Provides the jitter that spreads the waits of many clients.
    package mutating func failed(
        _ failure: Failure,
        at now: Duration,
        random: inout some RandomNumberGenerator
    ) {
        timetable.recordFailure(failure, at: now)
        // A failure says nothing about another attempt, and does not prolong the wait for it.
        if endsClosed(at: now) { return }
        let jitter = Double.random(in: 0...1, using: &random)
        let retry: FailureStreak.Retry
        switch state {
        case .connecting(var failures):
            retry = failures.record(failure, isKnown: false, policy, schedule.interval, at: now, jitter: jitter)
            state = .connecting(failures)
        case .following(var failures):
            retry = failures.record(failure, isKnown: true, policy, schedule.interval, at: now, jitter: jitter)
            state = .following(failures)
        case .confirming(let status):
            // The end was already observed, so a failed confirmation does not matter.
            state = .ended(.reached(status))
            return
        case .ended: return
        }
        switch retry {
        case .after(let delay, let reason): timetable.plan(now + delay, reason)
        case .nextInterval(let reason): timetable.planNext(reason, at: now)
        case .never(let cause): state = .ended(.failed(cause))
        }
    }
}

extension PollMachine {
    /// The limits that are the same for all trips.
    package struct Policy: Sendable, Equatable {
        /// The maximum interval.
        package static let longestInterval = Duration.seconds(300)

        /// The requested interval.
        package var interval: Duration
        /// The minimum interval.
        package var shortestInterval: Duration
        /// How long to wait for a trip that does not exist yet; `nil` for no limit.
        package var creationTimeout: Duration?
        /// How long to wait for the next attempt at a shipment that was closed without success.
        package var attemptTimeout = Duration.seconds(600)

        /// The requested interval, clamped to the limits.
        package var clampedInterval: Duration { clamp(interval) }

        /// Returns an interval within the limits, or a longer one that the quota requires.
        func clamp(_ interval: Duration, quotaInterval: Duration = .zero) -> Duration {
            max(quotaInterval, min(Self.longestInterval, max(shortestInterval, interval)))
        }
    }
}
