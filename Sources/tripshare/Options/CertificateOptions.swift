import ArgumentParser
import FleetTokens
import HTTPTransport
import Sanitizing

/// Options for the location of the certificates that verify signatures.
struct CertificateOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "URL of the issuers' certificates; {email} is replaced by the account (default: Google's).",
            valueName: "url"
        )
    )
    var certificatesUrl: String?

    /// Returns the certificates named by the flag, else by a ready file, else by the settings, else Google's.
    ///
    /// - Throws: ``CommandFailure`` for an unusable URL.
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
