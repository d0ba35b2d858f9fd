import JWTKit
import Synchronization

import enum CryptoExtras._RSA

/// A service account of the emulated project, supplied by the user.
package struct EmulatorAccount: Sendable {
    /// The role of the account.
    package var role: Caller.Role
    /// The email address.
    package var email: String
    /// The `kid` of the key.
    package var keyID: String
    /// The RSA private key in PEM; a secret.
    package var privateKeyPEM: String
}

/// The key of one account.
struct AccountKey: Sendable {
    let keyID: JWKIdentifier
    /// The certificate in PEM.
    let certificate: String
    /// Signs and verifies JWTs with this key only.
    let jwts: JWTKeyCollection

    fileprivate init(_ pem: String, id: String) async throws {
        keyID = JWKIdentifier(string: id)
        certificate = try AccountCertificate.make(privateKeyPEM: pem, name: id)
        jwts = JWTKeyCollection()
        await jwts.add(rsa: try JWTKit.Insecure.RSA.PrivateKey(pem: pem), digestAlgorithm: .sha256, kid: keyID)
    }
}

/// The signing keys of an emulator's service accounts, at most one per role, and of its identity provider.
///
/// Each account has a key of its own. Accounts share a key only if the user gives the same one to both.
package struct EmulatorKeys: Sendable {
    /// The given keys.
    private let given: [Caller.Role: AccountKey]
    private let generated = GeneratedKeys()
    /// The IDs of the given keys.
    private let taken: Set<String>
    /// The accounts whose keys are elsewhere.
    let remote: [Caller.Role: RemoteSigner]
    /// The addresses of the given accounts.
    let addresses: [Caller.Role: String]
    /// The key of the identity provider whose tokens are exchanged for access tokens.
    let identityProvider = JWTKeyCollection()

    /// Uses the given keys.
    ///
    /// The other accounts for which the emulator signs tokens get 2048-bit RSA keys when they are
    /// needed first, or by ``prepare(_:)``: generating one takes about a tenth of a second.
    ///
    /// Throws ``EmulatorError/noKeys`` for an invalid given key.
    package init(given accounts: [EmulatorAccount] = [], remote: [RemoteSigner] = []) async throws {
        let named = accounts.map { ($0.role, $0.email) } + remote.map { ($0.role, $0.email) }
        addresses = Dictionary(named) { first, _ in first }
        taken = Set(accounts.map(\.keyID))
        self.remote = Dictionary(remote.map { ($0.role, $0) }) { first, _ in first }
        var given: [Caller.Role: AccountKey] = [:]
        do {
            for account in accounts where given[account.role] == nil {
                given[account.role] = try await AccountKey(account.privateKeyPEM, id: account.keyID)
            }
        } catch {
            throw EmulatorError.noKeys
        }
        self.given = given
        // A key on a curve, because it takes no time to generate.
        await identityProvider.add(ecdsa: ES256PrivateKey(), kid: "identity-provider-key-1")
    }

    /// Generates the keys of some roles at the same time, so that their first tokens do not wait for them.
    ///
    /// Throws ``EmulatorError/noKeys``.
    package func prepare(_ roles: [Caller.Role]) async throws {
        try await withThrowingTaskGroup { group in
            for role in roles where isGenerated(role) { group.addTask { _ = try await key(of: role) } }
            try await group.waitForAll()
        }
    }

    /// The roles with an account, in the order of their declaration.
    var roles: [Caller.Role] {
        Caller.Role.allCases.filter { given[$0] != nil || remote[$0] != nil || isGenerated($0) }
    }

    /// Whether the key of a role's account is generated.
    private func isGenerated(_ role: Caller.Role) -> Bool {
        Caller.Role.signing.contains(role) && given[role] == nil && remote[role] == nil
    }

    /// Returns the key of a role's account; throws ``EmulatorError/noKeys`` if it has none here.
    func key(of role: Caller.Role) async throws -> AccountKey {
        if let key = given[role] ?? generated.account(of: role) { return key }
        guard let (id, key) = generatedKey(of: role) else { throw EmulatorError.noKeys }
        return generated.store(try await AccountKey(key.pemRepresentation, id: id), of: role)
    }

    /// Returns the key with which a token may have been signed: a given one, or one that was generated already.
    func usedKey(of role: Caller.Role) async throws -> AccountKey? {
        guard given[role] != nil || generated.hasKey(of: role) else { return nil }
        return try await key(of: role)
    }

    /// Returns the generated key of a role's account with its ID; `nil` if the key was given.
    func generatedKey(of role: Caller.Role) -> (id: String, key: _RSA.Signing.PrivateKey)? {
        guard isGenerated(role) else { return nil }
        // A given key may have the ID that the generated one would have.
        var number = 1
        while taken.contains(role.keyID(number)) { number += 1 }
        // The library fails only without memory.
        return (try? generated.key(of: role)).map { (role.keyID(number), $0) }
    }
}

/// The keys that an emulator has generated.
private final class GeneratedKeys: Sendable {
    private struct State {
        var keys: [Caller.Role: _RSA.Signing.PrivateKey] = [:]
        var accounts: [Caller.Role: AccountKey] = [:]
    }

    private let state = Mutex(State())

    /// Whether a role's key was generated.
    func hasKey(of role: Caller.Role) -> Bool { state.withLock { $0.keys[role] != nil } }

    /// Returns the key of a role; generates it first if there is none.
    func key(of role: Caller.Role) throws -> _RSA.Signing.PrivateKey {
        if let key = state.withLock({ $0.keys[role] }) { return key }
        // Without the lock, so that keys are generated at the same time. If two keys are made for one role, the first is used.
        let new = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        return state.withLock { state in
            let key = state.keys[role] ?? new
            state.keys[role] = key
            return key
        }
    }

    func account(of role: Caller.Role) -> AccountKey? { state.withLock { $0.accounts[role] } }

    /// Stores the account made from a key.
    func store(_ account: AccountKey, of role: Caller.Role) -> AccountKey {
        state.withLock { $0.accounts[role] = account }
        return account
    }
}

extension Caller.Role {
    /// An ID for the role's generated key.
    fileprivate func keyID(_ number: Int) -> String { "\(rawValue)-key-\(number)" }
}
