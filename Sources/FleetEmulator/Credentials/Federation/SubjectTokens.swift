import FleetTokens
import Foundation
import JWTKit
import Runtime
import TripModel

/// The emulated identity provider of another company, whose tokens the security token service exchanges.
struct SubjectTokens: Sendable {
    /// The issuer in the tokens, with a name that RFC 2606 reserves.
    static let issuer = "https://identity.example"
    /// The workload that the attribute condition of the pool accepts.
    static let subject = "tripshare-workload"
    /// The audience that a provider of a pool accepts if it has no other settings.
    private static let audience = "https:" + IdentityPool.tokens
    /// The lifetime of a token.
    static let lifetime = Duration.seconds(3600)

    /// The provider's key.
    let keys: JWTKeyCollection

    /// A token and its expiry.
    struct Token: Sendable {
        var text: String
        var expires: Date
    }

    private struct Claims: JWTPayload {
        var iss: String
        var sub: String
        var aud: String
        var iat: Int
        var exp: Int

        /// Does nothing: expiry is checked against the emulator's clock, not the machine's.
        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    /// Issues a token.
    func issue(subject: String = Self.subject, at now: Date) async throws -> Token {
        let issued = Int(now.timeIntervalSince1970)
        let claims = Claims(
            iss: Self.issuer,
            sub: subject,
            aud: Self.audience,
            iat: issued,
            exp: issued + Int(Self.lifetime.seconds)
        )
        let text = try await keys.sign(claims, kid: "identity-provider-key-1")
        return Token(text: text, expires: Date(timeIntervalSince1970: Double(claims.exp)))
    }

    /// Checks a token; returns whether the attribute condition accepts its subject.
    func check(
        _ token: String,
        at now: Date,
        _ problems: Set<CredentialProblem>
    ) async throws(OAuthError) -> Bool {
        // An unreadable token has no reason of its own.
        guard let claims = try? TokenClaims(token: token) else {
            throw .invalidGrant("The ID Token is not a valid JWT.")
        }
        guard claims.issuer == Self.issuer else {
            throw .invalidGrant(
                "The issuer in ID Token \((claims.issuer ?? "").prefix(200)) does not match the expected ones: "
                    + Self.issuer
            )
        }
        guard let verified = try? await keys.verify(token, as: Claims.self) else {
            throw .invalidGrant("Invalid ID Token signature.")
        }
        guard verified.aud == Self.audience else {
            throw .invalidGrant(
                "The audience in ID Token [\(verified.aud.prefix(200))] does not match the expected audience "
                    + "\(Self.audience)."
            )
        }
        guard Double(verified.exp) > now.timeIntervalSince1970, !problems.contains(.staleSubject) else {
            throw .invalidGrant("ID Token issued at \(verified.iat) is stale to sign-in.")
        }
        return verified.sub == Self.subject
    }
}
