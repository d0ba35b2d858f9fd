import Failures
import Foundation
import TripModel

/// The rules for the header and the claims of a token: the trip or vehicle, the scope, the account and the times.
///
/// To add a rule, add a case to ``TokenRule``, a property that returns its finding, and the texts to `Assets/Strings`.
struct TokenRules {
    private typealias Value = TokenSentence.Value

    let claims: TokenClaims
    let expectations: TokenInspection.Expectations
    let now: Date

    var findings: [TokenFinding] {
        let always = [algorithm, keyID, signature, issuer, audience, issuedAt, expiry, lifetime, authorization]
        return claims.hasAuthorization ? always + [identity, scope] + [taskIDs].compactMap(\.self) : always
    }

    private func isMistyped(_ claim: String) -> Bool { claims.mistyped.contains(claim) }

    /// The name and the value of a claim of the wrong type.
    private func value(of claim: String) -> [String: Value] {
        ["claim": .text(claim), "value": .text(claims.mistypedValues?[claim] ?? "?")]
    }

    // MARK: Header and signature

    private var algorithm: TokenFinding {
        if claims.algorithm == "RS256" { return .satisfied(.algorithm, .verdictAlgorithm) }
        if let algorithm = claims.algorithm {
            let values = ["algorithm": Value.quoted(algorithm)]
            return .broken(.algorithm, .verdictOtherAlgorithm, values, .remedyAlgorithm)
        }
        guard isMistyped("alg") else { return .broken(.algorithm, .verdictNoAlgorithm, .remedyAlgorithm) }
        return .broken(.algorithm, .verdictAlgorithmNotText, value(of: "alg"), .remedyAlgorithm)
    }

    private var keyID: TokenFinding {
        if let key = claims.keyID, !key.isEmpty { return .satisfied(.keyID, .verdictKeyID, ["key": .quoted(key)]) }
        if isMistyped("kid") { return .broken(.keyID, .verdictKeyIDNotText, value(of: "kid"), .remedyKeyIDText) }
        return .broken(.keyID, .verdictNoKeyID, .remedyKeyID)
    }

    private var signature: TokenFinding {
        if claims.isUnsigned { return .broken(.signature, .verdictNoSignature, .remedySignToken) }
        // The signature of an RSA key with 2048 bits has 256 bytes.
        if claims.algorithm == "RS256", claims.signatureBytes < 256 {
            let values = ["bytes": Value.text(String(claims.signatureBytes))]
            return .broken(.signature, .verdictSignatureCut, values, .remedyWholeSignature)
        }
        return .unchecked(.signature, .verdictSignatureUnchecked)
    }

    // MARK: Account and audience

    private var issuer: TokenFinding {
        guard let issuer = claims.issuer, let subject = claims.subject else {
            guard let claim = ["iss", "sub"].first(where: isMistyped) else {
                return .broken(.issuer, .verdictNoIssuer, .remedyIssuerAndSubject)
            }
            return .broken(.issuer, .verdictIssuerNotText, value(of: claim), .remedyIssuerAndSubject)
        }
        var values = ["issuer": Value.quoted(issuer)]
        guard issuer.hasSameBytes(as: subject) else {
            values["subject"] = .quoted(subject)
            return .broken(.issuer, .verdictIssuerNotSubject, values, .remedyIssuerAndSubject)
        }
        guard issuer.contains("@") else { return .broken(.issuer, .verdictIssuerNoEmail, values, .remedyIssuerEmail) }
        guard let project = expectations.providerID else { return .satisfied(.issuer, .verdictIssuer, values) }
        let projectValues = ["issuer": Value.quoted(issuer), "project": .quoted(project)]
        if !issuer.hasSuffix(".gserviceaccount.com") {
            return .unchecked(.issuer, .verdictIssuerUnknownProject, projectValues)
        }
        if issuer.hasSuffix(".iam.gserviceaccount.com"), !issuer.hasSuffix("@\(project).iam.gserviceaccount.com") {
            return .doubtful(.issuer, .verdictIssuerOtherProject, projectValues, .remedyProject)
        }
        return .satisfied(.issuer, .verdictIssuer, values)
    }

