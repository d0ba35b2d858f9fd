import Foundation

/// The rules for the claims of a token, with the text of each verdict.
struct TokenRuleBook {
    let claims: TokenClaims
    let expectations: TokenInspection.Expectations
    let now: Date

    var findings: [TokenFinding] {
        [algorithm, keyID, signature, issuer, audience, issuedAt, expiry, lifetime, authorization] + privateClaims
    }

    private var algorithm: TokenFinding {
        guard claims.algorithm != "RS256" else {
            return TokenFinding(.algorithm, .kept, TokenSentence(.verdictAlgorithm))
        }
        let advice = TokenSentence(.remedyAlgorithm)
        guard let algorithm = claims.algorithm else {
            let isMistyped = claims.mistyped.contains("alg")
            let words = TokenSentence(isMistyped ? .verdictAlgorithmNotText : .verdictNoAlgorithm)
            return TokenFinding(.algorithm, .broken, words, advice: advice)
        }
        return TokenFinding(
            .algorithm,
            .broken,
            TokenSentence(.verdictOtherAlgorithm, ["algorithm": .text(shown(algorithm))]),
            advice: advice
        )
    }

    private var keyID: TokenFinding {
        if let keyID = claims.keyID, !keyID.isEmpty {
            return TokenFinding(.keyID, .kept, TokenSentence(.verdictKeyID, ["key": .text(shown(keyID))]))
        }
        guard !claims.mistyped.contains("kid") else {
            return TokenFinding(
                .keyID,
                .broken,
                TokenSentence(.verdictKeyIDNotText),
                advice: TokenSentence(.remedyKeyIDText)
            )
        }
        return TokenFinding(
            .keyID,
            .broken,
            TokenSentence(.verdictNoKeyID),
            advice: TokenSentence(.remedyKeyID)
        )
    }

    private var signature: TokenFinding {
        if claims.isUnsigned {
            return TokenFinding(
                .signature,
                .broken,
                TokenSentence(.verdictNoSignature),
                advice: TokenSentence(.remedySignToken)
            )
        }
        if claims.algorithm == "RS256", claims.signatureBytes < 256 {
            return TokenFinding(
                .signature,
                .broken,
                TokenSentence(.verdictSignatureCut, ["bytes": .text(String(claims.signatureBytes))]),
                advice: TokenSentence(.remedyWholeSignature)
            )
        }
        return TokenFinding(.signature, .unchecked, TokenSentence(.verdictSignatureUnchecked))
    }

    private var issuer: TokenFinding {
        guard let issuer = claims.issuer, let subject = claims.subject else {
            let isMistyped = !claims.mistyped.isDisjoint(with: ["iss", "sub"])
            return TokenFinding(
                .issuer,
                .broken,
                TokenSentence(isMistyped ? .verdictIssuerNotText : .verdictNoIssuer),
                advice: TokenSentence(.remedyIssuerAndSubject)
            )
        }
        guard issuer.hasSameBytes(as: subject) else {
            return TokenFinding(
                .issuer,
                .broken,
                TokenSentence(
                    .verdictIssuerNotSubject,
                    ["issuer": .text(shown(issuer)), "subject": .text(shown(subject))]
                ),
                advice: TokenSentence(.remedyIssuerAndSubject)
            )
        }
        guard issuer.contains("@") else {
            return TokenFinding(
                .issuer,
                .broken,
                TokenSentence(.verdictIssuerNoEmail, ["issuer": .text(shown(issuer))]),
                advice: TokenSentence(.remedyIssuerEmail)
            )
        }
        if let provider = expectations.providerID, !issuer.hasSuffix(".gserviceaccount.com") {
            return TokenFinding(
                .issuer,
                .unchecked,
                TokenSentence(
                    .verdictIssuerUnknownProject,
                    ["issuer": .text(shown(issuer)), "project": .text(shown(provider))]
                )
            )
        }
        if let provider = expectations.providerID, issuer.hasSuffix(".iam.gserviceaccount.com"),
            !issuer.hasSuffix("@\(provider).iam.gserviceaccount.com")
        {
            return TokenFinding(
                .issuer,
                .doubtful,
                TokenSentence(
                    .verdictIssuerOtherProject,
                    ["issuer": .text(shown(issuer)), "project": .text(shown(provider))]
                ),
                advice: TokenSentence(.remedyProject)
            )
        }
        return TokenFinding(.issuer, .kept, TokenSentence(.verdictIssuer, ["issuer": .text(shown(issuer))]))
    }

