import ArgumentParser
import Failures
import Foundation
import HTTPTransportLive
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

    /// The option for certificates, as the source of ``HTTPTransportLive/TrustedRoots``.
    static let roots = "--ca"
    /// The variable with the file of the trusted certificates, as for curl and OpenSSL.
    private static let rootsVariable = "SSL_CERT_FILE"

    /// Returns how connections are made: as the flags say, else as the environment does.
    ///
    /// - Parameter environment: The variables of the process.
    /// - Returns: The settings.
    /// - Throws: ``CommandFailure`` if certificates can't be read.
    func connections(
        environment: [String: String] = ProcessContext.current.environment
    ) throws(CommandFailure) -> ConnectionSettings {
        var settings = ConnectionSettings()
        settings.proxies = ProxySettings(environment: environment)
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
        let advice = CommandText(.adviceCertificates)
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
                .failureRootsVariable,
                ["variable": variable, "path": excerpt(path: path)]
            )
        }
        self = roots
    }
}
