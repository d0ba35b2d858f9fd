import AsyncHTTPClient
import Failures
import NIOCore
import NIOHTTP1

/// How a request gets to its host; requests with the same path share connections.
enum RequestPath: Hashable {
    /// To the host at an address that is not looked up.
    case direct(HostAddress)
    /// Through a tunnel that a proxy opens.
    case tunnel(ProxySettings.Proxy)
    /// To a proxy, which reads the request and sends it on.
    case forwarded(ProxySettings.Proxy)
    /// To a proxy, as a request for a tunnel; only a refusal is read.
    case refused(ProxySettings.Proxy)
}

/// The library's clients, one for each path, created on demand.
actor LiveClients {
    /// The timeout for closing the connections; a server that does not complete the TLS shutdown could block for seconds.
    private static let timeout = TimeAmount.seconds(1)

    /// What the connections of a client have in common.
    private struct Key: Hashable {
        /// How a request gets to its host; `nil` if only the host's name is known.
        var path: RequestPath?
        /// Whether each request has a new connection.
        var isForRepetitions = false
    }

    private let loop: any EventLoop
    private let configuration: HTTPClient.Configuration
    let connections: ConnectionSettings
    private let hosts: RequestedHosts
    private let certificates: CertificateReader
    private var clients: [Key: HTTPClient] = [:]

    /// Creates clients whose connections are on one event loop.
    init(
        loop: any EventLoop,
        configuration: HTTPClient.Configuration,
        connections: ConnectionSettings,
        hosts: RequestedHosts
    ) {
        self.loop = loop
        (self.configuration, self.connections, self.hosts) = (configuration, connections, hosts)
        certificates = CertificateReader(loop: loop, connections: connections)
    }

    /// Sends a request; throws a failure with the evidence if there is no complete answer.
    nonisolated func send(
        _ request: HTTPTransportRequest,
        to origin: URLOrigin
    ) async throws(Failure) -> HTTPTransportResponse {
        var record = ExchangeRecord(of: request, to: origin, hosts)
        record.options = connections.options(for: origin)
        let proxy: ProxySettings.Proxy?
        do {
            proxy = request.usesProxies ? try connections.proxies.proxy(for: origin) : nil
        } catch {
            throw record.failed(.unusableProxy(reason: error.reason))
        }
        guard let proxy else {
            guard let address = connections.address(of: origin) else { return try await send(request, record, by: nil) }
            var request = request
            // The client finds the address by the name in lower case.
            request.url = "\(origin.isSecure ? "https" : "http")://\(address.host):\(address.port)\(origin.path)"
            return try await send(request, record, by: .direct(address))
        }
        record.proxy = proxy
        guard !origin.isSecure else {
            return try await send(request, record, by: .tunnel(proxy)) {
                await self.refusal(by: proxy, of: origin, within: request.timeout)
            }
        }
        let forwarded = request.forwarded(to: origin, by: proxy)
        let response = try await send(forwarded, record, by: .forwarded(proxy))
        // Only a proxy answers with this status (RFC 9110, 15.5.8). For a tunnel, the library reports it as an error.
        guard response.status != 407 else { throw Failure.loginRequired(by: proxy).with(response.exchange) }
        return response
    }

    /// Requests a tunnel again and returns why the proxy refuses it; `nil` if it does not answer, or does not refuse it now.
    ///
    /// The library only reports that the proxy refused the first request, not its answer (``ForwardedRequest``).
    func refusal(
        by proxy: ProxySettings.Proxy,
        of origin: URLOrigin,
        within timeout: Duration
    ) async -> Exchange.Answer? {
        let request = HTTPTransportRequest.tunnel(to: origin, by: proxy, timeout: timeout)
        let answer: Exchange.Answer?
        do {
            let record = ExchangeRecord(of: request, to: origin, hosts)
            answer = try await send(request, record, by: .refused(proxy)).exchange?.answer
        } catch {
            // A long answer is not read to its end.
            answer = error.exchange?.answer
        }
        return answer.flatMap { (300...599).contains($0.status ?? 0) ? $0 : nil }
    }

    private func client(for key: Key) -> HTTPClient {
        if let client = clients[key] { return client }
        var configuration = key.isForRepetitions ? configuration.withNewConnections : configuration
        switch key.path {
        case nil: break
        case .direct(let address): configuration.dnsOverride = [address.host: address.address]
        case .tunnel(let proxy):
            let host = connections.address(of: proxy.host, port: proxy.port)?.address ?? proxy.host
            configuration.proxy = .server(host: host, port: proxy.port, authorization: proxy.authorization)
        case .forwarded(let proxy), .refused(let proxy):
            let isForTunnel = key.path == .refused(proxy)
            if let address = connections.address(of: proxy.host, port: proxy.port) {
                configuration.dnsOverride = [address.host: address.address]
            }
            let (guards, login) = (configuration.http1_1ConnectionDebugInitializer, proxy.authorization?.headerValue)
            configuration.http1_1ConnectionDebugInitializer = { channel in
                let guarded = guards?(channel) ?? channel.eventLoop.makeSucceededVoidFuture()
                return guarded.flatMapThrowing {
                    try ForwardedRequest.add(to: channel, authorization: login, isForTunnel: isForTunnel)
                }
            }
        }
        let client = HTTPClient(eventLoopGroup: loop, configuration: configuration)
        clients[key] = client
        return client
    }

    /// Closes all connections, with the timeout ``timeout``.
    func shutDown() async {
        let all = Array(clients.values)
        clients = [:]
        let isOver = loop.makePromise(of: Void.self)
        let ends = all.map { client in
            let end = loop.makePromise(of: Void.self)
            // All requests have ended, so an unclean close loses nothing.
            client.shutdown { _ in end.succeed() }
            return end.futureResult
        }
        // The first of the two completes the promise; the timer is cancelled below.
        EventLoopFuture.andAllComplete(ends, on: loop).cascade(to: isOver)
        let limit = loop.scheduleTask(in: Self.timeout) { isOver.succeed() }
        // This future never fails.
        try? await isOver.futureResult.get()
        limit.cancel()
    }
}

