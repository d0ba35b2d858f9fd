import Crypto
import Foundation
import SwiftASN1
import X509

/// The certificate of a listener, signed by an authority that exists for this one certificate only.
struct ListenerCertificate: Sendable {
    /// The certificate of the authority, in PEM.
    let root: String
    /// The certificate of the listener, in PEM.
    let certificate: String
    /// The private key of the listener, in PEM; a secret.
    let privateKey: String

    // Clients check validity by the machine's clock: from 2020 to 2050.
    private static let begin = Date(timeIntervalSince1970: 1_577_836_800)
    private static let end = Date(timeIntervalSince1970: 2_524_608_000)

    /// Creates new keys and certificates.
    ///
    /// - Parameter names: Host names and IP addresses in addition to `localhost` and the loopback addresses.
    /// - Throws: An error of the library.
    init(names: [String]) throws {
        // The key of the authority is not stored, so that nothing else can be signed with it.
        let authorityKey = P256.Signing.PrivateKey()
        let key = P256.Signing.PrivateKey()
        let issuer = try Self.authorityName()
        let authority = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(authorityKey.publicKey),
            notValidBefore: Self.begin,
            notValidAfter: Self.end,
            issuer: issuer,
            subject: issuer,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true))
            },
            issuerPrivateKey: Certificate.PrivateKey(authorityKey)
        )
        let listener = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: Self.begin,
            notValidAfter: Self.end,
            issuer: issuer,
            subject: try DistinguishedName { CommonName("tripshare emulator") },
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(Self.names(names))
            },
            issuerPrivateKey: Certificate.PrivateKey(authorityKey)
        )
        root = try authority.serializeAsPEM().pemString
        certificate = try listener.serializeAsPEM().pemString
        privateKey = key.pemRepresentation
    }

    private static func authorityName() throws -> DistinguishedName {
        try DistinguishedName { CommonName("tripshare emulator root") }
    }

    /// Returns whether a text is the certificate of an authority of this program, in PEM, and nothing else.
    static func isRoot(_ text: String) -> Bool {
        // A text that cannot be parsed is another text.
        guard let certificate = try? Certificate(pemEncoded: text), let name = try? authorityName() else {
            return false
        }
        return certificate.subject == name && certificate.issuer == name
    }

    private static func names(_ names: [String]) -> [GeneralName] {
        var all = ["localhost", "127.0.0.1", "::1"]
        for name in names.map({ $0.trimmingCharacters(in: ["[", "]"]) }) where !name.isEmpty && !all.contains(name) {
            all.append(name)
        }
        return all.map { name in
            // A text that is not an address is a name.
            guard let address = addressBytes(name) else { return .dnsName(name) }
            return .ipAddress(ASN1OctetString(contentBytes: address[...]))
        }
    }

    /// Returns the bytes of an IP address in network order; `nil` for another text.
    private static func addressBytes(_ text: String) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if unsafe inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }
}
