import FleetTokens
import Foundation
import JWTKit

/// Checks an assertion by which a service account requests an access token.
struct ServiceAccountAssertion: Sendable {
    /// The audience that Google's clients use, also for another endpoint.
    static let audience = "https://oauth2.googleapis.com/token"
    /// The accepted difference of the clocks in seconds.
    private static let skew = 300.0
    /// The longest lifetime in seconds.
    private static let longestLife = 3600.0

    let accounts: ServiceAccounts
    /// The URL by which the client has called this endpoint.
    let ownURL: String?
    let problems: Set<CredentialProblem>

    private struct Claims: JWTPayload {
        var scope: String?

        /// Does nothing: the other claims are checked against the emulator's clock.
        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    /// Returns the role of the account and the requested scopes.
    func account(of assertion: String, at now: Date) async throws(OAuthError) -> (Caller.Role, Set<String>) {
        // An unreadable assertion has no reason of its own in Google's answers.
        guard let claims = try? TokenClaims(token: assertion), let issuer = claims.issuer else {
            throw .invalidGrant("Bad Request")
        }
        guard let known = accounts.role(named: issuer) else { throw .invalidGrant("Invalid grant: account not found") }
        guard !problems.contains(.accountDisabled) else { throw .invalidGrant("Robot is disabled.") }
        guard !problems.contains(.keyDeleted), let verified = await accounts.verified(assertion, as: Claims.self),
            verified.role == known
        else { throw .invalidGrant("Invalid JWT Signature.") }
        guard claims.audiences == [Self.audience] || claims.audiences == [ownURL] else {
            throw .invalidGrant("Invalid JWT: Failed audience check. The right audience is \(Self.audience)")
        }
        try checkTimes(of: claims, at: now.timeIntervalSince1970)
        guard claims.subject == nil || claims.subject == issuer else {
            throw OAuthError(
                status: 401,
                code: "unauthorized_client",
                description: "Client is unauthorized to retrieve access tokens using this method, or client not "
                    + "authorized for any of the scopes requested."
            )
        }
        let scopes = OAuthScope.set(verified.claims.scope ?? "")
        guard !scopes.isEmpty else { throw .invalidScope("Empty or missing scope not allowed.") }
        guard scopes.allSatisfy(OAuthScope.isValid) else {
            throw .invalidScope("Invalid OAuth scope or ID token audience provided.")
        }
        return (known, scopes)
    }

    private func checkTimes(of claims: TokenClaims, at now: Double) throws(OAuthError) {
        if let issued = claims.issuedAtSeconds, let expires = claims.expirySeconds,
            expires > now - Self.skew, issued < now + Self.skew, expires - issued <= Self.longestLife
        {
            return
        }
        throw .invalidGrant(
            "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
                + "Check your iat and exp values in the JWT claim."
        )
    }
}
