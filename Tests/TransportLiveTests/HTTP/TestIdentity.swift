import Crypto
import CryptoExtras
import Foundation
import NIOSSL
import SwiftASN1
import X509

/// The self-signed certificate of a test server, and its key.
struct TestIdentity {
    /// The certificate in PEM.
    let certificate: String
    /// The key in PEM.
    private let key: String

    /// A certificate for these names, and for 127.0.0.1 if `hasAddress` is true, with a P-256 key.
    static func p256(
        names: [String] = ["localhost"],
        hasAddress: Bool = false,
        commonName: String = "localhost"
    ) throws -> TestIdentity {
        let key = P256.Signing.PrivateKey()
        return try TestIdentity(
            names: names,
            hasAddress: hasAddress,
            subject: DistinguishedName { CommonName(commonName) },
            publicKey: Certificate.PublicKey(key.publicKey),
            privateKey: Certificate.PrivateKey(key),
            algorithm: .ecdsaWithSHA256,
            pem: key.pemRepresentation
        )
    }

    /// A certificate for localhost whose subject and issuer have an organization and no common name.
    static func p256(organization: String) throws -> TestIdentity {
        let key = P256.Signing.PrivateKey()
        return try TestIdentity(
            names: ["localhost"],
            subject: DistinguishedName { OrganizationName(organization) },
            publicKey: Certificate.PublicKey(key.publicKey),
            privateKey: Certificate.PrivateKey(key),
            algorithm: .ecdsaWithSHA256,
            pem: key.pemRepresentation
        )
    }

    /// A certificate for localhost with an RSA key of this many bits.
    static func rsa(bits: Int) throws -> TestIdentity {
        let key = try _RSA.Signing.PrivateKey(unsafeKeySize: _RSA.Signing.KeySize(bitCount: bits))
        return try TestIdentity(
            names: ["localhost"],
            subject: DistinguishedName { CommonName("localhost") },
            publicKey: Certificate.PublicKey(key.publicKey),
            privateKey: Certificate.PrivateKey(key),
            algorithm: .sha256WithRSAEncryption,
            pem: key.pemRepresentation
        )
    }

    private init(
        names: [String],
        hasAddress: Bool = false,
        subject: DistinguishedName,
        publicKey: Certificate.PublicKey,
        privateKey: Certificate.PrivateKey,
        algorithm: Certificate.SignatureAlgorithm,
        pem: String
    ) throws {
        var extensions = try Certificate.Extensions {
            Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
        }
        var alternatives = names.map { GeneralName.dnsName($0) }
        if hasAddress { alternatives.append(.ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1]))) }
        if !alternatives.isEmpty {
            try extensions.append(Certificate.Extension(SubjectAlternativeNames(alternatives), critical: false))
        }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: publicKey,
            // The TLS library checks validity by the machine's clock: from 2020 to 2050.
            notValidBefore: Date(timeIntervalSince1970: 1_577_836_800),
            notValidAfter: Date(timeIntervalSince1970: 2_524_608_000),
            issuer: subject,
            subject: subject,
            signatureAlgorithm: algorithm,
            extensions: extensions,
            issuerPrivateKey: privateKey
        )
        self.certificate = try certificate.serializeAsPEM().pemString
        key = pem
    }

    /// The configuration of a server with this certificate.
    func configuration() throws -> TLSConfiguration {
        TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8)).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem))
        )
    }
}
