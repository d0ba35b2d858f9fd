import AsyncHTTPClient
import Failures
package import HTTPTransport
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOHTTPCompression
import NIOPosix
import NIOSSL

/// Runs a closure with a transport over real connections, which are closed at its end.
///
/// TLS is verified with a minimum version of 1.2. Connections are reused. HTTP/2 is used if the server offers it. Bodies are
/// decompressed. Redirects are not followed.
///
/// - Parameters:
///   - connections: How connections are made.
///   - roots: Trusted PEM certificates in addition to those of `connections`.
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
    let pool = ProxiedClients(loop: loop, configuration: configuration, proxies: connections.proxies, hosts: hosts)
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

extension ProxySettings.Proxy {
    /// The proxy in the library's type.
    fileprivate var server: HTTPClient.Configuration.Proxy {
        let authorization = user.map { HTTPClient.Authorization.basic(username: $0, password: password ?? "") }
        return .server(host: host, port: port, authorization: authorization)
    }
}

/// The client for direct connections and one client per proxy, created on demand.
private actor ProxiedClients {
    /// The timeout for closing the connections; a server that does not complete the TLS shutdown could block for seconds.
    private static let patience = TimeAmount.seconds(1)

    private let loop: any EventLoop
    private let direct: HTTPClient
    private let configuration: HTTPClient.Configuration
    private let proxies: ProxySettings
    private let hosts: RequestedHosts
    private var proxied: [ProxySettings.Proxy: HTTPClient] = [:]

    init(
        loop: any EventLoop,
        configuration: HTTPClient.Configuration,
        proxies: ProxySettings,
        hosts: RequestedHosts
    ) {
        self.loop = loop
        direct = HTTPClient(eventLoopGroup: loop, configuration: configuration)
        self.configuration = configuration
        self.proxies = proxies
        self.hosts = hosts
    }

    nonisolated func send(
        _ request: HTTPTransportRequest,
        to origin: URLOrigin
    ) async throws(Failure) -> HTTPTransportResponse {
        var record = ExchangeRecord(of: request, to: origin, hosts)
        let proxy: ProxySettings.Proxy?
        do {
            proxy = request.usesProxies ? try proxies.proxy(for: origin) : nil
        } catch {
            throw record.failed(.unusableProxy(reason: error.reason))
        }
        guard let proxy else { return try await direct.send(request, record) }
        record.proxy = proxy
        let response = try await client(for: proxy).send(request, record)
        // Only a proxy answers with this status (RFC 9110, 15.5.8). Over TLS, the library reports it as an error.
        guard response.status != 407 else { throw Failure.loginRequired(by: proxy).with(response.exchange) }
        return response
    }

    private func client(for proxy: ProxySettings.Proxy) -> HTTPClient {
        if let client = proxied[proxy] { return client }
        var configuration = configuration
        configuration.proxy = proxy.server
        let client = HTTPClient(eventLoopGroup: loop, configuration: configuration)
        proxied[proxy] = client
        return client
    }

    /// Closes all connections, with the timeout ``patience``.
    func shutDown() async {
        let clients = [direct] + proxied.values
        proxied = [:]
        let isOver = loop.makePromise(of: Void.self)
        let ends = clients.map { client in
            let end = loop.makePromise(of: Void.self)
            // All requests have ended, so an unclean close loses nothing.
            client.shutdown { _ in end.succeed() }
            return end.futureResult
        }
        // The first of the two completes the promise.
        EventLoopFuture.andAllComplete(ends, on: loop).cascade(to: isOver)
        let limit = loop.scheduleTask(in: Self.patience) { isOver.succeed() }
        // This future never fails.
        try? await isOver.futureResult.get()
        limit.cancel()
    }
}

extension HTTPClient {
    fileprivate func send(
        _ request: HTTPTransportRequest,
        _ record: ExchangeRecord
    ) async throws(Failure) -> HTTPTransportResponse {
        var headers = HTTPHeaders(request.headers)
        // The library decompresses answers but does not send this header.
        if !headers.contains(name: "accept-encoding") { headers.add(name: "accept-encoding", value: "gzip, deflate") }
        let collector = AnswerCollector(limit: request.maximumResponseBytes)
        do {
            let message = try HTTPClient.Request(
                url: request.url,
                method: HTTPMethod(rawValue: request.method),
                headers: headers,
                body: request.body.isEmpty ? nil : .bytes(request.body)
            )
            let call = execute(request: message, delegate: collector, deadline: .now() + TimeAmount(request.timeout))
            let response = try await withTaskCancellationHandler {
                try await call.get()
            } onCancel: {
                call.cancel()
            }
            return record.completed(response, httpVersion: collector.httpVersion)
        } catch {
            if let proxy = record.proxy, let fault = Failure(error, of: proxy) {
                throw record.failed(fault, after: collector.partial, httpVersion: collector.httpVersion)
            }
            let fault = Failure(error, limit: request.maximumResponseBytes)
            let isCutOff = fault.code == .connectionLost && collector.partial != nil
            throw record.failed(
                isCutOff ? .cutOff : fault,
                after: collector.partial,
                httpVersion: collector.httpVersion
            )
        }
    }
}

extension Failure {
    /// Converts an error of a proxy; `nil` if the proxy is not the cause, as far as the error shows.
    fileprivate init?(_ error: any Error, of proxy: ProxySettings.Proxy) {
        let reason: String
        switch (error as? HTTPClientError, Failure(error, limit: 0).code) {
        case (.proxyAuthenticationRequired?, _):
            self = .loginRequired(by: proxy)
            return
        case (.invalidProxyResponse?, _): reason = "does not open a connection to the host"
        case (.connectTimeout?, _), (.httpProxyHandshakeTimeout?, _): reason = "does not answer"
        // The proxy is the only host that is looked up and connected to.
        case (_, .refused): reason = "refuses connections"
        case (_, .unknownHost): reason = "has an unknown host name"
        default: return nil
        }
        self = .proxyFailed(reason: "\(proxy.name) \(reason)")
    }

    /// The error for status 407.
    fileprivate static func loginRequired(by proxy: ProxySettings.Proxy) -> Failure {
        let cause = proxy.user == nil ? "requires a login" : "rejects the login in that variable"
        return .unusableProxy(reason: "\(proxy.name) \(cause) (HTTP 407): use http://USER:PASSWORD@host:port")
    }

    /// Converts an error of the network libraries; `limit` is the maximum size of an answer in bytes.
    package init(_ error: any Error, limit: Int) {
        switch error {
        case let error as Failure: self = error
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
            ("CERTIFICATE_VERIFY_FAILED", "the certificate is not trusted"),
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
