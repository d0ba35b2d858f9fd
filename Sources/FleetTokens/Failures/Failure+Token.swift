package import Failures

/// The reasons why a token is not usable; they never contain claims about others.
extension Failure {
    /// The token is not three base64url parts, or contains characters that are not allowed in a header.
    package static let tokenMalformed = Failure(.tokenMalformed)
    /// The token is not a JWT, and opaque tokens are not accepted.
    package static let tokenOpaque = Failure(.tokenOpaque)
    /// The token declares no signature (`alg: none`) or its signature is empty.
    package static let tokenUnsigned = Failure(.tokenUnsigned)
    /// Neither the token nor the endpoint gives an expiry.
    package static let tokenWithoutExpiry = Failure(.tokenWithoutExpiry)
    /// `exp` is so large that it must be in milliseconds.
    package static let tokenExpiryInMilliseconds = Failure(.tokenExpiryInMilliseconds)
    /// `aud` is not the service's address.
    package static let tokenWrongAudience = Failure(.tokenWrongAudience)
    /// There is no `authorization` object, so Fleet Engine finds no scopes.
    package static let tokenWithoutAuthorization = Failure(.tokenWithoutAuthorization)
    /// The token is for another trip or vehicle.
    package static let tokenBoundToAnother = Failure(.tokenBoundToAnother)
    /// The token is for a vehicle instead of a trip, or vice versa.
    package static let tokenWrongKind = Failure(.tokenWrongKind)
    /// The token covers every trip or vehicle (`*`), which a client must not have.
    package static let tokenOverBroad = Failure(.tokenOverBroad)
    /// The service has just refused this token.
    package static let tokenSameAgain = Failure(.tokenSameAgain)
    /// The token begins with `Bearer `, which belongs to the header.
    package static let tokenBearerPrefix = Failure(.tokenBearerPrefix)
    /// The endpoint's expiry is years away: the configured unit is wrong.
    package static let tokenWrongExpiryUnit = Failure(.tokenWrongExpiryUnit)

    /// The token is longer than 8 KiB.
    package static func tokenTooLong(bytes: Int) -> Failure { Failure(.tokenTooLong).with(.bytes, bytes) }

    /// `iat` or `nbf` is so large that it must be in milliseconds.
    package static func tokenBeginInMilliseconds(_ claim: String) -> Failure {
        Failure(.tokenBeginInMilliseconds).with(.claim, claim)
    }

    /// The token had expired on arrival, by this duration of the local or the service's clock.
    package static func tokenExpired(ago: Duration) -> Failure { Failure(.tokenExpired).with(.duration, ago) }

    /// The remaining lifetime is too short to store the token.
    package static func tokenTooShort(left: Duration) -> Failure { Failure(.tokenTooShort).with(.left, left) }

    /// Most of a long lifetime has passed: the source has cached the token.
    package static func tokenNearlyOver(left: Duration, lifetime: Duration) -> Failure {
        Failure(.tokenNearlyOver).with(.left, left).with(.lifetime, lifetime)
    }

    /// The lifetime exceeds Fleet Engine's limit.
    package static func tokenTooLongLived(_ lifetime: Duration) -> Failure {
        Failure(.tokenTooLongLived).with(.lifetime, lifetime)
    }

    /// By the service's clock, the expiry exceeds the limit: the signer's clock is ahead.
    package static func tokenEndsTooFarAhead(by lead: Duration) -> Failure {
        Failure(.tokenEndsTooFarAhead).with(.duration, lead)
    }

    /// `iat` is further in the future than Fleet Engine tolerates.
    package static func tokenIssuedInFuture(by lead: Duration) -> Failure {
        Failure(.tokenIssuedInFuture).with(.duration, lead)
    }

    /// `authorization` has this form, in which Fleet Engine finds neither a trip nor a vehicle.
    package static func tokenUnusableAuthorization(_ form: String) -> Failure {
        Failure(.tokenUnusableAuthorization).with(.authorization, form)
    }

    /// The text contains a token, but in this form.
    package static func tokenWrapped(_ form: TokenForm) -> Failure {
        form == .bearer ? .tokenBearerPrefix : Failure(.tokenWrapped).with(.form, form.textKey)
    }

    /// The token is another kind of credential.
    package static func otherCredential(_ kind: CredentialKind) -> Failure { Failure(kind.failureCode) }

    /// `authorization` has this key instead of the key that Fleet Engine requires.
    package static func tokenMisspelledClaim(_ name: String, meant: String) -> Failure {
        Failure(.tokenMisspelledClaim).with(.name, name).with(.meant, meant)
    }

    /// This claim has the requested ID, but in this form.
    package static func tokenIDForm(_ form: IDForm, claim: String) -> Failure {
        Failure(.tokenIDForm).with(.claim, claim).with(.form, form.textKey)
    }

    /// This time claim (`exp`, `iat` or `nbf`) is not a number.
    package static func tokenMistypedTime(_ claim: String) -> Failure {
        Failure(.tokenMistypedTime).with(.claim, claim)
    }
}

extension CredentialKind {
    /// The row of a token that is this credential.
    fileprivate var failureCode: FailureCode {
        switch self {
        case .oauthAccessToken: .oauthAccessToken
        case .idToken: .idToken
        case .apiKey: .apiKey
        case .sessionCookie: .sessionCookie
        case .firebaseCustomToken: .firebaseCustomToken
        case .oauthAssertion: .oauthAssertion
        }
    }
}

extension TokenForm {
    /// The key of the text that names it.
    fileprivate var textKey: TextKey {
        switch self {
        case .utf16: .formUTF16
        case .bearer, .labelled: .formLabelled
        case .quoted: .formQuoted
        case .json: .formJSON
        case .list: .formList
        case .xml: .formXML
        case .percentEncoded: .formPercentEncoded
        case .base64: .formBase64
        case .spaced: .formSpaced
        }
    }
}
