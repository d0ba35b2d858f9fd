package import Failures
package import Foundation
import Runtime

/// Warnings about a token that is used nevertheless.
extension Failure {
    /// The token is not a JWT: it could not be checked, and only the endpoint can state its expiry.
    package static let opaqueToken = Failure(.opaqueToken)
    /// The endpoint's expiry does not fit the configured unit; the token's `exp` is used.
    package static let ignoredExpiryUnit = Failure(.ignoredExpiryUnit)
    /// The token is not signed with RS256, which Fleet Engine requires.
    package static let unusualAlgorithm = Failure(.unusualAlgorithm)
    /// The token covers every trip or vehicle, which the settings allow.
    package static let wildcard = Failure(.wildcard)
    /// The answer has white space around the token, which is removed.
    package static let surroundedBySpace = Failure(.surroundedBySpace)
    /// Other users can read the token's file.
    package static let readableByOthers = Failure(.readableByOthers)

    /// The token's `exp` and the endpoint's expiry differ; the earlier one counts.
    package static func expiryDisagreement(token: Date, endpoint: Date) -> Failure {
        Failure(.expiryDisagreement).with(.token, Timestamp.text(token)).with(.endpoint, Timestamp.text(endpoint))
    }

    /// The token has no expiry; the configured lifetime was assumed.
    package static func assumedLifetime(_ lifetime: Duration) -> Failure {
        Failure(.assumedLifetime).with(.lifetime, lifetime)
    }

    /// The clocks differ by this duration; positive if the service's clock is ahead.
    package static func clockDiffers(_ offset: Duration) -> Failure {
        Failure(offset < .zero ? .clockBehind : .clockAhead).with(.difference, offset)
    }

    /// The lifetime is so short that a new token is fetched every few seconds.
    package static func shortLived(_ lifetime: Duration) -> Failure { Failure(.shortLived).with(.lifetime, lifetime) }

    /// The answer lacks the configured expiry key; the token's `exp` is used.
    package static func noExpirationKey(_ key: String) -> Failure { Failure(.noExpirationKey).with(.key, key) }

    /// The answer's value of this key is neither a number nor a time of RFC 3339; the token's own times are used.
    package static func unreadableTime(_ key: String) -> Failure { Failure(.unreadableTime).with(.key, key) }
}

extension Failure {
    /// The difference of a clock to the local clock; `nil` if it is about something else.
    var clockDifference: Duration? { self[.difference] }

    /// Whether it is about the difference of the clocks.
    package var isAboutClocks: Bool { [.clockBehind, .clockAhead].contains(code) }
}
