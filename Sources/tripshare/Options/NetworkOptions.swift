import ArgumentParser
import Failures
import Foundation
import TransportLive
import TripText

/// Options for connections, as curl has them.
struct NetworkOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Trust only the certificates in this PEM file (default: those in SSL_CERT_FILE, otherwise the system's).",
            valueName: "file"
        )
    )
    var ca: String?

    @Option(
        help: ArgumentHelp(
            """
            The HTTP proxy, as http://host:port (default: those of the environment, for other machines); NO_PROXY lists the \
            exceptions.
            """,
            valueName: "url"
        )
    )
    var proxy: String?

    @Flag(help: "Allow plain HTTP to other machines, proxies with a login included.")
    var allowPlainHttp = false

    @Option(
        help: ArgumentHelp(
            """
            Connect to this address instead of looking the host up, as HOST:PORT:ADDRESS; can be repeated. The \
            certificate is checked for HOST.
            """,
            valueName: "host:port:address"
        )
    )
    var resolve: [String] = []

    /// The option for certificates, as the source of ``TransportLive/TrustedRoots``.
    static let roots = "--ca"
    /// The variable with the file of the trusted certificates, as for curl and OpenSSL.
    private static let rootsVariable = "SSL_CERT_FILE"

    func validate() throws {
        try require(resolve.allSatisfy { HostAddress($0) != nil }, .usageResolve)
        guard let proxy else { return }
        // Other users of the machine can read the arguments of a process.
        try require(!proxy.contains("@"), .usageProxyLogin)
        let settings = ProxySettings(environment: [:], option: proxy)
        try require(settings.isUsable, .usageProxy)
    }

    /// Returns how connections are made: as the flags say, else as the environment does.
    ///
    /// - Parameter environment: The variables of the process.
    /// - Returns: The settings.
    /// - Throws: ``CommandFailure`` if certificates can't be read.
    func connections(
        environment: [String: String] = ProcessContext.current.environment
    ) throws(CommandFailure) -> ConnectionSettings {
        var settings = ConnectionSettings()
        settings.proxies = ProxySettings(environment: environment, option: proxy, allowsPlainHTTP: allowPlainHttp)
        settings.addresses = resolve.compactMap(HostAddress.init)
        if let ca {
            settings.roots = try TrustedRoots(option: ca)
        } else {
            settings.roots = try TrustedRoots(variable: Self.rootsVariable, in: environment)
        }
        return settings
    }
}

extension TrustedRoots {
    /// Reads the file of `--ca`.
    fileprivate init(option path: String) throws(CommandFailure) {
        let advice = Text.adviceCertificates
        let text = try InputFile.text(path, what: .nounCertificates, advice: advice)
        guard let roots = Self(text, path: path, source: NetworkOptions.roots) else {
            throw InputFile.notOne(path, .nounCertificates, advice)
        }
        self = roots
    }

    /// Reads the file that a variable names; `nil` if the variable is empty or not set.
    init?(variable: String, in environment: [String: String]) throws(CommandFailure) {
        guard let path = environment[variable], !path.isEmpty else { return nil }
        // The message names the file; why it can't be read does not change the remedy.
        guard let data = try? ReadableFile.bytes(path, limit: InputFile.maximumBytes),
            let text = String(data: data, encoding: .utf8),
            let roots = Self(text, path: path, source: variable)
        else {
            throw CommandFailure(
                .badConfiguration,
                .failureRootsVariable(variable: variable, path: excerpt(path: path))
            )
        }
        self = roots
    }
}
