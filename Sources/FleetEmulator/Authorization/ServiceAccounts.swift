import FleetTokens
import Foundation
import JWTKit

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

    /// Creates an account with its key.
    package init(role: Caller.Role, email: String, keyID: String, privateKeyPEM: String) {
        self.role = role
        self.email = email
        self.keyID = keyID
        self.privateKeyPEM = privateKeyPEM
    }
}

/// The signing keys of an emulator's service accounts, at most one per role, and of its identity provider.
package struct EmulatorKeys: Sendable {
    /// The key of one account.
    fileprivate struct AccountKey: Sendable {
        let keyID: JWKIdentifier
        /// The certificate in PEM.
        let certificate: String
        /// Signs and verifies JWTs with this key only.
        let jwts: JWTKeyCollection
        /// The key, if this emulator has generated it.
        let generated: _RSA.Signing.PrivateKey?

        init(_ pem: String, id: String, generated: _RSA.Signing.PrivateKey? = nil) async throws {
            keyID = JWKIdentifier(string: id)
            certificate = try AccountCertificate.make(privateKeyPEM: pem, name: id)
            jwts = JWTKeyCollection()
            await jwts.add(rsa: try JWTKit.Insecure.RSA.PrivateKey(pem: pem), digestAlgorithm: .sha256, kid: keyID)
            self.generated = generated
        }
    }

    fileprivate let keys: [Caller.Role: AccountKey]
    /// The accounts whose keys are elsewhere.
    fileprivate let remote: [Caller.Role: RemoteSigner]
    /// The addresses of the given accounts.
    fileprivate let addresses: [Caller.Role: String]
    /// The key of the identity provider whose tokens are exchanged for access tokens.
    let identityProvider = JWTKeyCollection()

    /// Uses the given keys, and generates a 2048-bit RSA key for the roles without one for which it signs tokens, which takes a
    /// few tenths of a second.
    ///
    /// These roles share the key: a second one would double the time until an emulator starts. The signed header of a token has
    /// the key ID of its role, so that the token is not valid for another role.
    ///
    /// Throws ``EmulatorError/noKeys``, also for an invalid given key.
    package init(given accounts: [EmulatorAccount] = [], remote: [RemoteSigner] = []) async throws {
        let given = accounts.map { ($0.role, $0.email) } + remote.map { ($0.role, $0.email) }
        addresses = Dictionary(given) { first, _ in first }
        self.remote = Dictionary(remote.map { ($0.role, $0) }) { first, _ in first }
        do {
            keys = try await Self.keys(for: accounts, besides: Set(remote.map(\.role)))
        } catch {
            throw EmulatorError.noKeys
        }
        // A key on a curve, because it takes no time to generate.
        await identityProvider.add(ecdsa: ES256PrivateKey(), kid: "identity-provider-key-1")
    }

    /// Returns the key of each role, except those whose keys are elsewhere.
    private static func keys(
        for accounts: [EmulatorAccount],
        besides remote: Set<Caller.Role>
    ) async throws -> [Caller.Role: AccountKey] {
        var keys: [Caller.Role: AccountKey] = [:]
        for account in accounts where keys[account.role] == nil {
            keys[account.role] = try await AccountKey(account.privateKeyPEM, id: account.keyID)
        }
        let missing = Caller.Role.signing.filter { keys[$0] == nil && !remote.contains($0) }
        guard !missing.isEmpty else { return keys }
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let pem = key.pemRepresentation
        let taken = Set(accounts.map(\.keyID))
        for role in missing {
            // A given key may have the ID that the generated one would have.
            var number = 1
            while taken.contains(role.keyID(number)) { number += 1 }
            keys[role] = try await AccountKey(pem, id: role.keyID(number), generated: key)
        }
        return keys
    }
}

/// The service accounts of the emulated project, at most one per role.
struct ServiceAccounts: Sendable {
    let keys: EmulatorKeys
    private let provider: String

    /// Creates the accounts of a project from existing keys.
    init(provider: String, keys: EmulatorKeys) {
        (self.provider, self.keys) = (provider, keys)
    }

