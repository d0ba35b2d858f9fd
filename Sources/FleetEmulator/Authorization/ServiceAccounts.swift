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
    fileprivate let keys = JWTKeyCollection()
    /// The certificate of each role's key.
    fileprivate let certificates: [Caller.Role: (keyID: JWKIdentifier, pem: String)]
    /// The addresses of the given accounts.
    fileprivate let addresses: [Caller.Role: String]

    /// Uses the given keys, and generates a 2048-bit RSA key for the roles without one for which it signs tokens, which takes a
    /// few tenths of a second.
    ///
    /// These roles share the key: a second one would double the time until an emulator starts. The signed header of a token has
    /// the key ID of its role, so that the token is not valid for another role.
    ///
    /// Throws ``EmulatorError/noKeys``, also for an invalid given key.
    package init(given accounts: [EmulatorAccount] = []) async throws {
        addresses = Dictionary(accounts.map { ($0.role, $0.email) }) { first, _ in first }
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
    ) async throws -> [Caller.Role: (keyID: JWKIdentifier, pem: String)] {
        var certificates: [Caller.Role: (keyID: JWKIdentifier, pem: String)] = [:]
        func add(_ pem: String, _ id: String, for role: Caller.Role) async throws {
            let keyID = JWKIdentifier(string: id)
            await keys.add(rsa: try JWTKit.Insecure.RSA.PrivateKey(pem: pem), digestAlgorithm: .sha256, kid: keyID)
            certificates[role] = (keyID, try AccountCertificate.make(privateKeyPEM: pem, name: id))
        }
        for account in accounts where certificates[account.role] == nil {
            try await add(account.privateKeyPEM, account.keyID, for: account.role)
        }
        let missing = Caller.Role.signing.filter { certificates[$0] == nil }
        guard !missing.isEmpty else { return certificates }
        let pem = try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation
        let taken = Set(accounts.map(\.keyID))
        for role in missing {
            // A given key may have the ID that the generated one would have.
            var number = 1
            while taken.contains(role.keyID(number)) { number += 1 }
            try await add(pem, role.keyID(number), for: role)
        }
        return certificates
    }
}

/// The service accounts of the emulated project, at most one per role.
struct ServiceAccounts: Sendable {
    private let keys: EmulatorKeys
    private let provider: String

    /// Creates the accounts of a project from existing keys.
    init(provider: String, keys: EmulatorKeys) {
        (self.provider, self.keys) = (provider, keys)
    }

    /// Returns the email address of a role's account.
    func address(of role: Caller.Role) -> String {
        keys.addresses[role] ?? "\(role.rawValue)@\(provider).iam.gserviceaccount.com"
    }

    /// Returns the PEM certificates of an account's keys by key ID; none for an unknown account.
    func certificates(of address: String) -> [String: String] {
        var found: [String: String] = [:]
        for (role, certificate) in keys.certificates where self.address(of: role) == address {
            found[certificate.keyID.string] = certificate.pem
        }
        return found
    }

    /// Signs claims with the key of a role's account; throws ``EmulatorError/noKeys`` for a role without one.
    func sign(_ claims: FleetClaims, as role: Caller.Role) async throws -> String {
        guard let certificate = keys.certificates[role] else { throw EmulatorError.noKeys }
        return try await keys.keys.sign(claims, kid: certificate.keyID)
    }

    /// Verifies a token; returns its claims and the role of the account that signed it.
    ///
    /// Returns `nil` for another algorithm, an unknown key, a wrong signature or an invalid token.
    func verified(_ token: String) async -> (role: Caller.Role, claims: FleetClaims)? {
        // An unreadable token is an invalid token. Callers do not get the reason.
        guard let header = try? TokenClaims(token: token), header.algorithm == "RS256",
            let role = keys.certificates.first(where: { $0.value.keyID.string == header.keyID })?.key,
            let claims = try? await keys.keys.verify(token, as: FleetClaims.self)
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
