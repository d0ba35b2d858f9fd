import Foundation
package import TripModel

/// A cached token with the times that control its use.
package struct StoredToken: Sendable {
    /// The token for callers.
    package let bearer: BearerToken
    /// The time after which it is no longer returned: *M* before its expiry.
    package let deadline: Moment
    /// The time from which the next token is fetched.
    package let refresh: Moment
    /// When its request was sent.
    package let sentAt: Moment
    /// *R*: the remaining lifetime at `sentAt`.
    package let left: Duration
    /// *L*: the total lifetime.
    package let lifetime: Duration
    /// The warnings about the token.
    package let warnings: [TokenWarning]
    /// The service's clock minus the local clock.
    package let clockOffset: Duration?

    /// Stores a token; `chance` (0 ..< 1) is the jitter that spreads the refreshes of tokens that arrived together.
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
        // A cached token from a source may have less time left than the refresh window.
        let ahead = min(windows.refreshAhead, usable)
        deadline = admitted.sentAt.advanced(by: usable)
        refresh = admitted.sentAt.advanced(by: usable - ahead + ahead * (chance / 2))
        warnings = admitted.warnings
        clockOffset = admitted.clockOffset
    }

    /// Stores a token that the source returned again.
    ///
    /// The source has no newer token, so this one is used almost until its expiry. The next fetch is after half of the
    /// remaining time.
    ///
    /// - Parameters:
    ///   - held: The stored token.
    ///   - admitted: The same token from the new answer.
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

    /// The minimum remaining lifetime of a token without a successor.
    private static let lastSpan = Duration.seconds(1)
    /// The minimum interval between fetches from a source that repeats its token.
    private static let shortestRepeat = Duration.seconds(15)

    /// Returns the remaining lifetime, by the clock that has advanced more.
    package func remaining(at now: Moment) -> Duration { left - age(at: now) }

    /// Returns the age, by the clock that has advanced more.
    package func age(at now: Moment) -> Duration {
        let wall = Duration(clampedSeconds: now.wall.timeIntervalSince(sentAt.wall) - Self.slack)
        return max(now.steady - sentAt.steady, wall)
    }

    /// Returns whether the token may be returned: its deadline has passed on neither clock.
    package func isUsable(at now: Moment) -> Bool { !Self.isPast(deadline, at: now) }

    /// Returns whether a refresh is due: its time has passed on either clock.
    package func isRefreshDue(at now: Moment) -> Bool { Self.isPast(refresh, at: now) }

    static func isPast(_ moment: Moment, at now: Moment) -> Bool {
        now.steady >= moment.steady
            || now.wall.timeIntervalSinceReferenceDate - moment.wall.timeIntervalSinceReferenceDate >= slack
    }

    /// The tolerance for rounding, in seconds.
    ///
    /// A `Date` has a resolution of about 0.1 µs.
    private static let slack = 0.001
}
