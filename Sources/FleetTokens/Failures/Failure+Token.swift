package import Failures
package import Foundation
import Runtime

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

extension Failure {
    /// Creates the failure of a source, or of its transport, that throws errors of any type.
    ///
    /// Foundation's errors of a network are known by domain and number, so that they need no import of its network.
    package init(thrownBySource error: any Error, asked: Asked = .source) {
        if let failure = error as? Failure {
            self = failure
            return
        }
        let code: FailureCode
        if error is CancellationError {
            code = .cancelled
        } else if let coded = error as? any CustomNSError, type(of: coded).errorDomain == "NSURLErrorDomain" {
            code = Self.codes[coded.errorCode] ?? .other
        } else {
            code = .other
        }
        // The descriptions of Foundation's errors have the URL with its query.
        let isDescribed = error is any LocalizedError || error is any CustomNSError
        let text = isDescribed ? error.localizedDescription : "\(error)"
        let words = EvidenceText.line(text.withoutPossibleSecrets, limit: 200)
        self = Failure(code, asked: asked).with(.reason, words)
    }

    /// The errors of `URLSession` by their numbers; see `URLError.Code`.
    private static let codes: [Int: FailureCode] = [
        -999: .cancelled, -1001: .timedOut, -1003: .unknownHost, -1004: .refused, -1005: .connectionLost,
        -1006: .unknownHost, -1011: .malformed, -1200: .tls, -1201: .tls, -1202: .tls, -1203: .tls, -1204: .tls,
    ]
}
