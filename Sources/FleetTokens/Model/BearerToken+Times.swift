import Foundation
package import TripModel

/// The times that control the use of a cached token.
extension BearerToken {
    /// Returns the token as it is stored, with its deadline and its refresh time.
    ///
    /// - Parameters:
    ///   - generation: The number of tokens that the key has had, including this one.
    ///   - policy: The time windows.
    ///   - jitter: A random number 0 ..< 1 that spreads the refreshes of tokens that arrived together.
    /// - Returns: The token with its number and times.
    package func stored(generation: Int, policy: TokenPolicy, jitter: Double) -> BearerToken {
        with { token in
            let windows = policy.windows(lifetime: token.lifetime)
            let usable = token.left - windows.minimumValidity
            // A cached token from a source may have less time left than the refresh window.
            let ahead = min(windows.refreshAhead, usable)
            token.generation = generation
            token.deadline = token.sentAt.advanced(by: usable)
            token.refresh = token.sentAt.advanced(by: usable - ahead + ahead * (jitter / 2))
        }
    }

    /// Returns the stored token after its source returned it again.
    ///
    /// The source has no newer token, so this one is used until 1 s before its expiry. The next fetch is after half of the
    /// remaining time, but not within 15 s or a twentieth of the lifetime.
    ///
    /// - Parameters:
    ///   - answer: The same token from the new answer.
    ///   - policy: The time windows.
    /// - Returns: The stored token with new times.
    package func repeated(by answer: BearerToken, policy: TokenPolicy) -> BearerToken {
        with { token in
            let answer = answer.properties
            token.sentAt = answer.sentAt
            token.left = answer.left
            token.warnings = answer.warnings
            token.clockOffset = answer.clockOffset
            let margin = min(policy.windows(lifetime: token.lifetime).minimumValidity, .seconds(1))
            let usable = answer.left - margin
            let spacing = max(policy.minimumSpacing, min(.seconds(15), token.lifetime / 20))
            token.deadline = answer.sentAt.advanced(by: usable)
            token.refresh = answer.sentAt.advanced(by: min(max(answer.left / 2, spacing), usable))
        }
    }

    /// Returns the remaining lifetime, by the clock that has advanced more.
    package func remaining(at now: Moment) -> Duration { properties.left - age(at: now) }

    /// Returns the age, by the clock that has advanced more.
    package func age(at now: Moment) -> Duration {
        let sentAt = properties.sentAt
        let wall = Duration(clampedSeconds: now.wall.timeIntervalSince(sentAt.wall) - Self.tolerance)
        return max(now.steady - sentAt.steady, wall)
    }

    /// Returns whether the token may be returned: its deadline has passed on neither clock.
    package func isUsable(at now: Moment) -> Bool { !Self.isPast(deadline, at: now) }

    /// Returns whether a refresh is due: its time has passed on either clock.
    package func isRefreshDue(at now: Moment) -> Bool { Self.isPast(refresh, at: now) }

    private static func isPast(_ moment: Moment, at now: Moment) -> Bool {
        now.steady >= moment.steady || now.wall.timeIntervalSince(moment.wall) >= tolerance
    }

    /// The tolerance for rounding, in seconds.
    ///
    /// A `Date` has a resolution of about 0.1 µs.
    private static let tolerance = 0.001
}
