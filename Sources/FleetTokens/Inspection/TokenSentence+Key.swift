extension TokenSentence {
    /// The keys of the texts: `verdict…` for what was found, `remedy…` for what to change.
    public enum Key: String, Sendable, CaseIterable {
        // Other credentials.
        case verdictOAuthToken, verdictAPIKey, verdictSessionCookie, remedySignJWT, verdictIDToken

        // Misspelled claims.
        case verdictClaimMisspelt, remedyClaimSpelling

        // Shape.
        case verdictTooLong, remedyLookAtCopy, verdictPartCount, remedyWholeToken, verdictPadded, remedyNoPadding
        case verdictPlainBase64, remedyBase64URL, verdictNotBase64URL, remedyLostCharacters, verdictThreeParts
        case verdictNotJSON

        // Algorithm.
        case verdictAlgorithm, remedyAlgorithm, verdictNoAlgorithm, verdictAlgorithmNotText, verdictOtherAlgorithm

        // Key ID.
        case verdictKeyID, verdictNoKeyID, remedyKeyID, verdictKeyIDNotText, remedyKeyIDText, verdictUnknownKey
        case remedyKnownKey

        // Signature.
        case verdictNoSignature, remedySignToken, verdictSignatureUnchecked, verdictSignatureCut, remedyWholeSignature
        case verdictMisspelt, verdictPublicKey, verdictNotPublicKey, remedyPublicKey, verdictNoCertificates
        case verdictNoAccount, remedyAccount, verdictKeyOfIssuer, verdictOtherKeyOfIssuer, remedyOwnKeyID
        case verdictNotNamedKey, verdictNoKeyOfIssuer, remedyNamedKey

        // Issuer.
        case verdictIssuerNotText, verdictNoIssuer, remedyIssuerAndSubject, verdictIssuerNotSubject
        case verdictIssuerNoEmail, remedyIssuerEmail, verdictIssuerUnknownProject, verdictIssuerOtherProject
        case remedyProject, verdictIssuer

        // Audience.
        case verdictAudience, verdictNoAudience, verdictAudienceNotText, remedyAudience, verdictAudienceList
        case remedyAudienceText, verdictAudienceNoSlash, remedyAudienceSlash

        // Time of issue.
        case verdictNotBeforeAhead, remedyNotBefore, verdictNoIssueTime, remedyIssueTime, verdictIssueTimeAhead
        case remedySignerClock, verdictSignerClockAhead, remedyClocks, verdictIssued

        // Time claims.
        case verdictTimeNotNumber, remedyTimeNumber

        // Expiry.
        case verdictNoExpiry, remedyExpiry, verdictExpiryMilliseconds, remedyExpirySeconds, verdictExpired
        case remedyNewerToken, verdictExpiryTooFar, remedyLifetimeFastClock, verdictValid

        // Lifetime.
        case verdictLifetimeUnknown, verdictLifetimeTooLong, remedyLifetime, verdictExpiryNotAfterIssue
        case verdictLifetimeTooShort, verdictLifetimeDatedBack, verdictLifetime

        // Authorization.
        case verdictNoAuthorization, remedyAuthorization, verdictServerNoAuthorization, remedyServerNoAuthorization
        case verdictAuthorization, verdictTaskIDsNoArray, remedyTaskIDs

        // Scope.
        case verdictNotForServer, remedyForServer, verdictServerWildcard, verdictWildcard, remedyWildcard
        case verdictNoIDs, verdictTwoIDs, verdictOneID

        // Trip or vehicle.
        case verdictNamedIDs, verdictNoIdentity, remedyNoIdentity, verdictVehicleToken, verdictTripToken
        case verdictIDNotText, verdictIDMissing, remedyIdentity, verdictIdentity, verdictOtherIdentity
        case remedyOtherIdentity
    }
}
