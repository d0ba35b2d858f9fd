import FleetTokens
import FleetWire
import HTTPTransport
package import TripModel

/// Decides when to poll a trip; it neither waits nor sends requests.
///
/// Times are readings of the steady clock.
///
/// | outcome | next step |
/// |---|---|
/// | answer | the next poll one interval after the previous due time, without drift; missed polls are skipped |
/// | answer, NEW without vehicle | the same with twice the interval |
/// | COMPLETE or CANCELED | one more poll to confirm, then the end |
/// | 401 | one poll with a new token, as soon as it may be fetched; after that backoff |
/// | 403 | one poll with a new token, as soon as it may be fetched; after that the end |
/// | 404 | one poll per interval until ``Policy/creationPatience`` ends, then the end |
/// | other 4xx; a redirect; a permanent token failure | the end |
/// | any of these except the service's own 404, after a successful answer | an outage: the same as 5xx |
/// | 408, 429, 5xx, unreadable | 1, 2, 4 … intervals, at most 60 s, with jitter; `Retry-After` is a minimum |
/// | no connection, incomplete answer | 1, 2, 2 … intervals, minus jitter: a retry does not load the service, and the network
/// may be back |
/// | no token, source unreachable | one interval, minus jitter, and not before the token provider retries |
package struct PollMachine: Sendable {
    /// The next step.
    package enum Action: Sendable, Equatable {
        /// Send one request.
        case poll
        /// Wait until a time of the steady clock.
        case wait(until: Duration)
        /// Wait for a command.
        case hold
        /// Stop permanently.
        case stop(FeedEnd)
    }

    /// The limits that are the same for all trips.
    package struct Policy: Sendable, Equatable {
        /// The requested interval.
        package var interval: Duration
        /// The minimum interval.
        package var shortestInterval: Duration
        /// How long to wait for a trip that does not exist yet; `nil` for no limit.
        package var creationPatience: Duration?

        /// Creates a policy; the interval is raised to `shortestInterval` if necessary.
        package init(interval: Duration, shortestInterval: Duration, creationPatience: Duration?) {
            self.interval = interval
            self.shortestInterval = shortestInterval
            self.creationPatience = creationPatience
        }

        /// The requested interval, clamped to the limits.
        package var clampedInterval: Duration { clamp(interval) }

        func clamp(_ interval: Duration, floor: Duration = .zero) -> Duration {
            max(floor, min(longestInterval, max(shortestInterval, interval)))
        }
    }

    /// The maximum interval.
    package static let longestInterval = Duration.seconds(300)
    static let longestBackOff = Duration.seconds(60)
    static let longestRetryAfter = Duration.seconds(300)

    /// The schedule, for display.
    package private(set) var schedule: PollSchedule
    private let policy: Policy
    private var due: Duration?
    private var missingSince: Duration?
    private var hasBeenSeen = false
    /// The HTTP statuses of refusals that were retried with a new token since the last successful answer.
    private var retried: Set<Int> = []
    /// The 401 or 403 after which a new token is tried.
    private var refusal: PollFailure?
    /// Whether the machine has already waited for the provider to fetch that token.
    private var hasWaitedForToken = false
    private var confirms: TripStatus?
    private var end: FeedEnd?
    private var isWanted = false
    /// When the last poll began.
    private var lastBegan: Duration?
    /// The end of the wait that the service requested.
    private var quietUntil = Duration.zero
    /// The number of service failures since its last regular answer; a 404 counts as a regular answer.
    ///
    /// It determines the backoff.
    private var troubles = 0
    /// The number of network failures since then.
    private var losses = 0
    private var wanted: Duration
    private var floor = Duration.zero

    /// Creates a machine whose first poll is due at a time of the steady clock.
    package init(policy: Policy, firstDue: Duration) {
        self.policy = policy
        due = firstDue
        wanted = policy.interval
        let interval = policy.clampedInterval
        schedule = PollSchedule(interval: interval, next: firstDue)
        schedule.clampedFrom = interval == policy.interval ? nil : policy.interval
    }

    /// Returns the next step; call it only while no poll is in progress.
    package func action(at now: Duration) -> Action {
        if let end { return .stop(end) }
        if isWanted {
            let time = earliest
            return time > now ? .wait(until: time) : .poll
        }
        guard !schedule.isPaused, let due else { return .hold }
        return due <= now ? .poll : .wait(until: due)
    }

    /// Records the start of a poll.
    package mutating func began(at now: Duration) {
        isWanted = false
        lastBegan = now
        schedule.next = nil
    }

    /// The earliest time of a requested poll.
    ///
    /// It respects the poll's slot, the wait that the service requested and the minimum distance from the last poll.
    private var earliest: Duration {
        let turn = schedule.reason == .quota ? due ?? .zero : .zero
        return max(turn, quietUntil, lastBegan.map { $0 + policy.shortestInterval } ?? .zero)
    }

    // MARK: Commands

    /// Stops automatic polls; explicitly requested polls are still made.
    package mutating func pause() {
        schedule.isPaused = true
    }

    /// Resumes automatic polls; polls at once if one was missed.
    package mutating func resume() {
        schedule.isPaused = false
    }

    /// Polls as soon as no poll is in progress and the service permits it.
    ///
    /// This is at once, unless the service requested a wait or the last poll was too recent.
    package mutating func pollNow(at now: Duration) {
        isWanted = true
        if let next = schedule.next { schedule.next = min(next, max(now, earliest)) }
    }

    /// Changes the interval; an out-of-range value is clamped and stored in ``PollSchedule/clampedFrom``.
    package mutating func setInterval(_ interval: Duration, at now: Duration) {
        wanted = interval
        clampInterval()
        if schedule.reason == .interval, let due {
            plan(min(due, now + schedule.interval), .interval)
        }
    }

    /// Sets the minimum interval that the quota of all trips permits, from the next poll on.
    package mutating func setFloor(_ floor: Duration) {
        guard floor != self.floor else { return }
        self.floor = floor
        clampInterval()
    }

    private mutating func clampInterval() {
        schedule.interval = policy.clamp(wanted, floor: floor)
        schedule.clampedFrom = schedule.interval == wanted ? nil : wanted
    }

    /// Records that the due poll must wait for its slot.
    package mutating func deferred(until time: Duration) {
        plan(time, .quota)
    }

    // MARK: Outcomes

    /// Records an answer.
    package mutating func answered(_ trip: Trip, at now: Duration) {
        hasBeenSeen = true
        missingSince = nil
        schedule.failures = 0
        (troubles, losses) = (0, 0)
        (refusal, hasWaitedForToken, retried) = (nil, false, [])
        if trip.status.isTerminal {
            guard confirms == nil else {
                end = .reached(trip.status)
                return
            }
            confirms = trip.status
            return follow(schedule.interval, .confirmingEnd, at: now)
        }
        confirms = nil
        if trip.status == .new, trip.vehicleID == nil {
            follow(schedule.interval * 2, .waitingForVehicle, at: now)
        } else {
            follow(schedule.interval, .interval, at: now)
        }
    }

    /// Records a failure.
    ///
    /// - Parameters:
    ///   - failure: The failure.
    ///   - now: When it was known.
    ///   - random: Provides the jitter that spreads the waits of many clients.
    package mutating func failed(
        _ failure: PollFailure,
        at now: Duration,
        random: inout some RandomNumberGenerator
    ) {
        schedule.failures += 1
        switch failure {
        case .service(_, let asked?), .refusedToken(_, _, let asked?):
            quietUntil = now + min(asked, Self.longestRetryAfter)
        default: break
        }
        if let confirms {
            // The end was already observed, so a failed confirmation does not matter.
            end = .reached(confirms)
            return
        }
        switch Remedy(of: failure) {
        case .newToken(let isFinal):
            if retried.insert(failure.httpStatus ?? 0).inserted {
                (refusal, hasWaitedForToken) = (failure, false)
                return plan(now, .newToken)
            }
            if isFinal, !hasBeenSeen {
                end = .failed(failure)
            } else {
                backOff(atLeast: nil, at: now, random: &random)
            }
        case .noOtherToken(let floor):
            guard let refusal else { return backOff(atLeast: floor, at: now, random: &random) }
            // The provider does not replace a token that is too new. The single retry happens when it does.
            if !hasWaitedForToken {
                hasWaitedForToken = true
                return plan(now + min(floor, Self.longestRetryAfter), .newToken)
            }
            // No other token is available, so the service's error about the last one is the cause.
            if refusal.httpStatus == 403, !hasBeenSeen {
                end = .failed(refusal)
            } else {
                backOff(atLeast: floor, at: now, random: &random)
            }
        case .waitForCreation(let isOfService) where hasBeenSeen && !isOfService:
            backOff(atLeast: nil, at: now, random: &random)
        case .waitForCreation:
            (troubles, losses) = (0, 0)
            let since = missingSince ?? now
            missingSince = since
            if let patience = policy.creationPatience, now - since >= patience {
                end = .failed(failure)
            } else {
                follow(schedule.interval, hasBeenSeen ? .backOff : .waitingForCreation, at: now)
            }
        case .backOff(let floor): backOff(atLeast: floor, at: now, random: &random)
        case .tryNetwork:
            losses += 1
            let wait = schedule.interval * (losses == 1 ? 1 : 2)
            plan(now + wait * Double.random(in: 0.75...1, using: &random), .backOff)
        case .tryToken(let floor):
            // The provider has its own backoff, so the next poll comes when the provider retries.
            plan(now + max(schedule.interval * Double.random(in: 0.75...1, using: &random), floor), .backOff)
        case .giveUp:
            // After an earlier success, a proxy, a configuration or a permission may have changed temporarily.
            if hasBeenSeen {
                backOff(atLeast: failure.retryAfter, at: now, random: &random)
            } else {
                end = .failed(failure)
            }
        case .stop: end = .failed(failure)
        }
    }

    private mutating func backOff(
        atLeast floor: Duration?,
        at now: Duration,
        random: inout some RandomNumberGenerator
    ) {
        troubles += 1
        let doubled = schedule.interval * (1 << min(troubles - 1, 6))
        let wait = min(Self.longestBackOff, max(doubled, schedule.interval))
        let jittered = wait * Double.random(in: 0.8...1.2, using: &random)
        guard let floor else { return plan(now + jittered, .backOff) }
        let asked = min(floor, Self.longestRetryAfter)
        plan(now + max(asked, jittered), asked > jittered ? .retryAfter : .backOff)
    }

    /// Schedules the next poll one interval after the previous due time, so that slow answers cause no drift.
    ///
    /// After a poll that was made early, it is one interval after that poll.
    private mutating func follow(_ interval: Duration, _ reason: PollSchedule.Reason, at now: Duration) {
        let last = min(due ?? now, lastBegan ?? due ?? now)
        let next = last + interval
        // After a delay of more than an interval (a pause or a suspended machine), a new series of due times begins.
        plan(next > now ? next : now + interval, reason)
    }

    private mutating func plan(_ time: Duration, _ reason: PollSchedule.Reason) {
        due = time
        schedule.next = time
        schedule.reason = reason
    }
}

