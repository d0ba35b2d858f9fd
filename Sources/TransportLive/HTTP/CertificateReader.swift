import AsyncHTTPClient
import Failures
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Reads the certificate of a server with which no encrypted connection could be made.
///
/// The clients close such a connection without saying what the server presented. This makes a second connection and ends its
/// handshake as soon as the certificate has arrived: no request, and so no token, is ever sent on it.
struct CertificateReader: Sendable {
    /// The time for the connection and the handshake, in real time; after it the certificate is unknown.
    private static let timeout = TimeAmount.seconds(3)

    let loop: any EventLoop
    /// The settings of the clients whose connections it makes.
    let connections: ConnectionSettings

    /// Returns the certificate of a server, also of one that is not trusted; `nil` if it can't be read in time.
    func certificate(of origin: URLOrigin, by proxy: ProxySettings.Proxy? = nil) async -> Exchange.Certificate? {
        let presented = loop.makePromise(of: Exchange.Certificate?.self)
        let limit = loop.scheduleTask(in: Self.timeout) { presented.succeed(nil) }
        let port = origin.port ?? 443
        let place = proxy.map { (host: $0.host, port: $0.port) } ?? (host: origin.host, port: port)
        let bootstrap = ClientBootstrap(group: loop).connectTimeout(Self.timeout)
            .channelInitializer { channel in
                channel.closeFuture.whenComplete { _ in presented.succeed(nil) }
                // The certificate or the time limit ends the connection.
                presented.futureResult.whenComplete { _ in channel.close(promise: nil) }
                return channel.eventLoop.makeCompletedFuture {
                    if let proxy {
                        try Self.openTunnel(to: (origin.host, port), by: proxy, on: channel, presented)
                    } else {
                        try Self.shakeHands(with: origin.host, on: channel, presented)
                    }
                }
            }
        bootstrap.connect(
            host: connections.address(of: place.host, port: place.port)?.address ?? place.host,
            port: place.port
        )
        .whenFailure { _ in presented.succeed(nil) }
        let certificate = await withTaskCancellationHandler {
            // The promise never fails.
            try? await presented.futureResult.get()
        } onCancel: {
            presented.succeed(nil)
        }
        limit.cancel()
        return certificate ?? nil
    }

    /// Starts TLS on a connection and completes the promise with the presented certificate.
    private static func shakeHands(
        with host: String,
        on channel: any Channel,
        _ presented: EventLoopPromise<Exchange.Certificate?>
    ) throws {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        // An address has no place in the server name extension. The error says only that the host is a name.
        let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
        let handler = try NIOSSLClientHandler(
            context: NIOSSLContext(configuration: tls),
            serverHostname: isAddress ? nil : host,
            customVerificationCallback: { certificates, verdict in
                presented.succeed(certificates.first.flatMap(CertificateRules.facts))
                verdict.succeed(.failed)
            }
        )
        try channel.pipeline.syncOperations.addHandler(handler, position: .first)
    }

    /// Asks a proxy for a tunnel and then starts TLS in it.
    private static func openTunnel(
        to server: (host: String, port: Int),
        by proxy: ProxySettings.Proxy,
        on channel: any Channel,
        _ presented: EventLoopPromise<Exchange.Certificate?>
    ) throws {
        let opened = channel.eventLoop.makePromise(of: Void.self)
        opened.futureResult.whenComplete { result in
            do {
                try result.get()
                try shakeHands(with: server.host, on: channel, presented)
            } catch {
                // The first failure is evidence; why this connection failed adds nothing to it.
                presented.succeed(nil)
            }
        }
        var headers = HTTPHeaders()
        if let login = proxy.authorization?.headerValue { headers.add(name: "proxy-authorization", value: login) }
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(HTTPRequestEncoder())
        try pipeline.addHandler(ByteToMessageHandler(HTTPResponseDecoder()))
        try pipeline.addHandler(
            NIOHTTP1ProxyConnectHandler(
                targetHost: server.host,
                targetPort: server.port,
                headers: headers,
                deadline: .now() + timeout,
                promise: opened
            )
        )
    }
}

extension Failure {
    /// Returns a failure of TLS with what the refused certificate says: its issuer, or the hosts that it is for.
    func presenting(_ certificate: Exchange.Certificate?) -> Failure {
        guard code == .tls, let certificate else { return self }
        if self == .tls(reason: CertificateRules.notTrusted), let issuer = certificate.issuer {
            return .tls(reason: "\(CertificateRules.notTrusted) (issuer: \(issuer))")
        }
        if self == .tls(reason: CertificateRules.otherHost), !certificate.names.isEmpty {
            return .tls(
                reason: "\(CertificateRules.otherHost) (\(certificate.names.prefix(3).joined(separator: ", ")))"
            )
        }
        return self
    }
}
