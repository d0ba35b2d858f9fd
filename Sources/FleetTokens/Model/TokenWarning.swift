import Failures
public import Foundation

/// A warning about a token that is used nevertheless.
public enum TokenWarning: Sendable, Hashable {
    /// The token's `exp` and the endpoint's expiry differ; the earlier one counts.
    case expiryDisagreement(token: Date, endpoint: Date)
    /// The token is not a JWT: it could not be checked, and only the endpoint can state its expiry.
    case opaque
    /// The token has no expiry; the configured lifetime was assumed.
    case assumedLifetime(Duration)
    /// The clocks differ by this duration; positive if the service's clock is ahead.
    case clockDiffers(Duration)
    /// The lifetime is so short that a new token is fetched every few seconds.
    case shortLived(Duration)
    /// The endpoint's expiry does not fit the configured unit; the token's `exp` is used.
    case wrongExpiryUnit
    /// The token is not signed with RS256, which Fleet Engine requires.
    case unusualAlgorithm
    /// The token covers every trip or vehicle, which the settings allow.
    case wildcard
    /// The answer has white space around the token, which is removed.
    case surroundedBySpace
    /// Other users can read the token's file.
    case readableByOthers
    /// The answer lacks the configured expiry key; the token's `exp` is used.
    case noExpirationKey(String)
    /// The answer's value of this key is neither a number nor a time of RFC 3339; the token's own times are used.
    case unreadableTime(String)

    /// A stable name for programs.
    public var code: String { failure.name }
}

extension TokenWarning {
    /// The difference of a clock to the local clock; `nil` if the warning is about something else.
    var clockDifference: Duration? { if case .clockDiffers(let offset) = self { offset } else { nil } }
}
