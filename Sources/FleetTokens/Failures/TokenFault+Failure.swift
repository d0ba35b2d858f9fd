package import Failures

extension TokenFault {
    /// The failure with the values of this fault.
    package var failure: Failure {
        switch self {
        case .malformed: Failure(.tokenMalformed)
        case .tooLong(let bytes): Failure(.tokenTooLong, ["bytes": .number(bytes)])
        case .opaque: Failure(.tokenOpaque)
        case .unsigned: Failure(.tokenUnsigned)
        case .missingExpiry: Failure(.tokenWithoutExpiry)
        case .expiryInMilliseconds: Failure(.tokenExpiryInMilliseconds)
        case .beginInMilliseconds(let claim): Failure(.tokenBeginInMilliseconds, ["claim": .text(claim)])
        case .expired(let ago): Failure(.tokenExpired, ["duration": .duration(ago)])
        case .tooShort(let left): Failure(.tokenTooShort, ["left": .duration(left)])
        case .nearlyOver(let left, let lifetime):
            Failure(.tokenNearlyOver, ["left": .duration(left), "lifetime": .duration(lifetime)])
        case .tooLongLived(let lifetime): Failure(.tokenTooLongLived, ["lifetime": .duration(lifetime)])
        case .endsTooFarAhead(let lead): Failure(.tokenEndsTooFarAhead, ["duration": .duration(lead)])
        case .issuedInFuture(let lead): Failure(.tokenIssuedInFuture, ["duration": .duration(lead)])
        case .wrongAudience: Failure(.tokenWrongAudience)
        case .authorizationMissing: Failure(.tokenWithoutAuthorization)
        case .unusableAuthorization(let form): Failure(.tokenUnusableAuthorization, ["form": .text(form)])
        case .boundToAnother: Failure(.tokenBoundToAnother)
        case .wrongKind: Failure(.tokenWrongKind)
        case .overBroad: Failure(.tokenOverBroad)
        case .sameTokenAgain: Failure(.tokenSameAgain)
        case .bearerPrefix, .wrapped(.bearer): Failure(.tokenBearerPrefix)
        case .wrapped(let form): Failure(.tokenWrapped, ["form": .term(form.textKey)])
        case .wrongExpiryUnit: Failure(.tokenWrongExpiryUnit)
        case .otherCredential(.oauthAccessToken): Failure(.oauthAccessToken)
        case .otherCredential(.idToken): Failure(.idToken)
        case .otherCredential(.apiKey): Failure(.apiKey)
        case .otherCredential(.sessionCookie): Failure(.sessionCookie)
        case .otherCredential(.firebaseCustomToken): Failure(.firebaseCustomToken)
        case .otherCredential(.oauthAssertion): Failure(.oauthAssertion)
        case .misspelledClaim(let name, let meant):
            Failure(.tokenMisspelledClaim, ["name": .text(name), "meant": .text(meant)])
        case .mistypedTime(let claim): Failure(.tokenMistypedTime, ["claim": .text(claim)])
        }
    }
}

extension TokenForm {
    /// The key of the text that names it.
    fileprivate var textKey: String {
        switch self {
        case .utf16: "formUTF16"
        case .bearer, .labelled: "formLabelled"
        case .quoted: "formQuoted"
        case .json: "formJSON"
        case .list: "formList"
        case .xml: "formXML"
        case .percentEncoded: "formPercentEncoded"
        case .base64: "formBase64"
        case .spaced: "formSpaced"
        }
    }
}

extension TokenWarning {
    /// The row of the table with the values of this warning.
    package var failure: Failure {
        switch self {
        case .expiryDisagreement: Failure(.expiryDisagreement)
        case .opaque: Failure(.opaqueToken)
        case .assumedLifetime(let lifetime): Failure(.assumedLifetime, ["lifetime": .duration(lifetime)])
        case .clockDiffers(let offset):
            Failure(offset < .zero ? .clockBehind : .clockAhead, ["difference": .duration(offset)])
        case .shortLived(let lifetime): Failure(.shortLived, ["lifetime": .duration(lifetime)])
        case .wrongExpiryUnit: Failure(.ignoredExpiryUnit)
        case .unusualAlgorithm: Failure(.unusualAlgorithm)
        case .wildcard: Failure(.wildcard)
        case .surroundedBySpace: Failure(.surroundedBySpace)
        case .readableByOthers: Failure(.readableByOthers)
        case .noExpirationKey(let key): Failure(.noExpirationKey, ["key": .text(key)])
        case .unreadableTime(let key): Failure(.unreadableTime, ["key": .text(key)])
        }
    }
}
