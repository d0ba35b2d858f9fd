import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization
import TripTestSupport

/// An HTTPS server on a free loopback port that answers each request with its HTTP version or with bytes of the test.
final class SecureServer: Sendable {
    /// What the server does with a connection after the TLS handshake.
    enum Speech: Sendable {
        /// Answers each request with the HTTP version of the request.
        case http
        /// Answers one request of each connection, and closes the connection when another one arrives on it.
        case httpOnce
        /// Answers the first request of an HTTP/2 connection with these frames.
        case frames([UInt8])
    }

    /// The port.
    let port: Int
    /// The self-signed certificate in PEM.
    let certificate: String
    private let counters: Counters

    private final class Counters: Sendable {
        let connections = Mutex(0)
        let requests = Mutex(0)
        let closed = Mutex(0)
        let changes = Changes()
    }

    private init(port: Int, certificate: String, counters: Counters) {
        self.port = port
        self.certificate = certificate
        self.counters = counters
    }

    /// The number of connections that clients have opened so far.
    var connections: Int { counters.connections.withLock { $0 } }

    /// The number of requests that have arrived so far.
    var requests: Int { counters.requests.withLock { $0 } }

    /// Waits until this many connections have ended.
    func waitForClosed(_ count: Int) async throws {
        try await counters.changes.wait(for: "\(count) closed connections") {
            counters.closed.withLock { $0 } >= count
        }
    }

    /// Listens while the body runs.
    ///
    /// - Parameters:
    ///   - protocols: The protocols that it offers by ALPN, such as `h2` and `http/1.1`.
    ///   - identity: Its certificate; by default one for localhost.
    ///   - versions: The TLS versions that it accepts.
    ///   - speech: What it does with a connection.
    ///   - body: The code to run.
    /// - Returns: The result of the body.
    /// - Throws: Any error of the body, and errors that prevent listening.
    static func run<Result: Sendable>(
        offering protocols: [String],
        identity: TestIdentity? = nil,
        versions: (least: TLSVersion, most: TLSVersion) = (.tlsv12, .tlsv13),
        speech: Speech = .http,
        body: (SecureServer) async throws -> Result
    ) async throws -> Result {
        let identity = try identity ?? .p256()
        var configuration = try identity.configuration()
        configuration.applicationProtocols = protocols
        configuration.minimumTLSVersion = versions.least
        configuration.maximumTLSVersion = versions.most
        let context = try NIOSSLContext(configuration: configuration)
        let counters = Counters()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                counters.connections.withLock { $0 += 1 }
                channel.closeFuture.whenComplete { _ in
                    counters.closed.withLock { $0 += 1 }
                    counters.changes.notify()
                }
                let count = { @Sendable in counters.requests.withLock { $0 += 1 } }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    if case .frames(let bytes) = speech {
                        try channel.pipeline.syncOperations.addHandler(FramesHandler(bytes: bytes, onRequest: count))
                    }
                }.flatMap {
                    if case .frames = speech { return channel.eventLoop.makeSucceededVoidFuture() }
                    let answers = Answers(of: channel, isOnce: { if case .httpOnce = speech { true } else { false } }())
                    return channel.configureCommonHTTPServerPipeline { channel in
                        channel.eventLoop.makeCompletedFuture {
                            let handler = VersionHandler(onRequest: count, answers)
                            try channel.pipeline.syncOperations.addHandler(handler)
                        }
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let server = SecureServer(
            port: channel.localAddress?.port ?? 0,
            certificate: identity.certificate,
            counters: counters
        )
        do {
            let result = try await body(server)
            try await channel.close()
            return result
        } catch {
            try await channel.close()
            throw error
        }
    }
}

/// Decides which requests of a connection are answered.
private final class Answers: Sendable {
    private let connection: any Channel
    private let isOnce: Bool
    private let hasAnswered = Mutex(false)

    init(of connection: any Channel, isOnce: Bool) {
        (self.connection, self.isOnce) = (connection, isOnce)
    }

    /// Returns whether the next request is answered; closes the connection otherwise.
    func isNextAnswered() -> Bool {
        let isLater = hasAnswered.withLock { hasAnswered in
            defer { hasAnswered = true }
            return hasAnswered
        }
        guard isOnce, isLater else { return true }
        connection.close(promise: nil)
        return false
    }
}

/// Answers with the HTTP version of the request.
private final class VersionHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let onRequest: @Sendable () -> Void
    private let answers: Answers
    private var version = HTTPVersion.http1_0

    init(onRequest: @escaping @Sendable () -> Void, _ answers: Answers) {
        (self.onRequest, self.answers) = (onRequest, answers)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            version = head.version
            onRequest()
        case .body: break
        case .end:
            guard answers.isNextAnswered() else { return }
            let text = "\(version.major).\(version.minor)"
            let headers: HTTPHeaders = ["content-length": "\(text.utf8.count)"]
            context.write(
                wrapOutboundOut(.head(HTTPResponseHead(version: version, status: .ok, headers: headers))),
                promise: nil
            )
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}

/// Sends the settings that HTTP/2 requires, and the bytes of the test once a request has arrived.
private final class FramesHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The length in bytes of the client's connection preface and of a frame header (RFC 9113, sections 3.4 and 4.1).
    private static let preface = 24
    private static let header = 9

    private let bytes: [UInt8]
    private let onRequest: @Sendable () -> Void
    private var received = ByteBuffer()
    private var isPrefaceRead = false
    private var hasAnswered = false

    init(bytes: [UInt8], onRequest: @escaping @Sendable () -> Void) {
        self.bytes = bytes
        self.onRequest = onRequest
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var part = unwrapInboundIn(data)
        received.writeBuffer(&part)
        if !isPrefaceRead, received.readSlice(length: Self.preface) != nil {
            isPrefaceRead = true
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: Frame.settings())), promise: nil)
        }
        while isPrefaceRead, let kind = nextFrame() {
            guard kind == Frame.headersKind, !hasAnswered else { continue }
            hasAnswered = true
            onRequest()
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
        }
    }

    /// Removes the next frame and returns its kind; `nil` if it is incomplete.
    private func nextFrame() -> UInt8? {
        guard let head = received.getBytes(at: received.readerIndex, length: Self.header) else { return nil }
        let length = head.prefix(3).reduce(0) { $0 << 8 | Int($1) }
        guard received.readSlice(length: Self.header + length) != nil else { return nil }
        return head[3]
    }
}
