package import Failures
package import Foundation
package import Runtime
import TripModel

/// The claims and violated rules of a rejected token, without the token.
package struct RejectedToken: Sendable, Equatable {
    /// Who rejected the token.
    package enum Reason: Sendable, Equatable {
        /// The provider, before its first use.
        case fault(Failure)
        /// The service, with this status.
        case service(status: AnswerStatus)
    }

    /// The time of the rejection, by the local clock.
    package var at: Date
    /// Who rejected it and why.
    package var reason: Reason
    /// The claims; `nil` if they cannot be read.
    package var claims: TokenClaims?
    /// The findings of all applicable rules, in display order.
    package var findings: [TokenFinding]
    /// The first eight hexadecimal digits of its SHA-256.
    package var fingerprint: String
    /// The injected fault that refused it in the name of the service, or changed its claims; `nil` without one.
    package var injected: InjectedFault?
}

extension RejectedToken {
    /// Creates the description of a rejected token.
    ///
    /// - Parameters:
    ///   - text: The token.
    ///   - context: What it is for.
    ///   - reason: Who rejected it.
    ///   - now: The time of the rejection.
    ///   - clockOffset: The service's clock minus the local clock; `nil` if it is unknown.
    ///   - isAccessToken: Whether it is an OAuth access token.
    ///   - end: The expiry of an access token; `nil` if it is unknown.
    package init(
        _ text: String,
        for context: AuthorizationContext,
        _ reason: Reason,
        at now: Moment,
        clockOffset: Duration?,
        isAccessToken: Bool = false,
        until end: Date? = nil
    ) {
        var expectations = TokenInspection.Expectations(context: context)
        (expectations.isAccessToken, expectations.accessTokenEnd) = (isAccessToken, isAccessToken ? end : nil)
        let inspection = TokenInspection.inspect(
            text,
            expectations,
            now: now.wall + (clockOffset?.seconds ?? 0)
        )
        let (claims, findings) = (inspection.claims, inspection.findings)
        let fingerprint = tokenFingerprint(of: text)
        self.init(at: now.wall, reason: reason, claims: claims, findings: findings, fingerprint: fingerprint)
    }
}
