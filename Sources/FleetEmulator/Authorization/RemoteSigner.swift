import Failures
import FleetTokens
import FleetWire
import Foundation
import JWTKit
package import TokenSigning

/// A service account of the emulated project whose key is elsewhere: another service signs for it, such as IAM.
package struct RemoteSigner: Sendable {
    /// The role of the account.
    package let role: Caller.Role
    /// The email address.
    package let email: String
    private let signature: @Sendable (any Encodable & Sendable) async throws(TokenService.Refusal) -> String
    private let certificates: IssuerCertificates

    /// Creates an account.
    ///
    /// - Parameters:
    ///   - role: The role.
    ///   - email: The email address.
    ///   - certificates: The published certificates of the account's keys, which verify its tokens.
    ///   - sign: Signs the claims of a JWT.
    package init(
        role: Caller.Role,
        email: String,
        certificates: IssuerCertificates,
        sign: @escaping @Sendable (any Encodable & Sendable) async throws(TokenService.Refusal) -> String
    ) {
        (self.role, self.email, self.certificates, signature) = (role, email, certificates, sign)
    }

    /// Signs claims; throws the reason of the service that signs.
    func sign(_ claims: FleetClaims) async throws(ServiceError) -> String {
        do throws(TokenService.Refusal) {
            return try await signature(claims)
        } catch {
            throw ServiceError(error)
        }
    }

    /// The published certificates of the account's keys by key ID; none if they are not available.
    var publishedCertificates: [String: String] {
        get async { await certificates.published(for: email) }
    }

    /// Whether a published certificate of the account verifies the token.
    func hasSigned(_ token: String, _ claims: TokenClaims) async -> Bool {
        guard claims.issuer == email else { return false }
        let inspection = TokenInspection.inspect(token, TokenInspection.Expectations(), now: .distantPast)
        return await inspection.checkingSignature(certificates).findings.contains {
            $0.rule == .signature && $0.verdict == .satisfied
        }
    }
}

extension ServiceError {
    /// An answer that says why a token can't be signed.
    init(_ refusal: TokenService.Refusal) {
        self.init(
            httpStatus: refusal.status,
            status: StatusCode(httpStatus: refusal.status).name,
            message: refusal.message
        )
    }
}
