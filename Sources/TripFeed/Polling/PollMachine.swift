import FleetTokens
import FleetWire
import HTTPTransport
package import TripModel

/// Decides when to ask about one trip again; never waits, never asks.
///
/// Times are readings of the steady clock. The rules and where they come from: reference, sections 2.3, 6 and 7.
///
/// | what came | what follows |
/// |---|---|
/// | an answer | the next poll one interval after the last one was due, without drift; missed ones are left out |
/// | an answer, NEW and no vehicle | the same with twice the interval |
/// | COMPLETE or CANCELED | one more poll to confirm, then the end |
/// | 401 | one poll with a new token, at once or when one may be fetched, after that as a fault that may pass |
/// | 403 | one poll with a new token, at once or when one may be fetched, after that the end |
/// | 404 | patience, one poll per interval, then the end |
/// | other 400s; a redirect; no token for good | the end |
/// | each of these but a 404 of the service itself, after a good answer | an outage: as for a 500 |
/// | 408, 429, 500s, not readable | 1, 2, 4 … intervals, at most 60 s, with jitter; `Retry-After` is a floor |
/// | no connection, no whole answer | 1, 2, 2 … intervals, less jitter: asking costs nobody, and the network may be back |
/// | no token, its source out of reach | an interval, less jitter, and no sooner than the token provider asks again |
package struct PollMachine: Sendable {
    /// What to do now.
    package enum Action: Sendable, Equatable {
        /// Ask, once.
        case poll
        /// Wait until a reading of the steady clock.
        case wait(until: Duration)
        /// Wait for a command.
        case hold
        /// Stop for good.
        case stop(FeedEnd)
    }

    /// Limits that are not a matter of the trip.
    package struct Policy: Sendable, Equatable {
        /// The interval that was asked for.
        package var interval: Duration
        /// No interval is shorter than this.
        package var shortestInterval: Duration
        /// How long a trip that does not exist yet is waited for; `nil` for ever.
        package var creationPatience: Duration?

        /// Limits; an interval below the shortest is raised to it.
        package init(interval: Duration, shortestInterval: Duration, creationPatience: Duration?) {
            self.interval = interval
            self.shortestInterval = shortestInterval
            self.creationPatience = creationPatience
        }

        /// The interval that was asked for, within the bounds.
        package var clampedInterval: Duration { clamp(interval) }

        func clamp(_ interval: Duration, floor: Duration = .zero) -> Duration {
            max(floor, min(longestInterval, max(shortestInterval, interval)))
        }
    }

    /// Intervals above this make no sense for a ride.
    package static let longestInterval = Duration.seconds(300)
    static let longestBackOff = Duration.seconds(60)
    static let longestRetryAfter = Duration.seconds(300)

    /// The schedule as a screen shows it.
    package private(set) var schedule: PollSchedule
    private let policy: Policy
    private var due: Duration?
    private var missingSince: Duration?
    private var hasBeenSeen = false
    /// The statuses of refusals that were answered by a retry with another token since the last good answer.
    private var retried: Set<Int> = []
    /// The 401 or 403 that a new token is to cure.
    private var refusal: PollFailure?
    /// Whether it was waited for the time at which the provider fetches that token.
    private var hasWaitedForToken = false
    private var confirms: TripStatus?
    private var end: FeedEnd?
    private var isWanted = false
    /// When the last poll was begun.
    private var lastBegan: Duration?
    /// Until when the service asked to be left alone.
    private var quietUntil = Duration.zero
    /// Failures of the service since it last answered as it should, a 404 included; they decide how long it is left alone.
    private var troubles = 0
    /// Failures of the network since then.
    private var losses = 0
    private var wanted: Duration
    private var floor = Duration.zero

    /// A machine whose first poll is due at a reading of the steady clock.
    package init(policy: Policy, firstDue: Duration) {
        self.policy = policy
        due = firstDue
        wanted = policy.interval
        let interval = policy.clampedInterval
        schedule = PollSchedule(interval: interval, next: firstDue)
        schedule.clampedFrom = interval == policy.interval ? nil : policy.interval
    }

    /// What to do at a reading of the steady clock, as long as no poll is under way.
    package func action(at now: Duration) -> Action {
        if let end { return .stop(end) }
        if isWanted {
            let time = earliest
            return time > now ? .wait(until: time) : .poll
        }
        guard !schedule.isPaused, let due else { return .hold }
        return due <= now ? .poll : .wait(until: due)
    }

    /// Takes in that a poll was begun.
    package mutating func began(at now: Duration) {
        isWanted = false
        lastBegan = now
        schedule.next = nil
    }

    /// When a poll that somebody wants may be made: not before its turn, nor a wait that the service asked for, nor closer to
    /// the last one than the service allows.
    private var earliest: Duration {
        let turn = schedule.reason == .quota ? due ?? .zero : .zero
        return max(turn, quietUntil, lastBegan.map { $0 + policy.shortestInterval } ?? .zero)
    }

    // MARK: Commands

    /// Stops asking by itself; a poll that is asked for is still made.
    package mutating func pause() {
        schedule.isPaused = true
    }

    /// Asks again by itself, at once where a poll was due meanwhile.
    package mutating func resume() {
        schedule.isPaused = false
    }

    /// Asks as soon as no poll is under way and the service allows it: at once, unless it asked for a wait or was asked only
    /// just before.
    package mutating func pollNow(at now: Duration) {
        isWanted = true
        if let next = schedule.next { schedule.next = min(next, max(now, earliest)) }
    }

    /// Changes the interval from now on; one that is out of bounds is clamped, which ``PollSchedule/clampedFrom`` tells.
    package mutating func setInterval(_ interval: Duration, at now: Duration) {
        wanted = interval
        clampInterval()
        if schedule.reason == .interval, let due {
            plan(min(due, now + schedule.interval), .interval)
        }
    }

    /// Sets the shortest interval that the quota of all trips allows; from the next poll on.
    package mutating func setFloor(_ floor: Duration) {
        guard floor != self.floor else { return }
        self.floor = floor
        clampInterval()
    }

    private mutating func clampInterval() {
        schedule.interval = policy.clamp(wanted, floor: floor)
        schedule.clampedFrom = schedule.interval == wanted ? nil : wanted
    }

    /// Takes in that the poll that is due has to wait for its turn among those of other trips.
    package mutating func deferred(until time: Duration) {
        plan(time, .quota)
    }

    // MARK: Outcomes

    /// Takes in an answer.
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

    /// Takes in a failure.
    ///
    /// - Parameters:
    ///   - failure: What went wrong.
    ///   - now: When it was known.
    ///   - random: Spreads the waits of many clients.
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
            // The end was seen; that it could not be confirmed changes nothing.
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
            // The provider does not replace a token that it has only just fetched: the one retry comes when it does.
            if !hasWaitedForToken {
                hasWaitedForToken = true
                return plan(now + min(floor, Self.longestRetryAfter), .newToken)
            }
            // There is no other token: what the service said of the last one is the cause.
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
            // The provider backs off by itself: it is enough to come back when it asks again.
            plan(now + max(schedule.interval * Double.random(in: 0.75...1, using: &random), floor), .backOff)
        case .giveUp:
            // What has worked before may work again: a proxy, a configuration or a permission has changed on the way.
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

    /// Plans the next poll a while after the last one was due, so that slow answers don't add up to a drift; after one that
    /// was wanted sooner, a while after that.
    private mutating func follow(_ interval: Duration, _ reason: PollSchedule.Reason, at now: Duration) {
        let last = min(due ?? now, lastBegan ?? due ?? now)
        let next = last + interval
        // A poll that is late by more than an interval (a pause, a suspended machine) starts a new row of deadlines.
        plan(next > now ? next : now + interval, reason)
    }

    private mutating func plan(_ time: Duration, _ reason: PollSchedule.Reason) {
        due = time
        schedule.next = time
        schedule.reason = reason
    }
}

