public import Foundation
package import TripModel

/// A token that was not used, or not taken: what it says and which rules it breaks, never the token.
public struct RejectedToken: Sendable, Equatable {
    /// Who would not have it.
    public enum Reason: Sendable, Equatable {
        /// The provider, before it was ever used.
        case fault(TokenFault)
        /// The service, with an HTTP status.
        case service(status: Int)
    }

    /// When it was rejected, by our clock.
    public var at: Date
    /// Who would not have it, and why.
    public var reason: Reason
    /// What it says; `nil` where it can't be read.
    public var claims: TokenClaims?
    /// Every rule that could be looked at, in the order in which they are best read.
    public var findings: [TokenFinding]
    /// The first eight hexadecimal digits of its SHA-256.
    public var fingerprint: String

    /// What is known of a token that was rejected at a moment.
    package init(
        _ text: String,
        for context: AuthorizationContext,
        _ reason: Reason,
        at now: Moment,
        clockOffset: Duration?
    ) {
        let inspection = TokenInspection.inspect(
            text,
            TokenInspection.Expectations(context: context),
            now: now.wall + (clockOffset?.seconds ?? 0)
        )
        at = now.wall
        self.reason = reason
        claims = inspection.claims
        findings = inspection.findings
        fingerprint = tokenFingerprint(of: text)
    }
}
