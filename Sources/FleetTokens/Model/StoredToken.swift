import Foundation
package import TripModel

/// A token in the cache with the times that decide about it.
package struct StoredToken: Sendable {
    /// What callers get.
    package let bearer: BearerToken
    /// From here on it is not handed out any more: *M* before its end.
    package let deadline: Moment
    /// From here on the next one is due.
    package let refresh: Moment
    /// When its request was sent.
    package let sentAt: Moment
    /// *R*: how long after that it ends.
    package let left: Duration
    /// *L*: how long it lives in all.
    package let lifetime: Duration
    /// What is odd about it.
    package let warnings: [TokenWarning]
    /// The service's clock minus ours.
    package let clockOffset: Duration?

    /// Stores a token; `chance` (0 ..< 1) spreads the refreshes of tokens that came together.
    package init(_ admitted: AdmittedToken, generation: Int, policy: TokenPolicy, chance: Double) {
        let windows = policy.windows(lifetime: admitted.lifetime)
        bearer = BearerToken(
            bytes: admitted.bytes,
            generation: generation,
            fingerprint: admitted.fingerprint,
            issuedAt: admitted.issuedAt,
            expiresAt: admitted.expiresAt
        )
        sentAt = admitted.sentAt
        left = admitted.left
        lifetime = admitted.lifetime
        let usable = admitted.left - windows.minimumValidity
        // A token that came late in its life may have less left than the window is wide.
        let ahead = min(windows.refreshAhead, usable)
        deadline = admitted.sentAt.advanced(by: usable)
        refresh = admitted.sentAt.advanced(by: usable - ahead + ahead * (chance / 2))
        warnings = admitted.warnings
        clockOffset = admitted.clockOffset
    }

    /// Keeps a token that its source has handed out once more: nothing newer is to be had, so that it is used nearly to its
    /// end, and asked for again when half of what is left has passed.
    ///
    /// - Parameters:
    ///   - held: The token as it was stored.
    ///   - admitted: The same token as it came again.
    ///   - policy: The windows.
    package init(repeating held: StoredToken, _ admitted: AdmittedToken, policy: TokenPolicy) {
        bearer = held.bearer
        sentAt = admitted.sentAt
        left = admitted.left
        lifetime = held.lifetime
        warnings = admitted.warnings
        clockOffset = admitted.clockOffset
        let windows = policy.windows(lifetime: held.lifetime)
        let usable = admitted.left - min(windows.minimumValidity, Self.lastSpan)
        let shortest = max(policy.minimumSpacing, min(Self.shortestRepeat, held.lifetime / 20))
        deadline = admitted.sentAt.advanced(by: usable)
        refresh = admitted.sentAt.advanced(by: min(max(admitted.left / 2, shortest), usable))
    }

    /// A token that has no successor is not handed out with less than this left.
    private static let lastSpan = Duration.seconds(1)
    /// A source that repeats itself is asked again no sooner than this.
    private static let shortestRepeat = Duration.seconds(15)

    /// How long it lasts yet; whichever clock has moved more decides.
    package func remaining(at now: Moment) -> Duration { left - age(at: now) }

    /// How old it is; whichever clock has moved more decides.
    package func age(at now: Moment) -> Duration {
        let wall = Duration(clampedSeconds: now.wall.timeIntervalSince(sentAt.wall) - Self.slack)
        return max(now.steady - sentAt.steady, wall)
    }

    /// Whether it may be handed out: by *both* clocks its deadline has not come.
    package func isUsable(at now: Moment) -> Bool { !Self.isPast(deadline, at: now) }

    /// Whether the next one is due: by *either* clock.
    package func isRefreshDue(at now: Moment) -> Bool { Self.isPast(refresh, at: now) }

    static func isPast(_ moment: Moment, at now: Moment) -> Bool {
        now.steady >= moment.steady
            || now.wall.timeIntervalSinceReferenceDate - moment.wall.timeIntervalSinceReferenceDate >= slack
    }

    /// A `Date` of our days is exact to a tenth of a microsecond; a millisecond of slack keeps its rounding out of it.
    private static let slack = 0.001
}