    private var audience: TokenFinding {
        let (audiences, expected) = (claims.audiences, expectations.audience)
        let isListed = audiences.contains { $0.hasSameBytes(as: expected) }
        if isListed, audiences.count == 1, !isMistyped("aud") {
            return .satisfied(.audience, .verdictAudience, ["audience": .quoted(expected)])
        }
        let advice = ["audience": Value.text(expected)]
        guard !audiences.isEmpty else {
            guard isMistyped("aud") else { return .broken(.audience, .verdictNoAudience, .remedyAudience, advice) }
            return .broken(.audience, .verdictAudienceNotText, value(of: "aud"), .remedyAudience, advice)
        }
        let found = Value.quoted(audiences.prefix(5))
        if isListed {
            return .broken(.audience, .verdictAudienceList, ["audiences": found], .remedyAudienceText, advice)
        }
        let lacksSlash = audiences.contains { $0 + "/" == expected }
        return lacksSlash
            ? .broken(.audience, .verdictAudienceNoSlash, ["audience": found], .remedyAudienceSlash, advice)
            : .broken(.audience, .verdictAudience, ["audience": found], .remedyAudience, advice)
    }

    // MARK: Times

    /// Fleet Engine tolerates an `iat` up to 10 minutes ahead.
    private var issuedAt: TokenFinding {
        if let claim = ["iat", "nbf"].first(where: isMistyped) { return mistypedTime(claim, .issuedAt) }
        if let claim = claims.beginInMilliseconds {
            let values = ["claim": Value.text(claim)]
            return .broken(.issuedAt, .verdictTimeMilliseconds, values, .remedyTimeSeconds, values)
        }
        let notBefore = claims.notBefore?.timeIntervalSince(now) ?? 0
        if notBefore > 600 {
            return .broken(.issuedAt, .verdictNotBeforeAhead, ["duration": .span(notBefore)], .remedyNotBefore)
        }
        guard let issued = claims.issuedAt else { return .broken(.issuedAt, .verdictNoIssueTime, .remedyIssueTime) }
        let ahead = max(issued, claims.notBefore ?? issued).timeIntervalSince(now)
        let values = ["duration": Value.span(ahead)]
        if ahead > 600 { return .broken(.issuedAt, .verdictIssueTimeAhead, values, .remedySignerClock) }
        if ahead > 5 { return .satisfied(.issuedAt, .verdictSignerClockAhead, values, .remedyClocks) }
        return .satisfied(.issuedAt, .verdictIssued, ["duration": .span(-ahead)])
    }

    private var expiry: TokenFinding {
        if isMistyped("exp") { return mistypedTime("exp", .expiry) }
        guard let expiresAt = claims.expiresAt else { return .broken(.expiry, .verdictNoExpiry, .remedyExpiry) }
        guard !claims.isExpiryInMilliseconds else {
            return .broken(.expiry, .verdictExpiryMilliseconds, .remedyExpirySeconds)
        }
        let left = expiresAt.timeIntervalSince(now)
        if left <= 0 { return .broken(.expiry, .verdictExpired, ["duration": .span(-left)], .remedyNewerToken) }
        let values = ["duration": Value.span(left)]
        return left > Self.maximumLifetime
            ? .broken(.expiry, .verdictExpiryTooFar, values, .remedyLifetimeFastClock)
            : .satisfied(.expiry, .verdictValid, values)
    }

    private var lifetime: TokenFinding {
        guard let begin = claims.issuedAtSeconds, let end = claims.expirySeconds, !claims.isExpiryInMilliseconds,
            claims.beginInMilliseconds == nil
        else {
            return .unchecked(.lifetime, .verdictLifetimeUnknown)
        }
        let lifetime = end - begin
        let values = ["lifetime": Value.span(lifetime)]
        if lifetime > Self.maximumLifetime {
            return .broken(.lifetime, .verdictLifetimeTooLong, values, .remedyLifetime)
        }
        if lifetime <= 0 { return .broken(.lifetime, .verdictExpiryNotAfterIssue, .remedyLifetime) }
        if lifetime < 30 { return .doubtful(.lifetime, .verdictLifetimeTooShort, values, .remedyLifetime) }
        return lifetime > 3600
            ? .satisfied(.lifetime, .verdictLifetimeDatedBack, ["seconds": .text(String(Int(lifetime)))])
            : .satisfied(.lifetime, .verdictLifetime, values)
    }

    /// One hour, in seconds, with the same grace period of one minute as ``TokenAdmission``.
    private static let maximumLifetime = 3660.0

    private func mistypedTime(_ claim: String, _ rule: TokenRule) -> TokenFinding {
        .broken(rule, .verdictTimeNotNumber, value(of: claim), .remedyTimeNumber, ["claim": .text(claim)])
    }

    // MARK: Authorization

