import AsyncHTTPClient
package import Failures
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOHTTPCompression
import NIOPosix
import NIOSSL

/// Runs a closure with a transport over real connections, which are closed at its end.
///
/// TLS is verified with a minimum version of 1.2. Connections are reused; a GET is repeated once on a new connection if the
/// server closed a reused one before any byte of the answer. HTTP/2 is used if the server offers it. Bodies are
/// decompressed. Redirects are not followed.
///
/// - Parameters:
///   - connections: How connections are made.
///   - roots: Trusted PEM certificates in addition to the certificates of `connections`.
///   - body: The closure.
/// - Returns: The result of the closure.
/// - Throws: The error of the closure, or the TLS library's error about an invalid root.
package func withLiveHTTPTransport<Result: Sendable>(
    _ connections: ConnectionSettings = ConnectionSettings(),
    trusting roots: [String] = [],
    _ body: @Sendable (HTTPTransport) async throws -> Result
) async throws -> Result {
    let hosts = RequestedHosts()
    let configuration = try clientConfiguration(connections, trusting: roots, hosts: hosts)
    // One event loop is sufficient: with several, most answers would arrive on one loop and be passed to another.
    let loop = HTTPClient.defaultEventLoopGroup.next()
    let pool = LiveClients(loop: loop, configuration: configuration, connections: connections, hosts: hosts)
    let result: Swift.Result<Result, any Error>
    do {
        result = .success(
            try await body(
                HTTPTransport { request async throws(Failure) in
                    guard let origin = URLOrigin(request.url) else { throw .invalidURL }
                    hosts.insert(origin.host)
                    return try await pool.send(request, to: origin)
                }
            )
        )
    } catch {
        result = .failure(error)
    }
    await pool.shutDown()
    return try result.get()
}

private func clientConfiguration(
    _ connections: ConnectionSettings,
    trusting roots: [String],
    hosts: RequestedHosts
) throws -> HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration(
        redirectConfiguration: .disallow,
        timeout: .init(connect: .seconds(10)),
        decompression: .enabled(limit: .size(16 << 20))
    )
    // Report a refused connection at once; the caller decides when to retry.
    configuration.connectionPool.retryConnectionEstablishment = false
    // Slow answers occupy their connections. With the library's limit of eight, a few of them would block all other requests.
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 256
    var tls = TLSConfiguration.makeClientConfiguration()
    // RFC 8996 prohibits earlier versions.
    tls.minimumTLSVersion = .tlsv12
    if let trusted = connections.roots { tls.trustRoots = trusted.trustRoots }
    if !roots.isEmpty {
        tls.additionalTrustRoots = [
            .certificates(try roots.flatMap { try NIOSSLCertificate.fromPEMBytes(Array($0.utf8)) })
        ]
    }
    configuration.tlsConfiguration = tls
    configuration.addGuards(hosts: hosts)
    return configuration
}

extension Failure {
    /// Converts an error of the network libraries; `limit` is the maximum size of an answer in bytes.
    package init(_ error: any Error, limit: Int) {
        switch error {
        case let error as Failure: self = error
        case is ReusedConnectionClosed: self = .connectionLost
        case is CancellationError: self = .cancelled
        case let error as HTTPClientError: self.init(error)
        case let error as NIOConnectionError: self.init(error)
        case NIOSSLError.uncleanShutdown: self = .connectionLost
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
            let text = "\(error)"
            self =
                text.contains("WRONG_VERSION_NUMBER")
                ? .wrongPort(reason: "the server does not use TLS on this port") : .tls(reason: Self.tlsReason(text))
        case let error as IOError: self.init(error)
        case HTTPParserError.invalidEOFState: self = .connectionLost
        case NIOHTTPDecompression.DecompressionError.limit: self = .tooLarge(limit: limit)
        case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
            self = .malformed(reason: "the body can't be unpacked")
        // The server closed the stream, not the connection.
        case is NIOHTTP2Errors.StreamClosed: self = .connectionLost
        case is any NIOHTTP2Error: self = .malformed(reason: "HTTP/2: \(type(of: error))")
        case let error as HTTPParserError: self = .malformed(reason: "\(error)")
        case let error as ChannelError:
            switch error {
            case .connectTimeout: self = .timedOut
            case .eof, .ioOnClosedChannel, .alreadyClosed, .inputClosed, .outputClosed: self = .connectionLost
            default: self = .other(reason: "\(error)")
            }
        default: self = .other(reason: String(reflecting: type(of: error)))
        }
    }

    /// Extracts the readable reason from the library's description, which lists error codes and source locations.
    private static func tlsReason(_ text: String) -> String {
        let known = [
            ("CERTIFICATE_VERIFY_FAILED", CertificateRules.notTrusted),
            ("failedToValidateHostname", CertificateRules.otherHost),
            ("serverHostnameImpossibleToMatch", "no certificate can match this host name"),
            ("UNSUPPORTED_PROTOCOL", "the server has no TLS 1.2 or later"),
            ("TLSV1_ALERT_PROTOCOL_VERSION", "the server has no TLS 1.2 or later"),
        ]
        if let words = known.first(where: { text.contains($0.0) })?.1 { return words }
        let code = text.firstMatch(of: /[A-Z0-9]+(_[A-Z0-9]+)+/).map { String($0.0) }
        return code?.lowercased().replacing("_", with: " ")
            ?? (text.contains("handshakeFailed") ? "the handshake failed" : "TLS failed")
    }

    private init(_ error: HTTPClientError) {
        switch error {
        case .cancelled: self = .cancelled
        case .connectTimeout, .deadlineExceeded, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout,
            .tlsHandshakeTimeout, .httpProxyHandshakeTimeout, .socksHandshakeTimeout:
            self = .timedOut
        case .remoteConnectionClosed, .uncleanShutdown: self = .connectionLost
        case .invalidURL, .emptyHost, .emptyScheme: self = .invalidURL
        default: self = .other(reason: error.shortDescription)
        }
    }

    private init(_ error: NIOConnectionError) {
        if error.dnsAError != nil || error.dnsAAAAError != nil, error.connectionErrors.isEmpty {
            self = SystemReason.ofMissingFiles().map { .other(reason: $0) } ?? .unknownHost
            return
        }
        let causes = error.connectionErrors.map(\.error)
        if let cause = causes.compactMap({ $0 as? IOError }).first {
            self.init(cause)
        } else if causes.contains(where: { ($0 as? ChannelError).isConnectTimeout }) {
            self = .timedOut
        } else {
            self = .refused
        }
    }

    private init(_ error: IOError) {
        switch error.errnoCode {
        case ECONNREFUSED: self = .refused
        case EHOSTUNREACH, ENETUNREACH: self = .other(reason: "no route to that host: check this machine's network")
        case ECONNRESET, EPIPE, ENOTCONN: self = .connectionLost
        case ETIMEDOUT: self = .timedOut
        case let number where SystemReason.isOfOpenFiles(number): self = .other(reason: SystemReason.text(number))
        default: self = .other(reason: "I/O error \(error.errnoCode)")
        }
    }
}

extension ChannelError? {
    fileprivate var isConnectTimeout: Bool {
        guard case .connectTimeout? = self else { return false }
        return true
    }
}
