import ArgumentParser
import FleetTokens
import HTTPTransport
import Sanitizing

/// Where the certificates are published that signatures are checked with.
struct CertificateOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where the issuers' certificates are published; {email} is replaced by the account (default: Google's).",
            valueName: "url"
        )
    )
    var certificatesUrl: String?

    /// The certificates of the flag, else of a ready file, else of the settings, else Google's.
    ///
    /// - Throws: ``CommandFailure`` for a URL that can't be used.
    func certificates(
        announced: String?,
        settings: Settings,
        allowPlainHTTP: Bool = false,
        over transport: HTTPTransport
    ) throws(CommandFailure) -> IssuerCertificates {
        let url = certificatesUrl ?? announced ?? settings.certificatesURL ?? IssuerCertificates.google
        do throws(TokenSourceError) {
            return try IssuerCertificates(url, transport: transport, allowsPlainHTTP: allowPlainHTTP)
        } catch {
            guard error != .insecureURL else {
                throw CommandFailure(
                    .badConfiguration,
                    "The certificates would come over plain http from another machine, and anyone on the way could change them.\n"
                        + "Use https, or --allow-plain-http if you know what you are doing."
                )
            }
            throw CommandFailure(
                .badConfiguration,
                "\(shown(url.asShownURL)) is not a URL of certificates.\n"
                    + "It has to be absolute, with {email} in its path or query where the account's address goes."
            )
        }
    }
}