    private var audience: TokenFinding {
        let wanted = expectations.audience
        let isMistyped = claims.mistyped.contains("aud")
        if !isMistyped, claims.audiences.count == 1, claims.audiences[0].hasSameBytes(as: wanted) {
            return TokenFinding(.audience, .kept, TokenSentence(.verdictAudience, ["audience": .text(shown(wanted))]))
        }
        guard !claims.audiences.isEmpty else {
            let words = TokenSentence(isMistyped ? .verdictAudienceNotText : .verdictNoAudience)
            return TokenFinding(
                .audience,
                .broken,
                words,
                advice: TokenSentence(.remedyAudience, ["audience": .text(wanted)])
            )
        }
        let said = claims.audiences.prefix(5).map(shown).joined(separator: ", ")
        if claims.audiences.contains(where: { $0.hasSameBytes(as: wanted) }) {
            return TokenFinding(
                .audience,
                .broken,
                TokenSentence(.verdictAudienceList, ["audiences": .text(said)]),
                advice: TokenSentence(.remedyAudienceText, ["audience": .text(wanted)])
            )
        }
        guard !claims.audiences.contains(where: { $0 + "/" == wanted }) else {
            return TokenFinding(
                .audience,
                .broken,
                TokenSentence(.verdictAudienceNoSlash, ["audience": .text(said)]),
                advice: TokenSentence(.remedyAudienceSlash, ["audience": .text(wanted)])
            )
        }
        return TokenFinding(
            .audience,
            .broken,
            TokenSentence(.verdictAudience, ["audience": .text(said)]),
            advice: TokenSentence(.remedyAudience, ["audience": .text(wanted)])
        )
    }

    private var issuedAt: TokenFinding {
        for name in ["iat", "nbf"] where claims.mistyped.contains(name) { return mistyped(name, .issuedAt) }
        if let ahead = claims.notBefore?.timeIntervalSince(now), ahead > 600 {
            return TokenFinding(
                .issuedAt,
                .broken,
                TokenSentence(.verdictNotBeforeAhead, ["duration": span(ahead)]),
                advice: TokenSentence(.remedyNotBefore)
            )
        }
        guard let issued = claims.issuedAt else {
            return TokenFinding(
                .issuedAt,
                .broken,
                TokenSentence(.verdictNoIssueTime),
                advice: TokenSentence(.remedyIssueTime)
            )
        }
        let ahead = max(issued, claims.notBefore ?? issued).timeIntervalSince(now)
        if ahead > 600 {
            return TokenFinding(
                .issuedAt,
                .broken,
                TokenSentence(.verdictIssueTimeAhead, ["duration": span(ahead)]),
                advice: TokenSentence(.remedySignerClock)
            )
        }
        if ahead > 5 {
            return TokenFinding(
                .issuedAt,
                .kept,
                TokenSentence(.verdictSignerClockAhead, ["duration": span(ahead)]),
                advice: TokenSentence(.remedyClocks)
            )
        }
        return TokenFinding(.issuedAt, .kept, TokenSentence(.verdictIssued, ["duration": span(-ahead)]))
    }

    private func mistyped(_ claim: String, _ rule: TokenRule) -> TokenFinding {
        TokenFinding(
            rule,
            .broken,
            TokenSentence(.verdictTimeNotNumber, ["claim": .text(claim)]),
            advice: TokenSentence(.remedyTimeNumber, ["claim": .text(claim)])
        )
    }