/// The time of the next poll and its reason.
package struct PollSchedule: Sendable, Equatable {
    /// The reason for the time of the next poll.
    package enum Reason: String, Sendable, Hashable {
        /// The regular interval.
        case interval
        /// The trip has no vehicle yet: half as often.
        case waitingForVehicle
        /// The trip does not exist yet.
        case waitingForCreation
        /// The trip has ended: one more poll.
        case confirmingEnd
        /// The token was refused: poll at once with a new one.
        case newToken
        /// The last poll failed.
        case backOff
        /// The service requested a wait.
        case retryAfter
        /// The quota: polls of other trips come first.
        case quota
    }

    /// The regular interval between two polls.
    package var interval: Duration
    /// When the next poll is due, on the steady clock; `nil` while a poll is in progress.
    package var next: Duration?
    /// The reason for that time.
    package var reason = Reason.interval
    /// Whether polling is paused.
    package var isPaused = false
    /// The number of successive failures.
    package var failures = 0
    /// The requested interval, if it was out of range.
    package var clampedFrom: Duration?

    /// Creates a schedule with a regular interval.
    package init(interval: Duration, next: Duration?) {
        self.interval = interval
        self.next = next
    }
}

/// How following a trip ended.
package enum FeedEnd: Sendable, Equatable {
    /// The trip has ended.
    case reached(TripStatus)
    /// Further polls would not help.
    case failed(PollFailure)
    /// The trip was removed from the feed.
    case left
}

