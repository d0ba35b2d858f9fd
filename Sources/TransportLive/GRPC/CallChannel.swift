import Failures
import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import NIOCore
import NIOPosix
import NIOSSL
import TripFeed

/// Sends calls to one service; all of them share one connection.
///
/// A library client is used as long as its connection is open, and then replaced by a new one. A client of the library would
/// reconnect by itself, at times of its own, and answer calls with an old error until then. Written for
/// grpc-swift-nio-transport 2.9.2; `HostileServerTests`, “calls share a connection, and one that ends is replaced” and “a
/// call on a connection that ends at that moment is sent again”, show whether one client is enough.
actor CallChannel {
    typealias Client = GRPCClient<HTTP2ClientTransport.Posix>

    /// A client and what is known about its connection.
    private struct Link: Sendable {
        let client: Client
        let state: ConnectionState
    }

    /// How long clients have to close their connections at the end, in real time.
    private static let grace = Duration.seconds(1)

    private let endpoint: ServiceEndpoint
    private let origin: URLOrigin
    private let options: GRPCClientOptions
    private let security: NIOSSLContext?
    private let loop: any EventLoop
    private let certificates: CertificateReader
    private let links: AsyncStream<Link>
    private let continuation: AsyncStream<Link>.Continuation
    private var link: Link?

    /// Creates a channel without a connection; throws a failure of a transport for unusable certificates.
    init(_ endpoint: ServiceEndpoint, _ options: GRPCClientOptions) throws(Failure) {
        guard let origin = URLOrigin(endpoint.baseURL) else { throw .invalidURL }
        (self.endpoint, self.origin, self.options) = (endpoint, origin, options)
        do {
            security = try endpoint.isPlaintext ? nil : NIOSSLContext(configuration: Self.configuration(options))
        } catch {
            throw .tls(reason: "the trusted certificates can't be read")
        }
        loop = MultiThreadedEventLoopGroup.singleton.next()
        certificates = CertificateReader(loop: loop, connections: options.connections)
        (links, continuation) = AsyncStream.makeStream(of: Link.self)
    }

    /// Runs the connections until ``close()``.
    nonisolated func run() async {
        await withTaskGroup(of: Void.self) { group in
            var states: [ConnectionState] = []
            for await link in links {
                states.append(link.state)
                group.addTask {
                    // The calls report why a connection failed.
                    try? await link.client.runConnections()
                    link.state.end()
                }
            }
            guard !states.isEmpty else { return }
            let grace = group.addTaskUnlessCancelled {
                // It ends early if all connections are closed.
                try? await Task.sleep(for: Self.grace, clock: .continuous)
            }
            // Either the grace period or the last connection has ended, in any order.
            if grace { await group.next() }
            for state in states { state.abort() }
            group.cancelAll()
        }
    }

    /// Closes the connection; no call may follow.
    func close() {
        link?.client.beginGracefulShutdown()
        link = nil
        continuation.finish()
    }

    /// Sends a call; throws if no complete answer was received.
    func send(_ call: FleetCall, _ authorization: String?) async throws(Failure) -> FleetAnswer {
        let request: CallRequest
        let record: CallRecord
        do {
            try checkProxies()
            let project = endpoint.quotaProject(for: authorization)
            request = try CallRequest(call, authorization: authorization, quotaProject: project)
            record = CallRecord(of: request, call, to: endpoint)
        } catch {
            throw error.with(CallRecord(of: nil, call, to: endpoint).exchange(failed: error))
        }
        let deadline = ContinuousClock.now + options.deadline
        let first = try connected()
        do {
            return try await perform(request, for: call, record, on: first, until: deadline)
        } catch {
            // The service may end a connection (GOAWAY) at the moment when a call is sent. Nothing has failed then: gRPC sends
            // such a call again, once.
            guard error.code == .connectionLost, first.state.isGoingAway else { throw error }
            return try await perform(request, for: call, record, on: try connected(), until: deadline)
        }
    }

    private func checkProxies() throws(Failure) {
        do {
            if let proxy = try options.connections.proxies.proxy(for: origin) {
                throw Failure.unusableProxy(reason: Self.reason(proxy))
            }
        } catch let error as Failure {
            throw error
        } catch let fault as ProxySettings.Fault {
            throw .unusableProxy(reason: fault.reason)
        } catch {
            throw .other(reason: "\(error)")
        }
    }

    /// Sends a call on a connection, which is replaced if it may be broken.
    private func perform(
        _ request: CallRequest,
        for call: FleetCall,
        _ record: CallRecord,
        on link: Link,
        until deadline: ContinuousClock.Instant
    ) async throws(Failure) -> FleetAnswer {
        let answer = await request.perform(on: link.client, options, timeout: deadline - .now)
        let fault = answer.fault(connection: link.state.fault, limit: options.longestMessage)
        guard let fault else { return record.completed(answer.decoded(as: call), link.state.secure) }
        if fault.mayBeTheConnection, self.link?.state === link.state {
            // The connection may be broken without an error. Other calls on it continue.
            link.client.beginGracefulShutdown()
            self.link = nil
        }
        let certificate = fault.code == .tls ? await certificates.certificate(of: origin) : nil
        throw fault.presenting(certificate)
            .with(record.exchange(failed: fault, after: answer.partial, link.state.secure, refusing: certificate))
    }

    private static func reason(_ proxy: ProxySettings.Proxy) -> String {
        "\(proxy.source) names a proxy, which calls over gRPC can't pass: "
            + "add the host to no_proxy, or use --transport rest"
    }

    // MARK: Connections

    /// Returns the client with the open connection, or a new one.
    private func connected() throws(Failure) -> Link {
        if let link, link.state.isUsable { return link }
        link?.client.beginGracefulShutdown()
        let state = ConnectionState()
        let transport: HTTP2ClientTransport.Posix
        do {
            transport = try HTTP2ClientTransport.Posix(
                target: Self.target(origin, options.connections.address(of: origin), isSecure: security != nil),
                transportSecurity: security == nil ? .plaintext : .customSecure,
                config: configuration(state),
                eventLoopGroup: loop
            )
        } catch {
            throw .other(reason: "\(error)")
        }
        let new = Link(client: GRPCClient(transport: transport), state: state)
        link = new
        continuation.yield(new)
        return new
    }

    /// Returns the address, without looking up a numeric one.
    private static func target(_ origin: URLOrigin, _ given: HostAddress?, isSecure: Bool) -> any ResolvableTarget {
        let port = origin.port ?? (isSecure ? 443 : 80)
        let host = given?.address ?? origin.host
        // The error says only that the host is a name.
        guard let address = try? SocketAddress(ipAddress: host, port: port) else {
            return .dns(host: host, port: port)
        }
        return address.protocol == .inet6 ? .ipv6(address: host, port: port) : .ipv4(address: host, port: port)
    }

    private func configuration(_ state: ConnectionState) -> HTTP2ClientTransport.Posix.Config {
        let (security, host) = (security, origin.host)
        return .defaults {
            $0.http2.authority = endpoint.target.trimmingSuffix(of: security == nil ? ":80" : ":443")
            $0.compression.enabledAlgorithms = .all
            // Pings during a call distinguish a slow service from a dead connection. Servers refuse them without calls.
            $0.connection.keepalive = .init(time: .seconds(10), timeout: .seconds(4), allowWithoutCalls: false)
            $0.channelDebuggingCallbacks.onCreateTCPConnection = { channel in
                channel.eventLoop.makeCompletedFuture {
                    try ConnectionWatch.add(to: channel, security, host: host, state)
                }
            }
            $0.channelDebuggingCallbacks.onCreateHTTP2Stream = { [options] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        AnswerMarks(longestMessage: options.longestMessage),
                        position: .first
                    )
                }
            }
        }
    }

    private static func configuration(_ options: GRPCClientOptions) throws -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        // RFC 8996 prohibits earlier versions.
        tls.minimumTLSVersion = .tlsv12
        tls.applicationProtocols = ["h2"]
        if let roots = options.connections.roots { tls.trustRoots = roots.trustRoots }
        if !options.roots.isEmpty { tls.additionalTrustRoots = [.certificates(try certificates(options.roots))] }
        return tls
    }

    private static func certificates(_ texts: [String]) throws -> [NIOSSLCertificate] {
        try texts.flatMap { try NIOSSLCertificate.fromPEMBytes(Array($0.utf8)) }
    }
}

extension String {
    fileprivate func trimmingSuffix(of suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}

extension Failure {
    /// Whether a new connection may help.
    fileprivate var mayBeTheConnection: Bool {
        switch code {
        case .cancelled, .tooLarge, .invalidURL, .cutOff: false
        default: true
        }
    }
}
