import NIOSSL
import SwiftASN1

/// What is asked of a server's certificate besides a trusted chain and the right host, which the TLS library checks.
///
/// The library tells nothing of the certificates above the server's own.
enum CertificateRules {
    /// The shortest RSA key, in bits (NIST SP 800-57: 112 bits of security).
    private static let leastRSABits = 2048
    /// The algorithms of keys: RSA, and those whose strength follows from the algorithm.
    private static let rsa: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 1, 1]
    private static let ellipticCurve: ASN1ObjectIdentifier = [1, 2, 840, 10045, 2, 1]
    private static let ed25519: ASN1ObjectIdentifier = [1, 3, 101, 112]
    /// The curves of 224 bits and more: P-224, P-256, P-384, P-521.
    private static let curves: Set<ASN1ObjectIdentifier> = [
        [1, 3, 132, 0, 33], [1, 2, 840, 10045, 3, 1, 7], [1, 3, 132, 0, 34], [1, 3, 132, 0, 35],
    ]
    private static let commonName: ASN1ObjectIdentifier = [2, 5, 4, 3]

    /// Why a certificate is refused; `nil` where it is not.
    static func fault(of certificate: NIOSSLCertificate) -> String? {
        do {
            let fields = try fields(of: certificate.toDERBytes())
            let names = try commonNames(in: fields.subject) + dnsNames(of: certificate)
            if names.contains(where: isSingleLabelWildcard) { return "the certificate is for any host (*)" }
            return try fault(ofKey: fields.key)
        } catch {
            return "the certificate can't be read"
        }
    }

    /// Whether a name is one label with a wildcard, which matches all hosts without a domain.
    static func isSingleLabelWildcard(_ name: String) -> Bool {
        let name = name.hasSuffix(".") ? name.dropLast() : name[...]
        return name.contains("*") && !name.contains(".")
    }

    /// Why a key (RFC 5280's SubjectPublicKeyInfo) is refused; `nil` where it is not.
    private static func fault(ofKey node: ASN1Node) throws -> String? {
        let parts = try children(of: node)
        guard parts.count == 2 else { throw Unreadable() }
        let algorithm = try children(of: parts[0])
        guard let identifier = algorithm.first else { throw Unreadable() }
        switch try ASN1ObjectIdentifier(derEncoded: identifier) {
        case rsa:
            let bits = try rsaBits(ASN1BitString(derEncoded: parts[1]).bytes)
            return bits < leastRSABits ? "the certificate's RSA key has only \(bits) of \(leastRSABits) bits" : nil
        case ellipticCurve:
            // A curve that is not named is described in full, and could be any.
            guard let curve = algorithm.dropFirst().first, let name = try? ASN1ObjectIdentifier(derEncoded: curve),
                curves.contains(name)
            else { return "the certificate's key is on a weak or unknown curve" }
            return nil
        case ed25519: return nil
        default: return "the certificate's key is of an unknown kind"
        }
    }

    /// The length of an RSA key's modulus (RFC 8017, A.1.1).
    private static func rsaBits(_ key: ArraySlice<UInt8>) throws -> Int {
        guard let modulus = try children(of: DER.parse(key)).first, case .primitive(let bytes) = modulus.content else {
            throw Unreadable()
        }
        let digits = bytes.drop { $0 == 0 }
        return digits.first.map { digits.count * 8 - $0.leadingZeroBitCount } ?? 0
    }

    // MARK: Names

    private static func dnsNames(of certificate: NIOSSLCertificate) -> [String] {
        certificate._subjectAlternativeNames().filter { $0.nameType == .dnsName }
            .map { unsafe $0.contents.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) } }
    }

    /// The common names of a subject, by which the library goes where there are no other names.
    private static func commonNames(in subject: ASN1Node) throws -> [String] {
        try children(of: subject).flatMap { try children(of: $0) }.compactMap { attribute in
            let parts = try children(of: attribute)
            guard parts.count == 2, try ASN1ObjectIdentifier(derEncoded: parts[0]) == commonName,
                case .primitive(let bytes) = parts[1].content
            else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    // MARK: The certificate's structure

    private struct Unreadable: Error {}

    /// The subject and the key of a certificate (RFC 5280, 4.1).
    private static func fields(of certificate: [UInt8]) throws -> (subject: ASN1Node, key: ASN1Node) {
        guard let body = try children(of: DER.parse(certificate)).first else { throw Unreadable() }
        var fields = try children(of: body)[...]
        // The version comes first where it is not the first one; then number, algorithm, issuer and validity.
        if fields.first?.identifier.tagClass == .contextSpecific { fields.removeFirst() }
        let rest = Array(fields.dropFirst(4))
        guard rest.count >= 2 else { throw Unreadable() }
        return (rest[0], rest[1])
    }

    private static func children(of node: ASN1Node) throws -> [ASN1Node] {
        guard case .constructed(let nodes) = node.content else { throw Unreadable() }
        return Array(nodes)
    }
}
