public import Foundation

/// What is odd about a token that is used all the same.
public enum TokenWarning: Sendable, Hashable {
    /// The token's `exp` and the endpoint's expiry differ; the earlier one counts.
    case expiryDisagreement(token: Date, endpoint: Date)
    /// It is not a JWT: nothing about it could be checked, and only the endpoint says when it ends.
    case opaque
    /// Nobody says when it ends; the lifetime from the settings was assumed.
    case assumedLifetime(Duration)
    /// The clocks differ by so much; positive where the service's is ahead of ours.
    case clockDiffers(Duration)
    /// It lives so short that it is fetched anew every few seconds.
    case shortLived(Duration)
    /// The endpoint's number for its end can't be in the configured unit; only the token says when it ends.
    case wrongExpiryUnit
    /// It is not signed with RS256, which Fleet Engine asks for.
    case unusualAlgorithm
    /// It is good for every trip or vehicle, which the settings allow.
    case wildcard
    /// The file it came from can be read by others.
    case readableByOthers
    /// The answer has no such key, which the settings name for its end; only the token says when it ends.
    case noExpirationKey(String)

    /// A stable name for programs.
    public var code: String {
        switch self {
        case .expiryDisagreement: "expiry_disagreement"
        case .opaque: "opaque"
        case .assumedLifetime: "assumed_lifetime"
        case .clockDiffers: "clock_differs"
        case .shortLived: "short_lived"
        case .wrongExpiryUnit: "wrong_expiry_unit"
        case .unusualAlgorithm: "unusual_algorithm"
        case .wildcard: "wildcard"
        case .readableByOthers: "readable_by_others"
        case .noExpirationKey: "no_expiration_key"
        }
    }
}
