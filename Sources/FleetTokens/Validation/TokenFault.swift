/// Why a token that a source handed out may not be used; never holds what the token says about others.
public enum TokenFault: Error, Sendable, Equatable {
    /// It is not three base64url parts, or holds characters that no header may carry.
    case malformed
    /// It is longer than 8 KiB.
    case tooLong(bytes: Int)
    /// It is not a JWT, and opaque tokens are not wanted here.
    case opaque
    /// It claims to need no signature (`alg: none`) or has an empty one.
    case unsigned
    /// Neither the token nor the endpoint says when it ends.
    case missingExpiry
    /// `exp` is so large that it must be in milliseconds.
    case expiryInMilliseconds
    /// It was over before it came, by so many seconds of our clock or the service's.
    case expired(ago: Duration)
    /// It has too little time left to be worth storing.
    case tooShort(left: Duration)
    /// It lives long, and most of its life is over: its source has had it for a while.
    case nearlyOver(left: Duration, lifetime: Duration)
    /// It lives longer than Fleet Engine accepts.
    case tooLongLived(Duration)
    /// By the service's own clock it ends later than the service takes: the signer's clock is ahead.
    case endsTooFarAhead(by: Duration)
    /// It says that it was issued in the future, by more than Fleet Engine tolerates.
    case issuedInFuture(by: Duration)
    /// `aud` is not the service's address.
    case wrongAudience
    /// There is no `authorization` object, so that Fleet Engine finds no scopes.
    case authorizationMissing
    /// It is for another trip or vehicle.
    case boundToAnother
    /// It is for a vehicle where a trip was asked for, or the other way round.
    case wrongKind
    /// It is good for every trip or vehicle (`*`), which a client must not hold.
    case overBroad
    /// It is the token that the service has just refused.
    case sameTokenAgain
    /// It begins with `Bearer `, which the header adds by itself.
    case bearerPrefix
    /// The endpoint's number for its end lies years away: it has another unit than was configured.
    case wrongExpiryUnit
    /// It is a credential of another kind.
    case otherCredential(CredentialKind)
    /// `authorization` has this key where Fleet Engine looks for the one that is meant.
    case misspeltClaim(String, meant: String)
    /// This of its times, `exp`, `iat` or `nbf`, is no number.
    case mistypedTime(String)

    /// A stable name for programs.
    public var code: String {
        switch self {
        case .malformed: "malformed"
        case .tooLong: "too_long"
        case .opaque: "opaque"
        case .unsigned: "unsigned"
        case .missingExpiry: "missing_expiry"
        case .expiryInMilliseconds: "expiry_in_milliseconds"
        case .expired: "expired"
        case .tooShort: "too_short"
        case .nearlyOver: "nearly_over"
        case .tooLongLived: "too_long_lived"
        case .endsTooFarAhead: "ends_too_far_ahead"
        case .issuedInFuture: "issued_in_future"
        case .wrongAudience: "wrong_audience"
        case .authorizationMissing: "authorization_missing"
        case .boundToAnother: "bound_to_another"
        case .wrongKind: "wrong_kind"
        case .overBroad: "over_broad"
        case .sameTokenAgain: "same_token_again"
        case .bearerPrefix: "bearer_prefix"
        case .wrongExpiryUnit: "wrong_expiry_unit"
        case .otherCredential(let kind): kind.rawValue
        case .misspeltClaim: "misspelt_claim"
        case .mistypedTime: "mistyped_time"
        }
    }
}