    private var expiry: TokenFinding {
        if claims.mistyped.contains("exp") { return mistyped("exp", .expiry) }
        guard let seconds = claims.expirySeconds, let end = claims.expiresAt else {
            return TokenFinding(
                .expiry,
                .broken,
                TokenSentence(.verdictNoExpiry),
                advice: TokenSentence(.remedyExpiry)
            )
        }
        if seconds > 1e11 {
            return TokenFinding(
                .expiry,
                .broken,
                TokenSentence(.verdictExpiryMilliseconds),
                advice: TokenSentence(.remedyExpirySeconds)
            )
        }
        let left = end.timeIntervalSince(now)
        guard left > 0 else {
            return TokenFinding(
                .expiry,
                .broken,
                TokenSentence(.verdictExpired, ["duration": span(-left)]),
                advice: TokenSentence(.remedyNewerToken)
            )
        }
        // The grace period of one minute is the same as the provider's.
        guard left <= 3660 else {
            return TokenFinding(
                .expiry,
                .broken,
                TokenSentence(.verdictExpiryTooFar, ["duration": span(left)]),
                advice: TokenSentence(.remedyLifetimeFastClock)
            )
        }
        return TokenFinding(.expiry, .kept, TokenSentence(.verdictValid, ["duration": span(left)]))
    }

    private var lifetime: TokenFinding {
        guard let begin = claims.issuedAtSeconds, let end = claims.expirySeconds, end < 1e11 else {
            return TokenFinding(.lifetime, .unchecked, TokenSentence(.verdictLifetimeUnknown))
        }
        let life = end - begin
        guard life <= 3660 else {
            return TokenFinding(
                .lifetime,
                .broken,
                TokenSentence(.verdictLifetimeTooLong, ["lifetime": span(life)]),
                advice: TokenSentence(.remedyLifetime)
            )
        }
        guard life > 0 else {
            return TokenFinding(
                .lifetime,
                .broken,
                TokenSentence(.verdictExpiryNotAfterIssue),
                advice: TokenSentence(.remedyLifetime)
            )
        }
        guard life >= 30 else {
            return TokenFinding(
                .lifetime,
                .doubtful,
                TokenSentence(.verdictLifetimeTooShort, ["lifetime": span(life)]),
                advice: TokenSentence(.remedyLifetime)
            )
        }
        guard life <= 3600 else {
            return TokenFinding(
                .lifetime,
                .kept,
                TokenSentence(.verdictLifetimeDatedBack, ["seconds": .text(String(Int(life)))])
            )
        }
        return TokenFinding(.lifetime, .kept, TokenSentence(.verdictLifetime, ["lifetime": span(life)]))
    }

    private var authorization: TokenFinding {
        if CredentialKind(claims) != nil {
            return TokenFinding(
                .authorization,
                .broken,
                TokenSentence(.verdictIDToken, ["issuer": .text(shown(claims.issuer ?? ""))]),
                advice: TokenSentence(.remedySignJWT)
            )
        }
        guard claims.hasAuthorization else {
            return TokenFinding(
                .authorization,
                .broken,
                TokenSentence(.verdictNoAuthorization),
                advice: TokenSentence(.remedyAuthorization)
            )
        }
        return TokenFinding(.authorization, .kept, TokenSentence(.verdictAuthorization))
    }

    private var privateClaims: [TokenFinding] {
        guard claims.hasAuthorization else { return [] }
        var findings = identity.map { [$0] } ?? []
        findings.append(scope)
        if claims.hasMalformedTaskIDs {
            findings.append(
                TokenFinding(
                    .taskIDs,
                    .broken,
                    TokenSentence(.verdictTaskIDsNoArray),
                    advice: TokenSentence(.remedyTaskIDs)
                )
            )
        }
        return findings
    }