    private var authorization: TokenFinding {
        if claims.hasAuthorization { return .satisfied(.authorization, .verdictAuthorization) }
        if let issuer = claims.issuer, let kind = CredentialKind(claims) {
            let verdict: TextKey =
                switch kind {
                case .firebaseCustomToken: .verdictFirebaseToken
                case .oauthAssertion: .verdictOAuthAssertion
                case .idToken, .sessionCookie, .apiKey, .oauthAccessToken: .verdictIDToken
                }
            let values = verdict == .verdictIDToken ? ["issuer": Value.quoted(issuer)] : [:]
            return .broken(.authorization, verdict, values, .remedySignJWT)
        }
        // Google's server clients sign such tokens with a key file; the roles of the account decide.
        return expectations.isForServer
            ? .doubtful(.authorization, .verdictServerNoAuthorization, [:], .remedyServerNoAuthorization)
            : .broken(.authorization, .verdictNoAuthorization, .remedyAuthorization)
    }

    private var identity: TokenFinding {
        guard let context = expectations.context else {
            guard let ids = claims.quotedIDs else { return .broken(.identity, .verdictNoIdentity, .remedyNoIdentity) }
            return .unchecked(.identity, .verdictNamedIDs, ["ids": .text(ids)])
        }
        let claim = ["claim": Value.text(context.claimName)]
        if let id = claims.id(for: context) {
            var values = claim.merging(["id": .quoted(id)]) { $1 }
            if id == "*" || id.hasSameBytes(as: context.id) { return .satisfied(.identity, .verdictIdentity, values) }
            values["asked"] = .quoted(context.id)
            if let form = IDForm(of: id, asked: context.id) {
                return .broken(.identity, form.verdict, values, .remedyIDForm, claim)
            }
            return .broken(.identity, .verdictOtherIdentity, values, .remedyOtherIdentity)
        }
        if let name = claims.misspelled[context.claimName] {
            let values = claim.merging(["name": .quoted(name)]) { $1 }
            return .broken(.identity, .verdictClaimMisspelt, values, .remedyClaimSpelling, claim)
        }
        switch (context.kind, claims.ids.first) {
        case (.trip, (.vehicle, _)?): return .broken(.identity, .verdictVehicleToken, .remedyIdentity, claim)
        case (.vehicle, (.trip, _)?): return .broken(.identity, .verdictTripToken, .remedyIdentity, claim)
        case (_, let other?):
            let values = claim.merging(["name": .text(other.kind.claimName), "id": .quoted(other.id)]) { $1 }
            return .broken(.identity, .verdictOtherSubject, values, .remedyIdentity, claim)
        case (_, nil): break
        }
        guard isMistyped(context.claimName) else {
            return .broken(.identity, .verdictIDMissing, claim, .remedyIdentity, claim)
        }
        return .broken(.identity, .verdictIDNotText, value(of: context.claimName), .remedyIdentity, claim)
    }

    private var scope: TokenFinding {
        if expectations.isForServer {
            // Without both wildcards, Fleet Engine finds no scopes in a server's token.
            return claims.wildcards.contains("tripid") && claims.wildcards.contains("vehicleid")
                ? .satisfied(.scope, .verdictServerWildcard) : .broken(.scope, .verdictNotForServer, .remedyForServer)
        }
        guard claims.wildcards.isEmpty else {
            let values = ["claims": Value.text(claims.wildcards.joined(separator: ", "))]
            return .broken(.scope, .verdictWildcard, values, .remedyWildcard)
        }
        let kinds = claims.ids.map(\.kind)
        if kinds.contains(.tracking), kinds.count > 1 {
            return .broken(.scope, .verdictTrackingNotAlone, .remedyTrackingAlone)
        }
        switch kinds.count {
        case 0: return .unchecked(.scope, .verdictNoIDs)
        case 1: return .satisfied(.scope, .verdictOneID)
        default: return .satisfied(.scope, kinds == [.trip, .vehicle] ? .verdictTwoIDs : .verdictSeveralIDs)
        }
    }

    private var taskIDs: TokenFinding? {
        claims.hasMalformedTaskIDs ? .broken(.taskIDs, .verdictTaskIDsNoArray, .remedyTaskIDs) : nil
    }
}

extension TokenClaims {
    /// The IDs with the names of their claims; `nil` if there is none.
    fileprivate var quotedIDs: String? {
        let ids = ids.map { "\($0.kind.claimName) \(TokenSentence.quoted($0.id))" }
        return ids.isEmpty ? nil : ids.joined(separator: ", ")
    }
}
