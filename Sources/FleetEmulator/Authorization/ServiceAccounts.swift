import FleetTokens
import Foundation
import JWTKit

import enum CryptoExtras._RSA

/// A service account of the emulated project that somebody brings along.
package struct EmulatorAccount: Sendable {
    /// What it may do.
    package var role: Caller.Role
    /// Its e-mail address.
    package var email: String
    /// The `kid` of its key.
    package var keyID: String
    /// Its RSA key, as PEM; a secret.
    package var privateKeyPEM: String

    /// An account with its key.
    package init(role: Caller.Role, email: String, keyID: String, privateKeyPEM: String) {
        self.role = role
        self.email = email
        self.keyID = keyID
        self.privateKeyPEM = privateKeyPEM
    }
}

/// The signing keys of an emulator's service accounts, one per role.
package struct EmulatorKeys: Sendable {
    fileprivate let keys: JWTKeyCollection
    /// The certificates of the keys, in PEM.
    fileprivate let certificates: [Caller.Role: String]
    fileprivate let given: [Caller.Role: (email: String, keyID: String)]

    /// Takes the keys that are given and makes 2048-bit RSA keys for the other roles, which takes some tenths of a second.
    ///
    /// Throws ``EmulatorError/noKeys``, also for a given key that is none.
    package init(given accounts: [EmulatorAccount] = []) async throws {
        keys = JWTKeyCollection()
        given = Dictionary(accounts.map { ($0.role, ($0.email, $0.keyID)) }) { first, _ in first }
        do {
            certificates = try await Self.fill(keys, with: accounts)
        } catch {
            throw EmulatorError.noKeys
        }
    }

    /// Adds a key for each role; returns their certificates.
    private static func fill(
        _ keys: JWTKeyCollection,
        with accounts: [EmulatorAccount]
    ) async throws -> [Caller.Role: String] {
        try await withThrowingTaskGroup(of: AccountKey.self) { group in
            for role in Caller.Role.allCases {
                let account = accounts.first { $0.role == role }
                group.addTask {
                    let pem =
                        try account?.privateKeyPEM ?? _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation
                    let id = account.map { JWKIdentifier(string: $0.keyID) } ?? role.keyID
                    return AccountKey(
                        role: role,
                        id: id,
                        key: try JWTKit.Insecure.RSA.PrivateKey(pem: pem),
                        certificate: try AccountCertificate.make(privateKeyPEM: pem, name: id.string)
                    )
                }
            }
            var certificates: [Caller.Role: String] = [:]
            for try await account in group {
                await keys.add(rsa: account.key, digestAlgorithm: .sha256, kid: account.id)
                certificates[account.role] = account.certificate
            }
            return certificates
        }
    }
}

/// The service accounts of the emulated project, one per role.
struct ServiceAccounts: Sendable {
    private let keys: JWTKeyCollection
    private let certificates: [Caller.Role: String]
    private let given: [Caller.Role: (email: String, keyID: String)]
    private let provider: String

    /// The accounts of a project, with keys that were made before.
    init(provider: String, keys: EmulatorKeys) {
        self.provider = provider
        self.keys = keys.keys
        certificates = keys.certificates
        given = keys.given
    }

    /// The e-mail address of a role's account.
    func address(of role: Caller.Role) -> String {
        given[role]?.email ?? "\(role.rawValue)@\(provider).iam.gserviceaccount.com"
    }

    /// The certificates of an account's keys in PEM, by the IDs of the keys; none for an account that does not exist.
    func certificates(of address: String) -> [String: String] {
        var found: [String: String] = [:]
        for role in Caller.Role.allCases where self.address(of: role) == address {
            found[keyID(of: role).string] = certificates[role]
        }
        return found
    }

    private func keyID(of role: Caller.Role) -> JWKIdentifier {
        given[role].map { JWKIdentifier(string: $0.keyID) } ?? role.keyID
    }

    /// Signs claims as an account does.
    func sign(_ claims: FleetClaims, as role: Caller.Role) async throws -> String {
        try await keys.sign(claims, kid: keyID(of: role))
    }

    /// The claims of a token whose signature is right, and the role of the account that signed it.
    ///
    /// `nil` for anything else: another algorithm, an unknown key, a wrong signature, something that is no token.
    func verified(_ token: String) async -> (role: Caller.Role, claims: FleetClaims)? {
        // A token that can't be read is a token that is not valid; why matters to nobody who calls.
        guard let header = try? TokenClaims(token: token), header.algorithm == "RS256",
            let role = Caller.Role.allCases.first(where: { keyID(of: $0).string == header.keyID }),
            let claims = try? await keys.verify(token, as: FleetClaims.self)
        else { return nil }
        return (role, claims)
    }
}

private struct AccountKey: Sendable {
    var role: Caller.Role
    var id: JWKIdentifier
    var key: JWTKit.Insecure.RSA.PrivateKey
    var certificate: String
}

extension Caller.Role {
    /// The `kid` of the role's key.
    fileprivate var keyID: JWKIdentifier { JWKIdentifier(string: "\(rawValue)-key-1") }
}

/// The claims of a Fleet Engine token (section 4.1); times in whole seconds since 1970.
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

    /// Nothing: the times are judged by the emulator's clock, not by the machine's.
    func verify(using algorithm: some JWTAlgorithm) async throws {}
}
