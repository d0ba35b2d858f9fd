package import Failures
package import NIOCore
import NIOSSL

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
