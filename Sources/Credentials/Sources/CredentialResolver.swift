import Failures
import FleetTokens

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
