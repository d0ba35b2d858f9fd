package import Failures
package import FleetTokens

/// The claims of a token and the results of the rules, without the token.
package struct TokenVerdict: Sendable, Equatable {
    /// The claims; `nil` if they cannot be read.
    package var claims: TokenClaims?
    /// The findings of all applicable rules.
    package var findings: [TokenFinding]

    /// The number of violated rules.
    package var broken: Int { findings.count { $0.verdict == .broken } }
}

extension TokenVerdict {
    /// Takes the displayable part of an inspection.
    package init(_ inspection: TokenInspection) {
        claims = inspection.claims
        findings = inspection.findings
    }

    /// Takes the displayable part of a rejected token.
    package init(_ rejected: RejectedToken) {
        claims = rejected.claims
        findings = rejected.findings
    }
}