extension ProxySettings.Proxy {
    /// The login in the library's type; `nil` without one.
    var authorization: HTTPClient.Authorization? {
        user.map { .basic(username: $0, password: password ?? "") }
    }
}

extension LiveClients {
    /// Sends a request, and once more on a new connection if a reused one was closed before any byte of the answer.
    nonisolated private func answer(
        to request: HTTPTransportRequest,
        _ collector: AnswerCollector,
        by path: RequestPath?
    ) async throws -> HTTPTransportResponse {
        let deadline = NIODeadline.now() + TimeAmount(request.timeout)
        let client = await client(for: Key(path: path))
        do {
            return try await client.send(request, collector, deadline)
        } catch {
            guard error.isOfReusedConnection, request.isRepeatable else { throw error }
        }
        let newClient = await self.client(for: Key(path: path, isForRepetitions: true))
        return try await newClient.send(request, collector, deadline)
    }

    /// Sends a request and describes it; `refusal` finds out why a proxy did not open a tunnel.
    nonisolated private func send(
        _ request: HTTPTransportRequest,
        _ record: ExchangeRecord,
        by path: RequestPath?,
        refusal: (@Sendable () async -> Exchange.Answer?)? = nil
    ) async throws(Failure) -> HTTPTransportResponse {
        let collector = AnswerCollector(limit: request.maximumResponseBytes)
        do {
            let response = try await answer(to: request, collector, by: path)
            return record.completed(response, httpVersion: collector.httpVersion)
        } catch {
            if let proxy = record.proxy, let fault = Failure(error, of: proxy) {
                let isRefused = [.proxyAuthenticationRequired, .invalidProxyResponse].contains(
                    error as? HTTPClientError
                )
                guard isRefused, let answer = await refusal?() else {
                    throw record.failed(fault, after: collector.partial, httpVersion: collector.httpVersion)
                }
                throw record.failed(Failure(refusal: answer, by: proxy), answer, httpVersion: nil)
            }
            var record = record
            let fault = Failure(error, limit: request.maximumResponseBytes)
            if fault.code == .tls {
                record.refusedCertificate = await certificates.certificate(of: record.origin, by: record.proxy)
            }
            let isCutOff = fault.code == .connectionLost && collector.partial != nil
            throw record.failed(
                isCutOff ? .cutOff : fault.presenting(record.refusedCertificate),
                after: collector.partial,
                httpVersion: collector.httpVersion
            )
        }
    }
}
