package import Failures
package import NIOCore
package import NIOSSL
import SwiftASN1

/// Additional requirements for a server's certificate; the TLS library verifies the chain and that a name fits.
///
/// For a host name, the library also accepts a certificate for the address to which the name resolves. With such a certificate,
/// which everyone can get for their own address, a forged answer of a name server would be enough to pretend to be any host.
/// Written for swift-nio-ssl 2.37.6, whose `validIdentityForService` compares the address even if a name is given. The
/// comparison of names is obsolete once `CertificateTests`, “refuses a certificate for the address of a host whose name it
/// lacks”, passes without it.
///
/// The library does not expose the certificates above the server's own.
package enum CertificateRules {
    /// The minimum length of RSA keys in bits (NIST SP 800-57: 112 bits of security).
    private static let leastRSABits = 2048
    /// The key algorithms: RSA, and those whose strength is implied by the algorithm.
    private static let rsa: ASN1ObjectIdentifier = [1, 2, 840, 113_549, 1, 1, 1]
    private static let ellipticCurve: ASN1ObjectIdentifier = [1, 2, 840, 10045, 2, 1]
    private static let ed25519: ASN1ObjectIdentifier = [1, 3, 101, 112]
    /// The curves of at least 224 bits: P-224, P-256, P-384, P-521.
    private static let curves: Set<ASN1ObjectIdentifier> = [
        [1, 3, 132, 0, 33], [1, 2, 840, 10045, 3, 1, 7], [1, 3, 132, 0, 34], [1, 3, 132, 0, 35],
    ]
    /// The reason why a certificate of an authority that is not trusted is refused.
    static let notTrusted = "the certificate is not trusted"
    /// The reason why a certificate for other names is refused.
    static let otherHost = "the certificate is for another host"
    private static let commonName: ASN1ObjectIdentifier = [2, 5, 4, 3]
    private static let organization: ASN1ObjectIdentifier = [2, 5, 4, 10]

    /// Returns why a certificate is refused; `nil` if it is accepted.
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

    /// Returns whether a certificate is for a host: for its name or, if the host is an address, by the library's own check.
    static func covers(_ host: String, _ certificate: NIOSSLCertificate) -> Bool {
        // The error says only that the host is a name.
        if (try? SocketAddress(ipAddress: host, port: 0)) != nil { return true }
        do {
            let subject = try fields(of: certificate.toDERBytes()).subject
            return try hostNames(of: certificate, with: subject).contains { isMatch($0, host) }
        } catch {
            return false
        }
    }

    /// Returns whether a name of a certificate matches a host name; a `*` in the first label matches any characters but a dot.
    package static func isMatch(_ name: String, _ host: String) -> Bool {
        func labels(_ name: String) -> [Substring] {
            let name = name.lowercased()
            return (name.hasSuffix(".") ? name.dropLast() : name[...])
                .split(separator: ".", omittingEmptySubsequences: false)
        }
        let (pattern, labels) = (labels(name), labels(host))
        guard pattern.count == labels.count, pattern.dropFirst().elementsEqual(labels.dropFirst()) else { return false }
        let parts = pattern[0].split(separator: "*", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return parts.count == 1 && pattern[0] == labels[0] }
        return labels[0].count >= pattern[0].count - 1 && labels[0].hasPrefix(parts[0]) && labels[0].hasSuffix(parts[1])
    }

    /// Returns whether a name is a wildcard with a single label, which matches all hosts without a domain.
    static func isSingleLabelWildcard(_ name: String) -> Bool {
        let name = name.hasSuffix(".") ? name.dropLast() : name[...]
        return name.contains("*") && !name.contains(".")
    }

    /// Returns why a key (RFC 5280's SubjectPublicKeyInfo) is refused; `nil` if it is accepted.
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
            // An unnamed curve is given by its parameters instead of an identifier, and could be arbitrary.
            guard let curve = algorithm.dropFirst().first, let name = try? ASN1ObjectIdentifier(derEncoded: curve),
                curves.contains(name)
            else { return "the certificate's key is on a weak or unknown curve" }
            return nil
        case ed25519: return nil
        default: return "the certificate's key is of an unknown kind"
        }
    }

    /// Returns the length of an RSA key's modulus in bits (RFC 8017, A.1.1).
    private static func rsaBits(_ key: ArraySlice<UInt8>) throws -> Int {
        guard let modulus = try children(of: DER.parse(key)).first, case .primitive(let bytes) = modulus.content else {
            throw Unreadable()
        }
        let digits = bytes.drop { $0 == 0 }
        return digits.first.map { digits.count * 8 - $0.leadingZeroBitCount } ?? 0
    }

    // MARK: Names

    /// Returns the host names that a certificate is for: its common names count only without alternative names.
    private static func hostNames(of certificate: NIOSSLCertificate, with subject: ASN1Node) throws -> [String] {
        let hasAlternatives = !certificate._subjectAlternativeNames().isEmpty
        return hasAlternatives ? dnsNames(of: certificate) : try commonNames(in: subject)
    }

    private static func dnsNames(of certificate: NIOSSLCertificate) -> [String] {
        certificate._subjectAlternativeNames().filter { $0.nameType == .dnsName }
            .map { unsafe $0.contents.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) } }
    }

    /// Returns the common names of a subject, which the library uses if there are no alternative names.
    private static func commonNames(in subject: ASN1Node) throws -> [String] { try values(of: commonName, in: subject) }

    /// Returns the values of an attribute of a name (RFC 5280, 4.1.2.4).
    private static func values(of attribute: ASN1ObjectIdentifier, in name: ASN1Node) throws -> [String] {
        try children(of: name).flatMap { try children(of: $0) }.compactMap { node in
            let parts = try children(of: node)
            guard parts.count == 2, try ASN1ObjectIdentifier(derEncoded: parts[0]) == attribute,
                case .primitive(let bytes) = parts[1].content
            else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Returns the names, the issuer and the validity of a certificate, as evidence; `nil` if it can't be read.
    static func facts(about certificate: NIOSSLCertificate) -> Exchange.Certificate? {
        // The check of the same certificate reports that it can't be read.
        guard let fields = try? fields(of: certificate.toDERBytes()) else { return nil }
        let names = try? hostNames(of: certificate, with: fields.subject)
        let issuer = try? commonNames(in: fields.issuer).first ?? values(of: organization, in: fields.issuer).first
        return Exchange.Certificate(
            names: names ?? [],
            issuer: issuer ?? nil,
            notBefore: Int(certificate.notValidBefore),
            notAfter: Int(certificate.notValidAfter)
        )
    }

    // MARK: The certificate's structure

    private struct Unreadable: Error {}

    /// Returns the issuer, the subject and the key of a certificate (RFC 5280, 4.1).
    private static func fields(
        of certificate: [UInt8]
    ) throws -> (issuer: ASN1Node, subject: ASN1Node, key: ASN1Node) {
        guard let body = try children(of: DER.parse(certificate)).first else { throw Unreadable() }
        var fields = try children(of: body)[...]
        // The version is an optional first field. Serial number, algorithm, issuer and validity follow.
        if fields.first?.identifier.tagClass == .contextSpecific { fields.removeFirst() }
        let rest = Array(fields.dropFirst(2))
        guard rest.count >= 4 else { throw Unreadable() }
        return (rest[0], rest[2], rest[3])
    }

    private static func children(of node: ASN1Node) throws -> [ASN1Node] {
        guard case .constructed(let nodes) = node.content else { throw Unreadable() }
        return Array(nodes)
    }
}

extension CertificateRules {
    /// Throws ``Failures/Failure/tls(reason:)`` if the certificate of a connection breaks a rule, or is for none of these hosts.
    ///
    /// - Returns: What is known about the encryption; `nil` if the connection is not encrypted.
    @discardableResult
    package static func check(_ channel: any Channel, for hosts: Set<String>) throws -> SecureConnection? {
        // The lookup fails if the connection is not encrypted: it has no such handler.
        guard let handler = try? channel.pipeline.syncOperations.handler(type: NIOSSLHandler.self) else { return nil }
        guard let certificate = handler.peerCertificate else {
            throw Failure.tls(reason: "the server has no certificate")
        }
        if let fault = fault(of: certificate) { throw Failure.tls(reason: fault) }
        guard hosts.contains(where: { covers($0, certificate) }) else {
            throw Failure.tls(reason: otherHost)
        }
        return SecureConnection(version: handler.tlsVersion?.name, certificate: facts(about: certificate))
    }
}

/// What is known about an encrypted connection.
package struct SecureConnection: Sendable, Equatable {
    /// The version of TLS, such as `1.3`; `nil` if it is unknown.
    package let version: String?
    /// The server's certificate; `nil` if it can't be read.
    package let certificate: Exchange.Certificate?

    /// Whether the certificate is for a host, as far as its names show.
    func isFor(_ host: String) -> Bool {
        certificate?.names.contains { CertificateRules.isMatch($0, host) } ?? false
    }
}

extension TLSVersion {
    fileprivate var name: String {
        switch self {
        case .tlsv1: "1.0"
        case .tlsv11: "1.1"
        case .tlsv12: "1.2"
        case .tlsv13: "1.3"
        }
    }
}

/// Certificates of a file that are trusted instead of the system's.
package struct TrustedRoots: Sendable, Equatable {
    /// The option or the variable that names the file.
    package let source: String
    /// The path of the file.
    package let path: String
    private let certificates: [NIOSSLCertificate]

    /// Reads certificates in PEM; `nil` if the text has none or an invalid one.
    ///
    /// - Parameters:
    ///   - pem: The content of the file.
    ///   - path: The path of the file.
    ///   - source: The option or the variable that names it.
    package init?(_ pem: String, path: String, source: String) {
        // The library's error does not say more.
        guard let certificates = try? NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)), !certificates.isEmpty else {
            return nil
        }
        (self.source, self.path, self.certificates) = (source, path, certificates)
    }

    /// The certificates in the library's type.
    package var trustRoots: NIOSSLTrustRoots { .certificates(certificates) }
}
