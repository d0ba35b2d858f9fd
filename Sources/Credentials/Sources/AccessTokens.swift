import Failures
import FleetTokens

/// Gets access tokens with a credential.
package struct AccessTokens: Sendable {
    let world: CredentialWorld
    let universe: String
    let quotaProject: String?

    /// Returns a new access token; records the last exchange with Google.
    func token(
        of credential: Credential,
        scopes: [String] = [Scope.cloudPlatform],
        recording recorder: TokenAnswerRecorder
    ) async throws(Failure) -> IssuedToken {
        let call = GoogleCall(world, recorder)
        switch credential {
        case .serviceAccount(let account): return try await Grant(call: call).sign(account, scopes: scopes)
        case .user(let user): return try await Grant(call: call).refresh(user)
        case .externalUser(let user): return try await Grant(call: call).refresh(user)
        case .metadata(let server): return try await server.accessToken(scopes: scopes, world, recorder)
        case .impersonated(let impersonated):
            let source = try await token(of: impersonated.source, recording: recorder)
            return try await iam(call, impersonated.iamURL, impersonated.source).accessToken(
                of: impersonated.target,
                delegates: impersonated.delegates,
                scopes: scopes,
                with: source.revealed
            )
        case .external(let external):
            let subject = try await external.subject.token(for: external, call)
            let ownScopes = external.impersonation == nil ? scopes : [Scope.cloudPlatform]
            let federated = try await TokenExchange(call: call).token(for: subject, external, scopes: ownScopes)
            guard let impersonation = external.impersonation else { return federated }
            return try await iam(call, impersonation.iamURL, credential).accessToken(
                of: impersonation.target,
                delegates: [],
                scopes: scopes,
                lifetime: impersonation.lifetime,
                with: federated.revealed
            )
        }
    }

    /// Returns the API of IAM; the address of the settings replaces the address of a file.
    func iam(_ call: GoogleCall, _ url: String?, _ caller: Credential) async -> IAMCredentials {
        IAMCredentials(
            baseURL: world.iamURL ?? url ?? "https://iamcredentials.\(universe)",
            call: call,
            caller: await account(of: caller),
            quotaProject: quotaProject
        )
    }

    /// Returns the account that acts, for messages; the name of the type if it is not known.
    func account(of credential: Credential) async -> String {
        if case .metadata(let server) = credential, let account = await server.account(world) { return account }
        return credential.account ?? credential.type
    }
}
