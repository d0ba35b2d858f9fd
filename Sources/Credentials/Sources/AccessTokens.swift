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
        let call = GoogleCall(world: world, recorder: recorder)
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

/// A source of access tokens, so that a token provider stores them like all other tokens.
struct AccessTokenSource: RecordingTokenSource {
    /// `credentials`.
    let name = "credentials"
    let credential: Credential
    let tokens: AccessTokens

    func fetch(
        _ context: AuthorizationContext,
        reason: FetchReason,
        recording recorder: TokenAnswerRecorder
    ) async throws(Failure) -> IssuedToken {
        try await tokens.token(of: credential, recording: recorder)
    }
}

/// A credential that was found, with what uses it.
package struct ResolvedCredential: Sendable {
    /// The credential.
    package let found: FoundCredential
    /// Signs the tokens for trips and vehicles.
    package let signer: TokenSigner
    let tokens: AccessTokens

    /// The account that acts, for messages; the name of the credential's type if it is not known.
    package var account: String {
        get async { await tokens.account(of: found.credential) }
    }
}

/// Completes the search for credentials when they are first needed, because a metadata server may start later.
actor CredentialResolver {
    private let local: CredentialSearch.Local
    private let choice: TokenSigner.Choice
    private let quotaProject: String?
    private let world: CredentialWorld
    private let policy: TokenPolicy
    private var known: ResolvedCredential?

    init(
        _ local: CredentialSearch.Local,
        _ choice: TokenSigner.Choice,
        quotaProject: String?,
        _ world: CredentialWorld,
        _ policy: TokenPolicy
    ) {
        (self.local, self.choice, self.world, self.policy) = (local, choice, world, policy)
        self.quotaProject = quotaProject
    }

    /// Returns the credential; only a successful search is stored.
    func resolved() async throws(Failure) -> ResolvedCredential {
        if let known { return known }
        var found: FoundCredential
        switch local {
        case .found(let credential): found = credential
        case .none(let places):
            found = try await CredentialSearch(world.files).findMetadata(after: places, in: world)
        }
        // Another call may have completed the search during the wait.
        if let known { return known }
        if let quotaProject { found.quotaProject = quotaProject }
        let tokens = AccessTokens(world: world, universe: found.universe, quotaProject: found.quotaProject)
        let signer = TokenSigner(choice, found, tokens, policy: policy)
        let resolved = ResolvedCredential(found: found, signer: signer, tokens: tokens)
        known = resolved
        return resolved
    }
}
