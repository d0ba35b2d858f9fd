package import Failures
package import FleetTokens
import Foundation
import JWTKit
import Runtime
import TokenSigning
import TripModel

/// Gets tokens with the credentials of a backend, as a server of Fleet Engine does.
///
/// A server's token is an access token, or with a key file a JWT that the key signs, as Google's clients send it. Tokens for trips
/// and vehicles are signed: by the key of the file, or by IAM in the name of a service account.
package struct CredentialTokenSource: RecordingTokenSource {
    /// `credentials`.
    package let name = "credentials"

    private let resolver: CredentialResolver

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - local: The result of the search in variables and files.
    ///   - choice: Who signs.
    ///   - quotaProject: The project that is charged; `nil` for the project of the environment or the file.
    ///   - world: Files, the network and time.
    ///   - policy: How long the access token is used with which IAM signs.
    package init(
        _ local: CredentialSearch.Local,
        signing choice: TokenSigner.Choice = TokenSigner.Choice(),
        quotaProject: String? = nil,
        in world: CredentialWorld,
        policy: TokenPolicy = .standard
    ) {
        resolver = CredentialResolver(local, choice, quotaProject: quotaProject, world, policy)
    }

    /// Returns the credential and its signer; asks a metadata server if no file has a credential.
    package func resolved() async throws(Failure) -> ResolvedCredential { try await resolver.resolved() }

    /// Fetches an access token for a server, or signs a token for one trip or vehicle.
    package func fetch(
        _ context: AuthorizationContext,
        reason: FetchReason,
        recording recorder: TokenAnswerRecorder
    ) async throws(Failure) -> IssuedToken {
        let resolved = try await resolver.resolved()
        guard context == .server else { return try await resolved.signer.sign(context, recording: recorder) }
        let tokens = resolved.tokens
        guard let key = resolved.signer.key else {
            return try await tokens.token(of: resolved.found.credential, recording: recorder)
        }
        return IssuedToken(try await key.sign(ServerClaims(key.email, at: tokens.world.clock.now().wall)))
    }

    /// The claims with which a server identifies itself: without `authorization`, because its role decides (AIP-4111).
    private struct ServerClaims: JWTPayload {
        var iss: String
        var sub: String
        var aud = TokenExpectations.fleetEngineAudience
        var iat: Int
        var exp: Int

        init(_ email: String, at now: Date) {
            (iss, sub) = (email, email)
            iat = Int(now.timeIntervalSince1970.rounded(.down))
            exp = iat + 3600
        }

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }
}

extension CredentialTokenSource: Redacted {
    /// The name only: the credential holds secrets.
    package var description: String { "<\(name)>" }
}
