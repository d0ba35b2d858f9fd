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
        guard claims.algorithm != "RS256" else { return TokenFinding(.algorithm, .kept, "alg is RS256.") }
        let advice: TokenSentence = "Sign with the service account's RSA key: alg RS256."
        guard let algorithm = claims.algorithm else {
            let isMistyped = claims.mistyped.contains("alg")
            let words: TokenSentence = isMistyped ? "alg is there, but it is not text." : "The header has no alg."
            return TokenFinding(.algorithm, .broken, words, advice: advice)
        }
        return TokenFinding(.algorithm, .broken, "alg is \(shown(algorithm)), not RS256.", advice: advice)
    }

    private var keyID: TokenFinding {
        if let keyID = claims.keyID, !keyID.isEmpty { return TokenFinding(.keyID, .kept, "kid is \(shown(keyID)).") }
        guard !claims.mistyped.contains("kid") else {
            return TokenFinding(
                .keyID,
                .broken,
                "kid is there, but it is not text.",
                advice: "Write the key's private_key_id between quotes."
            )
        }
        return TokenFinding(
            .keyID,
            .broken,
            "The header has no kid, so that the service does not know which key to check with.",
            advice: "Put the key's private_key_id into the header as kid."
        )
    }

    private var signature: TokenFinding {
        if claims.isUnsigned {
            return TokenFinding(
                .signature,
                .broken,
                "There is no signature.",
                advice: "Sign the token; an unsigned one is refused."
            )
        }
        if claims.algorithm == "RS256", claims.signatureBytes < 256 {
            return TokenFinding(
                .signature,
                .broken,
                "The signature has \(claims.signatureBytes) bytes; that of a service account's key has 256.",
                advice: "Take the whole token: its end is lost easily by copying."
            )
        }
        return TokenFinding(.signature, .unchecked, "There is a signature; without a public key it can't be checked.")
    }

    private var issuer: TokenFinding {
        guard let issuer = claims.issuer, let subject = claims.subject else {
            let isMistyped = !claims.mistyped.isDisjoint(with: ["iss", "sub"])
            return TokenFinding(
                .issuer,
                .broken,
                isMistyped ? "iss or sub is not text." : "iss or sub is missing.",
                advice: "Set both to the service account's e-mail address."
            )
        }
        guard issuer.hasSameBytes(as: subject) else {
            return TokenFinding(
                .issuer,
                .broken,
                "iss is \(shown(issuer)), sub is \(shown(subject)).",
                advice: "Set both to the service account's e-mail address."
            )
        }
        guard issuer.contains("@") else {
            return TokenFinding(
                .issuer,
                .broken,
                "iss is \(shown(issuer)), which is no e-mail address.",
                advice: "Set iss and sub to the service account's e-mail address."
            )
        }
        if let provider = expectations.providerID, !issuer.hasSuffix(".gserviceaccount.com") {
            return TokenFinding(
                .issuer,
                .unchecked,
                "iss and sub are \(shown(issuer)): whether that account belongs to \(shown(provider)) it does not tell."
            )
        }
        if let provider = expectations.providerID, issuer.hasSuffix(".iam.gserviceaccount.com"),
            !issuer.hasSuffix("@\(provider).iam.gserviceaccount.com")
        {
            return TokenFinding(
                .issuer,
                .doubtful,
                "iss is \(shown(issuer)), an account of another project than \(shown(provider)).",
                advice:
                    "Use a service account of the project that owns the trips, give this one a role there, or correct the provider ID."
            )
        }
        return TokenFinding(.issuer, .kept, "iss and sub are \(shown(issuer)).")
    }

    private var audience: TokenFinding {
        let wanted = expectations.audience
        let isMistyped = claims.mistyped.contains("aud")
        if !isMistyped, claims.audiences.count == 1, claims.audiences[0].hasSameBytes(as: wanted) {
            return TokenFinding(.audience, .kept, "aud is \(shown(wanted)).")
        }
        guard !claims.audiences.isEmpty else {
            let words: TokenSentence = isMistyped ? "aud is there, but it is not text." : "aud is missing."
            return TokenFinding(.audience, .broken, words, advice: "Set aud to \(wanted).")
        }
        let said = claims.audiences.prefix(5).map(shown).joined(separator: ", ")
        if claims.audiences.contains(where: { $0.hasSameBytes(as: wanted) }) {
            return TokenFinding(
                .audience,
                .broken,
                "aud is a list, \(said).",
                advice: "Write aud as one text, \(wanted)."
            )
        }
        guard !claims.audiences.contains(where: { $0 + "/" == wanted }) else {
            return TokenFinding(
                .audience,
                .broken,
                "aud is \(said): the slash at its end is missing.",
                advice: "Set aud to \(wanted), the slash included."
            )
        }
        return TokenFinding(.audience, .broken, "aud is \(said).", advice: "Set aud to \(wanted).")
    }

    private var issuedAt: TokenFinding {
        for name in ["iat", "nbf"] where claims.mistyped.contains(name) { return mistyped(name, .issuedAt) }
        if let ahead = claims.notBefore?.timeIntervalSince(now), ahead > 600 {
            return TokenFinding(
                .issuedAt,
                .broken,
                "It is not yet valid: nbf lies \(span(ahead)) ahead.",
                advice: "Leave nbf out, or set it to now; a token is used as soon as it is fetched."
            )
        }
        guard let issued = claims.issuedAt else {
            return TokenFinding(.issuedAt, .broken, "iat is missing.", advice: "Set iat to now, in seconds since 1970.")
        }
        let ahead = max(issued, claims.notBefore ?? issued).timeIntervalSince(now)
        if ahead > 600 {
            return TokenFinding(
                .issuedAt,
                .broken,
                "It is not yet valid: iat lies \(span(ahead)) ahead.",
                advice: "Set the signer's clock (the service tolerates ten minutes), and write iat in seconds."
            )
        }
        if ahead > 5 {
            return TokenFinding(
                .issuedAt,
                .kept,
                "The signer's clock is \(span(ahead)) ahead of this one; the service tolerates ten minutes.",
                advice: "Set the signer's clock or this one."
            )
        }
        return TokenFinding(.issuedAt, .kept, "It was issued \(span(-ahead)) ago.")
    }

    private func mistyped(_ claim: String, _ rule: TokenRule) -> TokenFinding {
        TokenFinding(
            rule,
            .broken,
            "\(claim) is there, but it is no number.",
            advice: "Write \(claim) as a number without quotes: seconds since 1970."
        )
    }

    private var expiry: TokenFinding {
        if claims.mistyped.contains("exp") { return mistyped("exp", .expiry) }
        guard let seconds = claims.expirySeconds, let end = claims.expiresAt else {
            return TokenFinding(
                .expiry,
                .broken,
                "exp is missing.",
                advice: "Set exp to 55 minutes from now, in seconds."
            )
        }
        if seconds > 1e11 {
            return TokenFinding(
                .expiry,
                .broken,
                "exp is in milliseconds.",
                advice: "Write exp in seconds since 1970: divide by 1000."
            )
        }
        let left = end.timeIntervalSince(now)
        guard left > 0 else {
            return TokenFinding(
                .expiry,
                .broken,
                "It expired \(span(-left)) ago.",
                advice:
                    "Use a newer token; where this one came just now, its endpoint hands out old ones or its clock is wrong."
            )
        }
        // The grace period of one minute is the same as the provider's.
        guard left <= 3660 else {
            return TokenFinding(
                .expiry,
                .broken,
                "exp lies \(span(left)) ahead; the service takes no more than an hour.",
                advice: "Let tokens live 55 minutes, so that a fast clock does no harm."
            )
        }
        return TokenFinding(.expiry, .kept, "It is valid for another \(span(left)).")
    }

    private var lifetime: TokenFinding {
        guard let begin = claims.issuedAtSeconds, let end = claims.expirySeconds, end < 1e11 else {
            return TokenFinding(.lifetime, .unchecked, "Without iat and exp in seconds there is no lifetime to judge.")
        }
        let life = end - begin
        guard life <= 3660 else {
            return TokenFinding(
                .lifetime,
                .broken,
                "It lives \(span(life)), more than an hour.",
                advice: "Let tokens live 55 minutes."
            )
        }
        guard life > 0 else {
            return TokenFinding(.lifetime, .broken, "exp is not after iat.", advice: "Let tokens live 55 minutes.")
        }
        guard life >= 30 else {
            return TokenFinding(
                .lifetime,
                .doubtful,
                "It lives \(span(life)) only: a new one is needed every few seconds.",
                advice: "Let tokens live 55 minutes."
            )
        }
        guard life <= 3600 else {
            return TokenFinding(
                .lifetime,
                .kept,
                "It lives \(Int(life)) s: more than an hour, but iat may be dated back by a minute."
            )
        }
        return TokenFinding(.lifetime, .kept, "It lives \(span(life)).")
    }

    private var authorization: TokenFinding {
        if CredentialKind(claims) != nil {
            return TokenFinding(
                .authorization,
                .broken,
                "It is an ID token or a session of \(shown(claims.issuer ?? "")): it says who somebody is, and allows nothing.",
                advice: "Sign a JWT with a service account's key."
            )
        }
        guard claims.hasAuthorization else {
            return TokenFinding(
                .authorization,
                .broken,
                "There is no authorization object: the service will find no scopes in it.",
                advice:
                    "Add \"authorization\": {\"tripid\": \"…\"} for a consumer or {\"vehicleid\": \"…\"} for a driver."
            )
        }
        return TokenFinding(.authorization, .kept, "There is an authorization object.")
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
                    "authorization.taskids is not an array.",
                    advice: "Write an array even for one: [\"*\"]."
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
                    "It is not good for every trip and every vehicle, as a server's has to be.",
                    advice: "Set both tripid and vehicleid to \"*\"."
                )
            }
            return TokenFinding(.scope, .kept, "A server's wildcard.")
        }
        guard claims.wildcards.isEmpty else {
            return TokenFinding(
                .scope,
                .broken,
                "It is good for every trip, vehicle or task: * in \(wild).",
                advice: "Give a client a token for its one trip or vehicle; keep wildcards on the server."
            )
        }
        switch (claims.tripID, claims.vehicleID) {
        case (nil, nil): return TokenFinding(.scope, .unchecked, "It names no trip and no vehicle.")
        case (_?, _?): return TokenFinding(.scope, .kept, "It is good for one trip and one vehicle.")
        case (_?, nil), (nil, _?): return TokenFinding(.scope, .kept, "It is good for one ID only.")
        }
    }

    /// The finding about the trip or vehicle.
    private var identity: TokenFinding? {
        guard let context = expectations.context else {
            let ids = [claims.tripID.map { "tripid \(shown($0))" }, claims.vehicleID.map { "vehicleid \(shown($0))" }]
            let said = ids.compactMap { $0 }
            guard said.isEmpty else {
                return TokenFinding(.identity, .unchecked, "It is for \(said.joined(separator: ", ")).")
            }
            return TokenFinding(
                .identity,
                .broken,
                "authorization names neither a trip nor a vehicle.",
                advice: "Set tripid for a consumer or vehicleid for a driver; both in lower case."
            )
        }
        let isTrip = if case .trip = context { true } else { false }
        let claim = context.claimName
        guard let own = isTrip ? claims.tripID : claims.vehicleID else {
            if let name = claims.misspelt[claim] {
                return TokenFinding(
                    .identity,
                    .broken,
                    "authorization has \(shown(name)), which Fleet Engine does not know: the claim is spelt \(claim).",
                    advice: "Write \(claim), in lower case and in one word."
                )
            }
            return TokenFinding(
                .identity,
                .broken,
                missingIdentity(isTrip, context.claimName),
                advice: "Set authorization.\(context.claimName) to the ID that is asked for."
            )
        }
        if own == "*" || own.hasSameBytes(as: context.id) {
            return TokenFinding(.identity, .kept, "\(context.claimName) is \(shown(own)).")
        }
        return TokenFinding(
            .identity,
            .broken,
            "\(context.claimName) is \(shown(own)), and \(shown(context.id)) was asked for.",
            advice: "Ask the endpoint for the token of this ID, or look at how it caches."
        )
    }

    private func missingIdentity(_ isTrip: Bool, _ claim: String) -> TokenSentence {
        if isTrip, claims.vehicleID != nil { return "It is a vehicle's token, and a trip's was asked for." }
        if !isTrip, claims.tripID != nil { return "It is a trip's token, and a vehicle's was asked for." }
        return claims.mistyped.contains(claim)
            ? "authorization.\(claim) is not text." : "authorization has no \(claim)."
    }

    /// Returns a claim in quotation marks, truncated.
    private func shown(_ text: String) -> String { "“\(text.prefix(120))\(text.count > 120 ? "…" : "")”" }

    private func span(_ seconds: Double) -> TokenSentence.Value { .span(seconds) }
}
