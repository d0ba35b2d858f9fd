import Foundation
import Runtime
import TripModel

/// A second, deliberately simple implementation of the rules for one key.
///
/// `ModelTests` compares the machine with it.
///
/// Its random fractions are all one half, and it identifies a token by its generation.
struct ModelKey {
    struct Token {
        var generation: Int
        var sentAt: Moment
        var life: Double
        var margin: Double { min(30, life / 20) }
        var window: Double { min(300, life / 5, life - margin) }

        /// Seconds since the token was requested, by the clock that has advanced further.
        func age(_ now: Moment) -> Double {
            max((now.steady - sentAt.steady).seconds, now.wall.timeIntervalSince(sentAt.wall) - 0.001)
        }
        func isUsable(_ now: Moment) -> Bool { age(now) < life - margin }
        func isDue(_ now: Moment) -> Bool { age(now) >= life - margin - window * 0.75 }
    }

    enum Answer: Equatable {
        case token(Int)
        case wait
        case fail
    }

    var token: Token?
    var isFetching = false
    var isForced = false
    var isRequested = false
    var isOutdated = false
    /// When a caller last asked for the token.
    var askedAt = 0.0
    /// Whether the service rejected the token before the one that is being fetched.
    var wasRejected = false
    var isUsed = false
    var generation = 0
    var failures = 0
    /// The number of failures in which the source was not reached.
    var outages = 0
    var young = 0
    /// Whether a young token was replaced at once.
    var hasReplaced = false
    var waiters: Set<Int> = []
    var forced: [Double] = []
    var lastStart = -1e9
    var backoffUntil: Double?

    mutating func ask(_ waiter: Int, _ now: Moment) -> Answer {
        askedAt = now.steady.seconds
        if let token, token.isUsable(now) {
            isUsed = true
            return .token(token.generation)
        }
        if !isFetching, let backoffUntil, now.steady.seconds < backoffUntil { return .fail }
        waiters.insert(waiter)
        return .wait
    }

    func wants(_ now: Moment) -> Bool {
        guard !isFetching, now.steady.seconds >= lastStart + 1 else { return false }
        if isForced || isRequested || !waiters.isEmpty { return true }
        guard isUsed else { return false }
        if let backoffUntil { return now.steady.seconds >= backoffUntil }
        return token.map { isOutdated || $0.isDue(now) } ?? false
    }

    mutating func begin(_ now: Moment) {
        (isFetching, isForced, backoffUntil, lastStart) = (true, false, nil, now.steady.seconds)
        (isRequested, isOutdated) = (false, false)
    }

    mutating func store(sentAt: Moment, life: Double) {
        generation += 1
        if !wasRejected { (young, hasReplaced) = (0, false) }
        wasRejected = false
        token = Token(generation: generation, sentAt: sentAt, life: life)
        (isFetching, failures, outages, backoffUntil, isUsed, waiters) = (false, 0, 0, nil, false, [])
    }

    mutating func fail(_ now: Moment, isOutage: Bool, longestOutage: Double) {
        isFetching = false
        failures += 1
        if isOutage { outages += 1 }
        let limit = isOutage ? longestOutage : 60
        var wait = min(limit, pow(2, Double((isOutage ? outages : failures - outages) - 1)))
        if let token, token.isUsable(now) {
            let byWall = now.wall.timeIntervalSince(token.sentAt.wall)
            let left = token.life - token.margin - max((now.steady - token.sentAt.steady).seconds, byWall)
            wait = min(wait, max(left / 4, 1))
        }
        backOff(wait * 0.75, now)
    }

    mutating func reject(_ now: Moment) {
        guard let token else { return }
        askedAt = now.steady.seconds
        let isYoung = token.age(now) < 10
        forced.removeAll { $0 <= now.steady.seconds - 60 }
        self.token = nil
        wasRejected = true
        isFetching = false
        if !isYoung { (young, hasReplaced) = (0, false) }
        if isYoung && hasReplaced || forced.count >= 3 {
            failures += 1
            backOff(min(60, 10 * pow(2, Double(young))), now)
            young += 1
        } else {
            forced.append(now.steady.seconds)
            hasReplaced = isYoung
            (isForced, backoffUntil) = (true, nil)
        }
    }

    mutating func refresh(_ now: Moment) {
        guard !isFetching else { return }
        askedAt = now.steady.seconds
        (backoffUntil, isRequested) = (nil, true)
    }

    mutating func sourceChanged(_ now: Moment) {
        let isMissed = backoffUntil != nil && now.steady.seconds - askedAt <= 300
        let isInUse = isUsed && (token != nil || backoffUntil != nil)
        if isFetching || isMissed || isInUse { isRequested = true }
        (backoffUntil, isOutdated) = (nil, token != nil || isFetching)
    }

    mutating func stopRefreshing() { (isUsed, isRequested, isForced) = (false, false, false) }

    private mutating func backOff(_ seconds: Double, _ now: Moment) {
        backoffUntil = max(now.steady.seconds + seconds, lastStart + 1)
        waiters = []
        if token?.isUsable(now) != true { isUsed = false }
    }
}