    /// Returns the email address of a role's account.
    func address(of role: Caller.Role) -> String {
        keys.addresses[role] ?? "\(role.rawValue)@\(provider).iam.gserviceaccount.com"
    }

    /// Returns the numeric ID of a role's account, of 21 digits as Google's.
    func uniqueID(of role: Caller.Role) -> String {
        let index = Caller.Role.allCases.firstIndex(of: role) ?? 0
        return "1000000000000000000" + (index < 10 ? "0" : "") + String(index)
    }

    /// Returns the role of the account with an email address or a numeric ID; `nil` if there is no such account.
    func role(named name: String) -> Caller.Role? {
        (Array(keys.keys.keys) + keys.remote.keys).first { address(of: $0) == name || uniqueID(of: $0) == name }
    }

    /// Returns the PEM certificates of an account's keys by key ID; none for an unknown account.
    func certificates(of address: String) async -> [String: String] {
        var found: [String: String] = [:]
        for remote in keys.remote.values where remote.email == address { found = await remote.publishedCertificates }
        for (role, key) in keys.keys where self.address(of: role) == address {
            found[key.keyID.string] = key.certificate
        }
        return found
    }

    /// Signs claims with the key of a role's account; throws ``EmulatorError/noKeys`` for a role without one.
    func sign(_ claims: FleetClaims, as role: Caller.Role) async throws -> String {
        if let remote = keys.remote[role] { return try await remote.sign(claims) }
        guard let key = keys.keys[role] else { throw EmulatorError.noKeys }
        return try await key.jwts.sign(claims, kid: key.keyID)
    }

    /// Returns the generated key of a role's account with its ID; `nil` if the key was given.
    ///
    /// A given key is valid outside the emulator, so that only the token endpoint signs with it, which requires a secret.
    func generatedKey(of role: Caller.Role) -> (id: String, key: _RSA.Signing.PrivateKey)? {
        guard let key = keys.keys[role], let generated = key.generated else { return nil }
        return (key.keyID.string, generated)
    }

    /// Verifies a token of Fleet Engine; returns its claims and the role of the account that signed it.
    func verified(_ token: String) async -> (role: Caller.Role, claims: FleetClaims)? {
        await verified(token, as: FleetClaims.self)
    }

    /// Verifies a JWT; returns its claims and the role of the account that signed it.
    ///
    /// A token without a key ID is verified with the key of its issuer: signBlob does not tell the ID before it signs.
    ///
    /// Returns `nil` for another algorithm, an unknown key, a wrong signature or an invalid token.
    func verified<Claims: JWTPayload>(
        _ token: String,
        as claims: Claims.Type
    ) async -> (role: Caller.Role, claims: Claims)? {
        // An unreadable token is an invalid token. Callers do not get the reason.
        guard let header = try? TokenClaims(token: token), header.algorithm == "RS256" else { return nil }
        for (role, remote) in keys.remote where await remote.hasSigned(token, header) {
            // The signature is verified. A token without these claims is an invalid token.
            return (try? await JWTKeyCollection().unverified(token, as: claims)).map { (role, $0) }
        }
        guard
            let (role, key) = keys.keys.first(where: { role, key in
                header.keyID.map { $0 == key.keyID.string } ?? (header.issuer == address(of: role))
            }), let claims = try? await key.jwts.verify(token, as: claims)
        else { return nil }
        return (role, claims)
    }
}

extension Caller.Role {
    /// An ID for the role's generated key.
    fileprivate func keyID(_ number: Int) -> String { "\(rawValue)-key-\(number)" }
}

/// The claims of a Fleet Engine token; times in whole seconds since 1970.
struct FleetClaims: JWTPayload, Equatable {
    struct Authorization: Codable, Equatable {
        var tripid: String?
        var vehicleid: String?
        var trackingid: String?
        var taskid: String?
        var taskids: [String]?
        var deliveryvehicleid: String?
    }

    var iss: String?
    var sub: String?
    var aud: String?
    /// OAuth scopes, which Google accepts instead of an audience.
    var scope: String?
    var iat: Double?
    var exp: Double?
    var authorization: Authorization?

    /// Does nothing: expiry is checked against the emulator's clock, not the machine's.
    func verify(using algorithm: some JWTAlgorithm) async throws {}
}
