import Foundation
import SwiftASN1
import X509

import enum CryptoExtras._RSA

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
