public import Failures
public import Foundation
import Runtime

/// Warnings about a token that is used nevertheless.
extension Failure {
    /// The token is not a JWT: it could not be checked, and only the endpoint can state its expiry.
    public static let opaqueToken = Failure(.opaqueToken)
    /// The endpoint's expiry does not fit the configured unit; the token's `exp` is used.
    public static let ignoredExpiryUnit = Failure(.ignoredExpiryUnit)
    /// The token is not signed with RS256, which Fleet Engine requires.
    public static let unusualAlgorithm = Failure(.unusualAlgorithm)
    /// The token covers every trip or vehicle, which the settings allow.
    public static let wildcard = Failure(.wildcard)
    /// The answer has white space around the token, which is removed.
    public static let surroundedBySpace = Failure(.surroundedBySpace)
    /// Other users can read the token's file.
    public static let readableByOthers = Failure(.readableByOthers)

    /// The token's `exp` and the endpoint's expiry differ; the earlier one counts.
    public static func expiryDisagreement(token: Date, endpoint: Date) -> Failure {
        Failure(.expiryDisagreement).with(.token, Timestamp.text(token)).with(.endpoint, Timestamp.text(endpoint))
    }

    /// The token has no expiry; the configured lifetime was assumed.
    public static func assumedLifetime(_ lifetime: Duration) -> Failure {
        Failure(.assumedLifetime).with(.lifetime, lifetime)
    }

    /// The clocks differ by this duration; positive if the service's clock is ahead.
    public static func clockDiffers(_ offset: Duration) -> Failure {
        Failure(offset < .zero ? .clockBehind : .clockAhead).with(.difference, offset)
    }

    /// The lifetime is so short that a new token is fetched every few seconds.
    public static func shortLived(_ lifetime: Duration) -> Failure { Failure(.shortLived).with(.lifetime, lifetime) }

    /// The answer lacks the configured expiry key; the token's `exp` is used.
    public static func noExpirationKey(_ key: String) -> Failure { Failure(.noExpirationKey).with(.key, key) }

    /// The answer's value of this key is neither a number nor a time of RFC 3339; the token's own times are used.
    public static func unreadableTime(_ key: String) -> Failure { Failure(.unreadableTime).with(.key, key) }
}

extension Failure {
    /// The difference of a clock to the local clock; `nil` if it is about something else.
    var clockDifference: Duration? { self[.difference] }

    /// Whether it is about the difference of the clocks.
    package var isAboutClocks: Bool { [.clockBehind, .clockAhead].contains(code) }
}
