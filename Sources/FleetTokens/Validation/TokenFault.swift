import Failures

/// The reason why a token is not usable; never contains claims about others.
public enum TokenFault: Error, Sendable, Equatable {
    /// The token is not three base64url parts, or contains characters that are not allowed in a header.
    case malformed
    /// The token is longer than 8 KiB.
    case tooLong(bytes: Int)
    /// The token is not a JWT, and opaque tokens are not accepted.
    case opaque
    /// The token declares no signature (`alg: none`) or its signature is empty.
    case unsigned
    /// Neither the token nor the endpoint gives an expiry.
    case missingExpiry
    /// `exp` is so large that it must be in milliseconds.
    case expiryInMilliseconds
    /// `iat` or `nbf` is so large that it must be in milliseconds.
    case beginInMilliseconds(String)
    /// The token had expired on arrival, by this duration of the local or the service's clock.
    case expired(ago: Duration)
    /// The remaining lifetime is too short to store the token.
    case tooShort(left: Duration)
    /// Most of a long lifetime has passed: the source has cached the token.
    case nearlyOver(left: Duration, lifetime: Duration)
    /// The lifetime exceeds Fleet Engine's limit.
    case tooLongLived(Duration)
    /// By the service's clock, the expiry exceeds the limit: the signer's clock is ahead.
    case endsTooFarAhead(by: Duration)
    /// `iat` is further in the future than Fleet Engine tolerates.
    case issuedInFuture(by: Duration)
    /// `aud` is not the service's address.
    case wrongAudience
    /// There is no `authorization` object, so Fleet Engine finds no scopes.
    case authorizationMissing
    /// `authorization` has this form, in which Fleet Engine finds neither a trip nor a vehicle.
    case unusableAuthorization(String)
    /// The token is for another trip or vehicle.
    case boundToAnother
    /// The token is for a vehicle instead of a trip, or vice versa.
    case wrongKind
    /// The token covers every trip or vehicle (`*`), which a client must not have.
    case overBroad
    /// The service has just refused this token.
    case sameTokenAgain
    /// The token begins with `Bearer `, which belongs to the header.
    case bearerPrefix
    /// The text contains a token, but in this form.
    case wrapped(TokenForm)
    /// The endpoint's expiry is years away: the configured unit is wrong.
    case wrongExpiryUnit
    /// The token is another kind of credential.
    case otherCredential(CredentialKind)
    /// `authorization` has this key instead of the one that Fleet Engine requires.
    case misspelledClaim(String, meant: String)
    /// This time claim (`exp`, `iat` or `nbf`) is not a number.
    case mistypedTime(String)

    /// A stable name for programs.
    public var code: String { failure.name }
}
