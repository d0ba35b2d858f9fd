import FleetTokens
import Foundation
import JWTKit

import enum CryptoExtras._RSA

/// The signing keys of an emulator's service accounts, one per role.
package struct EmulatorKeys: Sendable {
    fileprivate let keys: JWTKeyCollection

    /// Makes 2048-bit RSA keys, which takes some tenths of a second; throws ``EmulatorError/noKeys``.
    package init() async throws {
        keys = JWTKeyCollection()
        do {
            try await fill()
        } catch {
            throw EmulatorError.noKeys
        }
    }

    private func fill() async throws {
        try await withThrowingTaskGroup(of: AccountKey.self) { group in
            for role in Caller.Role.allCases {
                group.addTask {
                    let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
                    return AccountKey(role: role, key: try JWTKit.Insecure.RSA.PrivateKey(pem: key.pemRepresentation))
                }
            }
            for try await account in group {
                await keys.add(rsa: account.key, digestAlgorithm: .sha256, kid: account.role.keyID)
            }
        }
    }
}

/// The service accounts of the emulated project, one per role.
struct ServiceAccounts: Sendable {
    private let keys: JWTKeyCollection
    private let provider: String

    /// The accounts of a project, with keys that were made before.
    init(provider: String, keys: EmulatorKeys) {
        self.provider = provider
        self.keys = keys.keys
    }

    /// The e-mail address of a role's account.
    func address(of role: Caller.Role) -> String {
        "\(role.rawValue)@\(provider).iam.gserviceaccount.com"
    }

    /// Signs claims as an account does.
    func sign(_ claims: FleetClaims, as role: Caller.Role) async throws -> String {
        try await keys.sign(claims, kid: role.keyID)
    }

    /// The claims of a token whose signature is right, and the role of the account that signed it.
    ///
    /// `nil` for anything else: another algorithm, an unknown key, a wrong signature, something that is no token.
    func verified(_ token: String) async -> (role: Caller.Role, claims: FleetClaims)? {
        // A token that can't be read is a token that is not valid; why matters to nobody who calls.
        guard let header = try? TokenClaims(token: token), header.algorithm == "RS256",
            let role = Caller.Role.allCases.first(where: { $0.keyID.string == header.keyID }),
            let claims = try? await keys.verify(token, as: FleetClaims.self)
        else { return nil }
        return (role, claims)
    }
}

private struct AccountKey: Sendable {
    var role: Caller.Role
    var key: JWTKit.Insecure.RSA.PrivateKey
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
