import Foundation

/// What the rule table reads: the claims of a token, what is expected of them, and the time.
struct TokenCheckInput: Sendable {
    typealias Value = TokenSentence.Value

    let claims: TokenClaims
    let expectations: TokenInspection.Expectations
    let now: Date

    /// Returns whether a claim has a wrong type.
    func isMistyped(_ claim: String) -> Bool { claims.mistyped.contains(claim) }

    /// Returns a claim in quotation marks, truncated after 120 characters.
    private func quoted(_ text: String?) -> String {
        let text = text ?? ""
        return "“\(text.prefix(120))\(text.count > 120 ? "…" : "")”"
    }

    // MARK: Header and account

    var algorithm: Value { .text(quoted(claims.algorithm)) }
    var keyID: Value { .text(quoted(claims.keyID)) }
    var signatureBytes: Value { .text(String(claims.signatureBytes)) }
    var issuer: Value { .text(quoted(claims.issuer)) }
    var subject: Value { .text(quoted(claims.subject)) }
    var project: Value { .text(quoted(expectations.providerID)) }
    var lacksIssuer: Bool { claims.issuer == nil || claims.subject == nil }
    /// The audiences, at most five.
    var audiences: Value { .text(claims.audiences.prefix(5).map(quoted).joined(separator: ", ")) }
    var expectedAudience: Value { .text(expectations.audience) }
    var quotedExpectedAudience: Value { .text(quoted(expectations.audience)) }

    // MARK: Times, in seconds

    /// How far `nbf` is in the future.
    var notBeforeAhead: Double { claims.notBefore?.timeIntervalSince(now) ?? 0 }
    /// How far `iat` and `nbf` are in the future; negative in the past.
    var issuedAhead: Double {
        guard let issued = claims.issuedAt else { return 0 }
        return max(issued, claims.notBefore ?? issued).timeIntervalSince(now)
    }
    /// The remaining lifetime; negative after the expiry.
    var left: Double { claims.expiresAt?.timeIntervalSince(now) ?? 0 }
    /// The total lifetime; `nil` if one of its ends is unknown.
    var knownLifetime: Double? {
        guard let begin = claims.issuedAtSeconds, let end = claims.expirySeconds, end < 1e11 else { return nil }
        return end - begin
    }
    var lifetime: Double { knownLifetime ?? 0 }
    var notBeforeAheadSpan: Value { .span(notBeforeAhead) }
    var issuedAheadSpan: Value { .span(issuedAhead) }
    var issuedAgoSpan: Value { .span(-issuedAhead) }
    var leftSpan: Value { .span(left) }
    var expiredAgoSpan: Value { .span(-left) }
    var lifetimeSpan: Value { .span(lifetime) }
    var lifetimeSeconds: Value { .text(String(Int(lifetime))) }

    // MARK: Trip or vehicle

    /// The ID in the expected claim.
    var id: String? {
        switch expectations.context {
        case .trip: claims.tripID
        case .vehicle: claims.vehicleID
        case .server, nil: nil
        }
    }
    /// The name of the claim that must contain the ID.
    var claimName: String { expectations.context?.claimName ?? "" }
    var claim: Value { .text(claimName) }
    var quotedID: Value { .text(quoted(id)) }
    var expectedID: Value { .text(quoted(expectations.context?.id)) }
    var misspelledName: Value { .text(quoted(claims.misspelled[claimName])) }
    var wildcards: Value { .text(claims.wildcards.joined(separator: ", ")) }
    /// Whether `authorization` has the expected trip or vehicle.
    var isForContext: Bool {
        guard let context = expectations.context, let id else { return false }
        return id == "*" || id.hasSameBytes(as: context.id)
    }
    /// The IDs in the token with the names of their claims.
    var ids: Value {
        let named = [claims.tripID.map { "tripid \(quoted($0))" }, claims.vehicleID.map { "vehicleid \(quoted($0))" }]
        return .text(named.compactMap(\.self).joined(separator: ", "))
    }
    var hasID: Bool { claims.tripID != nil || claims.vehicleID != nil }
}
