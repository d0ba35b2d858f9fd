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

/// The signing keys of an emulator's service accounts, at most one per role.
package struct EmulatorKeys: Sendable {
    fileprivate let keys: JWTKeyCollection
    /// The certificates of the keys in PEM.
    fileprivate let certificates: [Caller.Role: String]
    fileprivate let given: [Caller.Role: (email: String, keyID: String)]

    /// Uses the given keys, and generates a 2048-bit RSA key for the roles without one for which it signs tokens, which takes a
    /// few tenths of a second.
    ///
    /// These roles share the key: a second one would double the time until an emulator starts. The signed header of a token has
    /// the key ID of its role, so that the token is not valid for another role.
    ///
    /// Throws ``EmulatorError/noKeys``, also for an invalid given key.
    package init(given accounts: [EmulatorAccount] = []) async throws {
        keys = JWTKeyCollection()
        given = Dictionary(accounts.map { ($0.role, ($0.email, $0.keyID)) }) { first, _ in first }
        do {
            certificates = try await Self.fill(keys, with: accounts)
        } catch {
            throw EmulatorError.noKeys
        }
    }

    /// Adds a key for each role; returns the certificates.
    private static func fill(
        _ keys: JWTKeyCollection,
        with accounts: [EmulatorAccount]
    ) async throws -> [Caller.Role: String] {
        var certificates: [Caller.Role: String] = [:]
        func add(_ pem: String, _ id: JWKIdentifier, for role: Caller.Role) async throws {
            await keys.add(rsa: try JWTKit.Insecure.RSA.PrivateKey(pem: pem), digestAlgorithm: .sha256, kid: id)
            certificates[role] = try AccountCertificate.make(privateKeyPEM: pem, name: id.string)
        }
        for account in accounts where certificates[account.role] == nil {
            try await add(account.privateKeyPEM, JWKIdentifier(string: account.keyID), for: account.role)
        }
        let missing = Caller.Role.signing.filter { certificates[$0] == nil }
        guard !missing.isEmpty else { return certificates }
        let pem = try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation
        for role in missing { try await add(pem, role.keyID, for: role) }
        return certificates
    }
}

/// The service accounts of the emulated project, at most one per role.
struct ServiceAccounts: Sendable {
    private let keys: JWTKeyCollection
    private let certificates: [Caller.Role: String]
    private let given: [Caller.Role: (email: String, keyID: String)]
    private let provider: String

    /// Creates the accounts of a project from existing keys.
    init(provider: String, keys: EmulatorKeys) {
        self.provider = provider
        self.keys = keys.keys
        certificates = keys.certificates
        given = keys.given
    }

    /// Returns the email address of a role's account.
    func address(of role: Caller.Role) -> String {
        given[role]?.email ?? "\(role.rawValue)@\(provider).iam.gserviceaccount.com"
    }

    /// Returns the PEM certificates of an account's keys by key ID; none for an unknown account.
    func certificates(of address: String) -> [String: String] {
        var found: [String: String] = [:]
        for role in certificates.keys where self.address(of: role) == address {
            found[keyID(of: role).string] = certificates[role]
        }
        return found
    }

    private func keyID(of role: Caller.Role) -> JWKIdentifier {
        given[role].map { JWKIdentifier(string: $0.keyID) } ?? role.keyID
    }

    /// Signs claims with the key of a role's account.
    func sign(_ claims: FleetClaims, as role: Caller.Role) async throws -> String {
        try await keys.sign(claims, kid: keyID(of: role))
    }

    /// Verifies a token; returns its claims and the role of the account that signed it.
    ///
    /// Returns `nil` for another algorithm, an unknown key, a wrong signature or an invalid token.
    func verified(_ token: String) async -> (role: Caller.Role, claims: FleetClaims)? {
        // An unreadable token is an invalid token. Callers do not get the reason.
        guard let header = try? TokenClaims(token: token), header.algorithm == "RS256",
            let role = certificates.keys.first(where: { keyID(of: $0).string == header.keyID }),
            let claims = try? await keys.verify(token, as: FleetClaims.self)
        else { return nil }
        return (role, claims)
    }
}

extension Caller.Role {
    /// The `kid` of the role's generated key.
    package var generatedKeyID: String { "\(rawValue)-key-1" }
    fileprivate var keyID: JWKIdentifier { JWKIdentifier(string: generatedKeyID) }
}

/// The claims of a Fleet Engine token; times in whole seconds since 1970.
struct FleetClaims: JWTPayload, Equatable {
    struct Authorization: Codable, Equatable {
        var tripid: String?
        var vehicleid: String?
    }

    var iss: String?
    var sub: String?
    var aud: String?
    var iat: Double?
    var exp: Double?
    var authorization: Authorization?

    /// Does nothing: expiry is checked against the emulator's clock, not the machine's.
    func verify(using algorithm: some JWTAlgorithm) async throws {}
}