/// When the next poll comes and why then.
package struct PollSchedule: Sendable, Equatable {
    /// What decides the next poll.
    package enum Reason: String, Sendable, Hashable {
        /// The interval.
        case interval
        /// The trip has no vehicle yet: half as often.
        case waitingForVehicle
        /// The trip does not exist yet.
        case waitingForCreation
        /// The trip has ended: one more look.
        case confirmingEnd
        /// The token was refused: at once with another.
        case newToken
        /// The last poll failed.
        case backOff
        /// The service said how long to wait.
        case retryAfter
        /// Other trips' polls come first.
        case quota
    }

    /// The interval between two polls when all goes well.
    package var interval: Duration
    /// When the next poll is due, as a reading of the steady clock; `nil` while one is under way.
    package var next: Duration?
    /// What decides that.
    package var reason = Reason.interval
    /// Whether somebody has paused it.
    package var isPaused = false
    /// Failures in a row.
    package var failures = 0
    /// The interval that was asked for, where it was out of bounds.
    package var clampedFrom: Duration?

    /// A schedule that polls at an interval.
    package init(interval: Duration, next: Duration?) {
        self.interval = interval
        self.next = next
    }
}

/// How following a trip ended.
package enum FeedEnd: Sendable, Equatable {
    /// The trip has ended.
    case reached(TripStatus)
    /// Asking on would not help.
    case failed(PollFailure)
    /// Nobody wants to follow it any more.
    case left
}

/// What helps against a failure.
private enum Remedy {
    case newToken(isFinal: Bool)
    case noOtherToken(atLeast: Duration)
    /// `isOfService`: whether the service itself says so, by the status of its kind of error.
    case waitForCreation(isOfService: Bool)
    case tryNetwork
    case tryToken(atLeast: Duration)
    case backOff(atLeast: Duration?)
    /// Nothing helps, unless it has been better before.
    case giveUp
    /// Nothing helps: the program itself ends it.
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