/// The reaction to a failure.
private enum Remedy {
    case newToken(isFinal: Bool)
    case noOtherToken(atLeast: Duration)
    /// Wait for the trip to be created; `isOfService` is true if the 404 has the service's error status.
    case waitForCreation(isOfService: Bool)
    case tryNetwork
    case tryToken(atLeast: Duration)
    case backOff(atLeast: Duration?)
    /// Stop, unless an earlier poll succeeded.
    case giveUp
    /// Stop: the failure comes from this program itself, such as a cancellation or a closed provider.
    case stop

    init(of failure: PollFailure) {
        switch failure {
        case .token(let error, _):
            switch error {
            case .noAuthorizationContext, .closed, .cancelled: self = .stop
            case .denied: self = .giveUp
            case .rejectedByService(_, let delay), .unusable(.sameTokenAgain, let delay):
                self = .noOtherToken(atLeast: delay)
            case .unavailable(.unreachable, let delay), .unavailable(.timedOut, let delay):
                self = .tryToken(atLeast: delay)
            case .unusable, .missingData, .unavailable, .tooShortLived, .tooManyKeys, .tooManyWaiters:
                self = .backOff(atLeast: error.retryAfter)
            }
        case .transport(.cancelled): self = .stop
        case .transport(.invalidURL), .transport(.unusableProxy), .redirected, .anotherTrip: self = .giveUp
        case .transport(.malformed), .transport(.tooLarge), .transport(.tls), .webPage, .unreadable:
            self = .backOff(atLeast: nil)
        case .transport: self = .tryNetwork
        case .service(let error, let retryAfter), .refusedToken(let error, _, let retryAfter):
            switch error.httpStatus {
            case 401: self = .newToken(isFinal: false)
            case 403: self = .newToken(isFinal: true)
            case 404: self = .waitForCreation(isOfService: error.status == "NOT_FOUND")
            case 408, 429, 499, 500...: self = .backOff(atLeast: retryAfter)
            case 409 where error.status == "ABORTED": self = .backOff(atLeast: retryAfter)
            default: self = .giveUp
            }
        }
    }
}
