/// A text about a token: its key and the values of its placeholders.
///
/// The texts are in `Assets/Strings`, one file for each language.
public struct TokenSentence: Sendable, Equatable {
    /// A value of a placeholder.
    public enum Value: Sendable, Equatable {
        /// A text that is the same in every language, such as a claim; it comes from outside and is not yet printable.
        case text(String)
        /// A length of time in seconds.
        case span(Double)

        /// Claims in quotation marks.
        package static func quoted(_ claims: String...) -> Self { quoted(claims) }

        /// Claims in quotation marks, separated by commas.
        package static func quoted(_ claims: some Sequence<String>) -> Self {
            .text(claims.map(TokenSentence.quoted).joined(separator: ", "))
        }
    }

    /// The key of the text.
    public let key: Key
    /// The values by the names of their placeholders.
    public let values: [String: Value]

    /// A text with the values of its placeholders.
    public init(_ key: Key, _ values: [String: Value] = [:]) {
        self.key = key
        self.values = values
    }

    /// Returns a claim in English quotation marks, truncated after 120 characters; other languages replace the marks.
    package static func quoted(_ claim: String) -> String { "“\(claim.prefix(120))\(claim.count > 120 ? "…" : "")”" }
}

extension TokenSentence {
    /// The keys of the texts: `verdict…` for what was found, `remedy…` for what to change.
    public enum Key: String, Sendable, CaseIterable {
        case verdictOAuthToken, verdictAPIKey, verdictSessionCookie, remedySignJWT, verdictIDToken
        case verdictFirebaseToken, verdictOAuthAssertion
        case verdictAccessToken, remedyAccessToken

        case verdictClaimMisspelt, remedyClaimSpelling

        case verdictTooLong, remedyLookAtCopy, verdictPartCount, remedyWholeToken, verdictPadded, remedyNoPadding
        case verdictPlainBase64, remedyBase64URL, verdictNotBase64URL, remedyLostCharacters, verdictThreeParts
        case verdictNotJSON, verdictWrapped, remedyBareToken

        case verdictAlgorithm, remedyAlgorithm, verdictNoAlgorithm, verdictAlgorithmNotText, verdictOtherAlgorithm

        case verdictKeyID, verdictNoKeyID, remedyKeyID, verdictKeyIDNotText, remedyKeyIDText, verdictUnknownKey
        case remedyKnownKey

        case verdictNoSignature, remedySignToken, verdictSignatureUnchecked, verdictSignatureCut, remedyWholeSignature
        case verdictMisspelt, verdictPublicKey, verdictNotPublicKey, remedyPublicKey, verdictNoCertificates
        case verdictNoAccount, remedyAccount, verdictKeyOfIssuer, verdictOtherKeyOfIssuer, remedyOwnKeyID
        case verdictNotNamedKey, verdictNoKeyOfIssuer, remedyNamedKey

        case verdictIssuerNotText, verdictNoIssuer, remedyIssuerAndSubject, verdictIssuerNotSubject
        case verdictIssuerNoEmail, remedyIssuerEmail, verdictIssuerUnknownProject, verdictIssuerOtherProject
        case remedyProject, verdictIssuer

        case verdictAudience, verdictNoAudience, verdictAudienceNotText, remedyAudience, verdictAudienceList
        case remedyAudienceText, verdictAudienceNoSlash, remedyAudienceSlash

        case verdictNotBeforeAhead, remedyNotBefore, verdictNoIssueTime, remedyIssueTime, verdictIssueTimeAhead
        case remedySignerClock, verdictSignerClockAhead, remedyClocks, verdictIssued, verdictServiceClockAhead
        case verdictServiceClockBehind, remedyServiceClock, verdictClockHereAhead, verdictClockHereBehind
        case remedyClockHere

        case verdictTimeNotNumber, remedyTimeNumber, verdictTimeMilliseconds, remedyTimeSeconds

        case verdictNoExpiry, remedyExpiry, verdictExpiryMilliseconds, remedyExpirySeconds, verdictExpired
        case remedyNewerToken, verdictExpiryTooFar, remedyLifetimeFastClock, verdictValid

        case verdictLifetimeUnknown, verdictLifetimeTooLong, remedyLifetime, verdictExpiryNotAfterIssue
        case verdictLifetimeTooShort, verdictLifetimeDatedBack, verdictLifetime

        case verdictNoAuthorization, remedyAuthorization, verdictServerNoAuthorization, remedyServerNoAuthorization
        case verdictAuthorization, verdictTaskIDsNoArray, remedyTaskIDs

        case verdictNotForServer, remedyForServer, verdictServerWildcard, verdictWildcard, remedyWildcard
        case verdictNoIDs, verdictTwoIDs, verdictSeveralIDs, verdictTrackingNotAlone, remedyTrackingAlone, verdictOneID

        case verdictNamedIDs, verdictNoIdentity, remedyNoIdentity, verdictVehicleToken, verdictTripToken,
            verdictOtherSubject
        case verdictIDNotText, verdictIDMissing, remedyIdentity, verdictIdentity, verdictOtherIdentity
        case remedyOtherIdentity
    }
}
