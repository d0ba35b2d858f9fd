import ArgumentParser
import Failures
import Foundation
import TransportLive
import TripText

/// Options for connections, as curl has them.
struct NetworkOptions: ParsableArguments {
    @Option(\.ca) var ca: String?

    @Option(text: \.proxy) var proxy: String?

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

    /// The variable with the file of the trusted certificates, as for curl and OpenSSL.
    static let rootsVariable = "SSL_CERT_FILE"

    func validate() throws {
        try require(resolve.allSatisfy { HostAddress($0) != nil }, .usageResolve)
        guard let proxy, SecretReference(proxy) == nil else { return }
        // Other users of the machine can read the arguments of a process.
        try require(!proxy.contains("@"), .usageProxyLogin)
        let settings = ProxySettings(environment: [:], option: proxy)
        try require(settings.isUsable, .usageProxy)
    }

    /// Returns how connections are made: as the flags say, else as the settings or the environment do.
    ///
    /// - Parameters:
    ///   - configured: The settings.
    ///   - environment: The variables of the process.
    /// - Returns: How connections are made.
    /// - Throws: ``CommandFailure`` if certificates or the URL of the proxy can't be read.
    func connections(
        _ configured: Settings,
        environment: [String: String] = ProcessContext.current.environment
    ) throws(CommandFailure) -> ConnectionSettings {
        var settings = ConnectionSettings()
        let source = proxy == nil ? configured.source(of: \.proxy) : SettingRows.all.proxy.flag.map { .flag($0) }
        let chosen = proxy.map { ProxySetting($0) } ?? configured.proxy
        settings.proxies = ProxySettings(
            environment: environment,
            option: try source.flatMap { source throws(CommandFailure) in
                try chosen?.url(from: source, environment: environment)
            },
            named: source?.name ?? ProxySettings.option,
            allowsPlainHTTP: allowPlainHttp
        )
        settings.addresses = resolve.compactMap(HostAddress.init)
        if let ca {
            settings.roots = try TrustedRoots(option: ca)
        } else if let path = configured.ca, let source = configured.source(of: \.ca) {
            settings.roots = try TrustedRoots(path: path, from: source)
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
        guard let roots = Self(text, path: path, source: "--ca") else {
            throw InputFile.notOne(path, .nounCertificates, advice)
        }
        self = roots
    }

    /// Reads the file that a variable names; `nil` if the variable is empty or not set.
    init?(variable: String, in environment: [String: String]) throws(CommandFailure) {
        guard let path = environment[variable], !path.isEmpty else { return nil }
        try self.init(path: path, from: .variable(variable))
    }

    /// Reads the file that a variable or a setting names.
    fileprivate init(path: String, from source: SettingSource) throws(CommandFailure) {
        // The message names the file; why it can't be read does not change the remedy.
        guard let data = try? ReadableFile.bytes(path, limit: InputFile.maximumBytes),
            let text = String(data: data, encoding: .utf8),
            let roots = Self(text, path: path, source: source.name)
        else {
            throw CommandFailure(.badConfiguration) {
                $0(.failureRootsVariable(variable: source.words($0), path: excerpt(path: path)))
            }
        }
        self = roots
    }
}
