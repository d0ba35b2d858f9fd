import FleetTokens
import Foundation
import JWTKit
import SwiftASN1
import X509

import enum CryptoExtras._RSA

/// The service accounts of the emulated project, at most one per role.
struct ServiceAccounts: Sendable {
    let keys: EmulatorKeys
    private let provider: String
    /// The roles of each role's account, because accounts with one address are the same account.
    private var shared: [Caller.Role: Set<Caller.Role>] = [:]

    /// Creates the accounts of a project from existing keys.
    init(provider: String, keys: EmulatorKeys) {
        (self.provider, self.keys) = (provider, keys)
        let roles = Dictionary(grouping: keys.roles, by: address)
        for role in keys.roles { shared[role] = Set(roles[address(of: role)] ?? []) }
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
    ///
    /// If an account has several roles, the most powerful role is returned.
    func role(named name: String) -> Caller.Role? {
        let roles = keys.roles.filter { address(of: $0) == name || uniqueID(of: $0) == name }
        return roles.first(where: \.mayUseServices) ?? roles.first
    }

    /// Returns all roles of the account that has a role.
    func roles(sharing role: Caller.Role) -> Set<Caller.Role> { shared[role] ?? [role] }

    /// Returns the PEM certificates of an account's keys by key ID; none for an unknown account.
    func certificates(of address: String) async throws -> [String: String] {
        var found: [String: String] = [:]
        for role in keys.roles where self.address(of: role) == address {
            if let remote = keys.remote[role] {
                found.merge(await remote.publishedCertificates) { first, _ in first }
            } else {
                let key = try await keys.key(of: role)
                found[key.keyID.string] = key.certificate
            }
        }
        return found
    }

    /// Signs claims with the key of a role's account; throws ``EmulatorError/noKeys`` for a role without one.
    func sign(_ claims: FleetClaims, as role: Caller.Role) async throws -> String {
        if let remote = keys.remote[role] { return try await remote.sign(claims) }
        let key = try await keys.key(of: role)
        return try await key.jwts.sign(claims, kid: key.keyID)
    }

    /// Returns the generated key of a role's account with its ID; `nil` if the key was given.
    ///
    /// A given key is valid outside the emulator, so that only the token endpoint signs with it, which requires a secret.
    func generatedKey(of role: Caller.Role) -> (id: String, key: _RSA.Signing.PrivateKey)? {
        keys.generatedKey(of: role)
    }

    /// Verifies a token of Fleet Engine; returns its claims and the role of the account that signed it.
    func verified(_ token: String) async -> (role: Caller.Role, claims: FleetClaims)? {
        await verified(token, as: FleetClaims.self)
    }

    /// Verifies a JWT with the keys of the account that it names as its issuer, as Google does; returns its claims and the role
    /// of the account.
    ///
    /// A token without a key ID is verified with all of them: signBlob does not report the ID before it signs.
    ///
    /// Returns `nil` for another algorithm, an unknown key, a wrong signature or an invalid token.
    func verified<Claims: JWTPayload>(
        _ token: String,
        as claims: Claims.Type
    ) async -> (role: Caller.Role, claims: Claims)? {
        // An unreadable token is an invalid token. Callers do not get the reason.
        guard let header = try? TokenClaims(token: token), header.algorithm == "RS256", let issuer = header.issuer,
            let account = role(named: issuer)
        else { return nil }
        for role in roles(sharing: account) {
            if let remote = keys.remote[role] {
                guard await remote.hasSigned(token, header) else { continue }
                // The signature is verified. A token without these claims is an invalid token.
                return (try? await JWTKeyCollection().unverified(token, as: claims)).map { (account, $0) }
            }
            // A key that cannot be read was refused at the start.
            guard let key = try? await keys.usedKey(of: role), header.keyID ?? key.keyID.string == key.keyID.string,
                let claims = try? await key.jwts.verify(token, as: claims)
            else { continue }
            return (account, claims)
        }
        return nil
    }
}

/// Creates self-signed certificates for service account keys, as Google does.
package enum AccountCertificate {
    /// Creates a certificate that is valid from 2000 to 2050.
    ///
    /// - Parameters:
    ///   - pem: The private key.
    ///   - name: The common name of issuer and subject.
    /// - Returns: The certificate in PEM.
    /// - Throws: An error of the library if the text is not an RSA key.
    package static func make(privateKeyPEM pem: String, name: String) throws -> String {
        let key = try _RSA.Signing.PrivateKey(pemRepresentation: pem)
        let name = try DistinguishedName { CommonName(name) }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            // The emulator's clock may differ from the machine's by years.
            notValidBefore: Date(timeIntervalSince1970: 946_684_800),
            notValidAfter: Date(timeIntervalSince1970: 2_524_608_000),
            issuer: name,
            subject: name,
            signatureAlgorithm: .sha256WithRSAEncryption,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
            },
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
        return try certificate.serializeAsPEM().pemString
    }
}
