package import Failures
public import Foundation
package import Runtime
import TripModel

/// A validated token that may be sent to Fleet Engine; it prints redacted.
///
/// It is not `Codable` and has no raw value, so that it cannot be written to a file by accident. Its bytes are overwritten when
/// the last copy is released. The strings from ``authorizationHeaderValue`` cannot be overwritten.
public struct BearerToken: Sendable {
    /// What is known about a token, without its text.
    package struct Properties: Sendable {
        /// The time from which the next token is fetched; not after the deadline.
        package var refresh: Moment
        /// The time after which it is no longer returned: *M* before its expiry.
        package var deadline: Moment
        package var fingerprint: String
        /// The time of issue, in the service's time.
        package var issuedAt: Date?
        /// The number of tokens that the key has had; 0 until the token is stored.
        package var generation: UInt32 = 0
        /// The expiry, in the service's time.
        package var expiresAt: Date
        /// When its request was sent, which is the start of `left`.
        package var sentAt: Moment
        /// *R*: the remaining lifetime at `sentAt`.
        package var left: Duration
        /// *L*: the total lifetime.
        package var lifetime: Duration
        package var warnings: [Failure]
        /// The service's clock minus the local clock.
        package var clockOffset: Duration?
        /// Whether it is an OAuth access token, whose content only its issuer can read.
        package var isAccessToken = false

        package init(
            fingerprint: String,
            issuedAt: Date?,
            expiresAt: Date,
            sentAt: Moment,
            left: Duration,
            lifetime: Duration,
            warnings: [Failure] = [],
            clockOffset: Duration? = nil
        ) {
            self.fingerprint = fingerprint
            self.issuedAt = issuedAt
            self.expiresAt = expiresAt
            self.sentAt = sentAt
            self.left = left
            self.lifetime = lifetime
            self.warnings = warnings
            self.clockOffset = clockOffset
            deadline = sentAt.advanced(by: left)
            refresh = deadline
        }

        /// Ends the token by the local clock if the slow clock of its source prolonged it; returns whether it did.
        @discardableResult package mutating func endByLocalClock() -> Bool {
            let byLocalClock = Duration(clampedSeconds: expiresAt.timeIntervalSince(sentAt.wall))
            guard let clockOffset, clockOffset < .zero, byLocalClock < left else { return false }
            (left, self.clockOffset) = (byLocalClock, .zero)
            return true
        }
    }

    /// A class, so that a copy of the token is one reference.
    private final class Storage: Sendable {
        let bytes: SecretBytes
        let properties: Properties

        init(bytes: SecretBytes, properties: Properties) { (self.bytes, self.properties) = (bytes, properties) }
    }

    private let storage: Storage

    package init(bytes: SecretBytes, _ properties: Properties) {
        storage = Storage(bytes: bytes, properties: properties)
    }

    /// The value of the `Authorization` header; use it for nothing else.
    public var authorizationHeaderValue: String { "Bearer \(revealed)" }

    /// The token in clear, for an embedding app whose SDK needs it and for `token fetch --reveal`.
    public var revealed: String { storage.bytes.text }

    /// The number of tokens that the key has had, including this one.
    public var generation: Int { Int(properties.generation) }

    /// The first eight hexadecimal digits of the token's SHA-256: identifies the token without revealing it.
    public var fingerprint: String { properties.fingerprint }

    /// The expiry in the service's time.
    public var expiresAt: Date { properties.expiresAt }

    /// The time of issue by the issuer's clock; `nil` if unknown.
    public var issuedAt: Date? { properties.issuedAt }

    /// Everything that is known about the token.
    package var properties: Properties { storage.properties }
    /// See ``Properties/deadline``.
    package var deadline: Moment { storage.properties.deadline }
    /// See ``Properties/refresh``.
    package var refresh: Moment { storage.properties.refresh }
}

/// The times that control the use of a cached token.
extension BearerToken {
    /// Returns the token as it is stored, with its number, its deadline and its refresh time.
    ///
    /// The jitter is a random number 0 ..< 1 that spreads the refreshes of tokens that arrived together.
    package func stored(generation: UInt32, policy: TokenPolicy, jitter: Double) -> BearerToken {
        let (minimumValidity, window) = policy.windows(lifetime: properties.lifetime)
        var properties = properties
        properties.generation = generation
        let usable = properties.left - minimumValidity
        // A cached token from a source may have less time left than the refresh window.
        let ahead = min(window, usable)
        properties.deadline = properties.sentAt.advanced(by: usable)
        properties.refresh = properties.sentAt.advanced(by: usable - ahead + ahead * (jitter / 2))
        return BearerToken(bytes: storage.bytes, properties)
    }

    /// Returns the stored token with new times after its source returned it again.
    ///
    /// The source has no newer token, so this one is used until 1 s before its expiry. The next fetch is after half of the
    /// remaining time, but not within 15 s or a twentieth of the lifetime.
    package func repeated(by answer: BearerToken, policy: TokenPolicy) -> BearerToken {
        let answer = answer.properties
        var properties = properties
        (properties.sentAt, properties.left) = (answer.sentAt, answer.left)
        (properties.warnings, properties.clockOffset) = (answer.warnings, answer.clockOffset)
        let usable = properties.left - min(policy.windows(lifetime: properties.lifetime).minimumValidity, .seconds(1))
        let spacing = max(policy.minimumSpacing, min(.seconds(15), properties.lifetime / 20))
        properties.deadline = properties.sentAt.advanced(by: usable)
        properties.refresh = properties.sentAt.advanced(by: min(max(properties.left / 2, spacing), usable))
        return BearerToken(bytes: storage.bytes, properties)
    }

    /// Returns the stored token with an end by the local clock if the slow clock of its source prolonged it; else `nil`.
    func endedByLocalClock(policy: TokenPolicy) -> BearerToken? {
        var properties = properties
        guard properties.endByLocalClock() else { return nil }
        return BearerToken(bytes: storage.bytes, properties)
            .stored(generation: properties.generation, policy: policy, jitter: 0)
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

    /// The tolerance for rounding, in seconds: a `Date` has a resolution of about 0.1 µs.
    private static let tolerance = 0.001
}

extension BearerToken: Redacted {
    /// `<token>` with generation and fingerprint, without the token.
    public var description: String { "<token gen \(generation), sha256:\(fingerprint)>" }
}
