package import FleetTokens

/// What a token says and what the rules say about it: never the token.
package struct TokenVerdict: Sendable, Equatable {
    /// What it says; `nil` where it can't be read.
    package var claims: TokenClaims?
    /// Every rule that could be looked at.
    package var findings: [TokenFinding]

    /// The part of an inspection that may be shown.
    package init(_ inspection: TokenInspection) {
        claims = inspection.claims
        findings = inspection.findings
    }

    /// The same of a token that was rejected.
    package init(_ rejected: RejectedToken) {
        claims = rejected.claims
        findings = rejected.findings
    }

    /// The rules that the token breaks.
    package var broken: Int { findings.count { $0.verdict == .broken } }
}
