import ArgumentParser
import Failures
import FleetTokens
import Runtime
import TokenSigning
import TripText

/// Options for the location of the certificates that verify signatures.
struct CertificateOptions: ParsableArguments {
    @Option(\.certificatesURL) var certificatesUrl: String?

    /// Returns the certificates named by the flag, else by a ready file, else by the settings, else Google's.
    ///
    /// - Throws: ``CommandFailure`` for an unusable URL.
    func certificates(
        announced: String?,
        settings: Settings,
        allowPlainHTTP: Bool = false,
        over transport: HTTPTransport
    ) throws(CommandFailure) -> IssuerCertificates {
        try Self.certificates(
            at: settings.resolve(\.certificatesURL, certificatesUrl, announced),
            allowPlainHTTP: allowPlainHTTP,
            over: transport
        )
    }

    /// Returns the certificates at a URL; throws a ``CommandFailure`` for an unusable one.
    static func certificates(
        at url: String,
        allowPlainHTTP: Bool = false,
        over transport: HTTPTransport
    ) throws(CommandFailure) -> IssuerCertificates {
        do throws(Failure) {
            return try IssuerCertificates(url, transport: transport, allowsPlainHTTP: allowPlainHTTP)
        } catch {
            guard error.code != .sourceInsecureURL else {
                throw CommandFailure(.badConfiguration, .failureCertificatesInsecure)
            }
            throw CommandFailure(.badConfiguration, .failureCertificatesURL(url: excerpt(url.asShownURL)))
        }
    }
}
