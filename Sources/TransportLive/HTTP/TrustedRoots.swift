package import NIOSSL

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
