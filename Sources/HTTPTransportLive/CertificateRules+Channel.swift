import HTTPTransport
package import NIOCore
import NIOSSL

extension CertificateRules {
    /// Throws ``HTTPTransportError/tls(reason:)`` if the certificate of a connection breaks a rule, or is for none of these hosts.
    package static func check(_ channel: any Channel, for hosts: Set<String>) throws {
        // The lookup fails if the connection is not encrypted: it has no such handler.
        guard let handler = try? channel.pipeline.syncOperations.handler(type: NIOSSLHandler.self) else { return }
        guard let certificate = handler.peerCertificate else {
            throw HTTPTransportError.tls(reason: "the server has no certificate")
        }
        if let fault = fault(of: certificate) { throw HTTPTransportError.tls(reason: fault) }
        guard hosts.contains(where: { covers($0, certificate) }) else {
            throw HTTPTransportError.tls(reason: otherHost)
        }
    }
}