    /// The finding about the scope of the token.
    private var scope: TokenFinding {
        let wild = claims.wildcards.joined(separator: ", ")
        if expectations.isForServer {
            guard Set(claims.wildcards).isSuperset(of: ["tripid", "vehicleid"]) else {
                return TokenFinding(
                    .scope,
                    .broken,
                    TokenSentence(.verdictNotForServer),
                    advice: TokenSentence(.remedyForServer)
                )
            }
            return TokenFinding(.scope, .kept, TokenSentence(.verdictServerWildcard))
        }
        guard claims.wildcards.isEmpty else {
            return TokenFinding(
                .scope,
                .broken,
                TokenSentence(.verdictWildcard, ["claims": .text(wild)]),
                advice: TokenSentence(.remedyWildcard)
            )
        }
        switch (claims.tripID, claims.vehicleID) {
        case (nil, nil): return TokenFinding(.scope, .unchecked, TokenSentence(.verdictNoIDs))
        case (_?, _?): return TokenFinding(.scope, .kept, TokenSentence(.verdictTwoIDs))
        case (_?, nil), (nil, _?): return TokenFinding(.scope, .kept, TokenSentence(.verdictOneID))
        }
    }

    /// The finding about the trip or vehicle.
    private var identity: TokenFinding? {
        guard let context = expectations.context else {
            let ids = [claims.tripID.map { "tripid \(shown($0))" }, claims.vehicleID.map { "vehicleid \(shown($0))" }]
            let said = ids.compactMap { $0 }
            guard said.isEmpty else {
                return TokenFinding(
                    .identity,
                    .unchecked,
                    TokenSentence(.verdictNamedIDs, ["ids": .text(said.joined(separator: ", "))])
                )
            }
            return TokenFinding(
                .identity,
                .broken,
                TokenSentence(.verdictNoIdentity),
                advice: TokenSentence(.remedyNoIdentity)
            )
        }
        let isTrip = if case .trip = context { true } else { false }
        let claim = context.claimName
        guard let own = isTrip ? claims.tripID : claims.vehicleID else {
            if let name = claims.misspelt[claim] {
                return TokenFinding(
                    .identity,
                    .broken,
                    TokenSentence(.verdictClaimMisspelt, ["name": .text(shown(name)), "claim": .text(claim)]),
                    advice: TokenSentence(.remedyClaimSpelling, ["claim": .text(claim)])
                )
            }
            return TokenFinding(
                .identity,
                .broken,
                missingIdentity(isTrip, context.claimName),
                advice: TokenSentence(.remedyIdentity, ["claim": .text(context.claimName)])
            )
        }
        if own == "*" || own.hasSameBytes(as: context.id) {
            return TokenFinding(
                .identity,
                .kept,
                TokenSentence(.verdictIdentity, ["claim": .text(context.claimName), "id": .text(shown(own))])
            )
        }
        return TokenFinding(
            .identity,
            .broken,
            TokenSentence(
                .verdictOtherIdentity,
                ["claim": .text(context.claimName), "id": .text(shown(own)), "asked": .text(shown(context.id))]
            ),
            advice: TokenSentence(.remedyOtherIdentity)
        )
    }

    private func missingIdentity(_ isTrip: Bool, _ claim: String) -> TokenSentence {
        if isTrip, claims.vehicleID != nil { return TokenSentence(.verdictVehicleToken) }
        if !isTrip, claims.tripID != nil { return TokenSentence(.verdictTripToken) }
        return claims.mistyped.contains(claim)
            ? TokenSentence(.verdictIDNotText, ["claim": .text(claim)])
            : TokenSentence(.verdictIDMissing, ["claim": .text(claim)])
    }

    /// Returns a claim in quotation marks, truncated.
    private func shown(_ text: String) -> String { "“\(text.prefix(120))\(text.count > 120 ? "…" : "")”" }

    private func span(_ seconds: Double) -> TokenSentence.Value { .span(seconds) }
}
