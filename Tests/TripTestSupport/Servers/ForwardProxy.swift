import NIOCore
import NIOPosix
import Synchronization

/// An HTTP proxy on a free loopback port: it opens tunnels, and sends requests over plain HTTP on.
///
/// Each connection is for one host; after a request over plain HTTP it is closed.
package final class ForwardProxy: Sendable {
    /// The port.
    package let port: Int
    private let log: Log

    /// The first lines of the requests.
    fileprivate final class Log: Sendable {
        let lines = Mutex<[String]>([])
    }

    private init(port: Int, _ log: Log) { (self.port, self.log) = (port, log) }

    /// The proxy's URL.
    package var url: String { "http://127.0.0.1:\(port)" }

    /// The first lines of the requests so far, such as `CONNECT fleet.example:443 HTTP/1.1`.
    package var requests: [String] { log.lines.withLock { $0 } }

    /// Listens while the body runs.
    ///
    /// - Parameters:
    ///   - target: The loopback port to which it connects; `nil` for the requested host and port.
    ///   - body: The code to run.
    /// - Returns: The result of the body.
    /// - Throws: Any error of the body, and errors that prevent listening.
    package static func run<Result: Sendable>(
        to target: Int? = nil,
        body: (ForwardProxy) async throws -> Result
    ) async throws -> Result {
        let log = Log()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ForwardProxyHandler(log, target: target))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            let result = try await body(ForwardProxy(port: channel.localAddress?.port ?? 0, log))
            try await channel.close()
            return result
        } catch {
            try await channel.close()
            throw error
        }
    }
}

/// Reads the head of the first request, connects, and then passes everything on.
private final class ForwardProxyHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let log: ForwardProxy.Log
    private let target: Int?
    private var received = ""
    private var isConnecting = false
    private var server: (any Channel)?

    init(_ log: ForwardProxy.Log, target: Int?) { (self.log, self.target) = (log, target) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        if let server { return server.writeAndFlush(bytes, promise: nil) }
        received += String(buffer: bytes)
        guard !isConnecting, received.contains("\r\n\r\n") else { return }
        isConnecting = true
        connect(context)
    }

    func channelInactive(context: ChannelHandlerContext) { server?.close(promise: nil) }

    private func connect(_ context: ChannelHandlerContext) {
        let line = String(received.prefix { $0 != "\r\n" })
        log.lines.withLock { $0.append(line) }
        let words = line.split(separator: " ").map(String.init)
        let isTunnel = words.first == "CONNECT"
        let prefix = isTunnel ? "" : "http://"
        guard words.count == 3, words[1].hasPrefix(prefix) else { return context.close(promise: nil) }
        let authority = words[1].dropFirst(prefix.count).prefix { $0 != "/" }
        let parts = authority.split(separator: ":")
        let port = target ?? parts.dropFirst().first.flatMap { Int($0) } ?? 80
        if !isTunnel {
            let path = words[1].dropFirst(prefix.count + authority.count)
            let rest = received.dropFirst(line.count)
            received = "\(words[0]) \(path) HTTP/1.1\r\nConnection: close\(rest)"
        }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let client = context.channel
        ClientBootstrap(group: context.eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(RelayHandler(to: client))
                }
            }
            .connect(host: target == nil ? String(parts[0]) : "127.0.0.1", port: port)
            .whenComplete { result in
                let (handler, context) = bound.value
                guard case .success(let server) = result else { return context.close(promise: nil) }
                handler.server = server
                let answer = ByteBuffer(string: "HTTP/1.1 200 Connection established\r\n\r\n")
                if isTunnel {
                    context.writeAndFlush(handler.wrapOutboundOut(answer), promise: nil)
                } else {
                    server.writeAndFlush(ByteBuffer(string: handler.received), promise: nil)
                }
            }
    }
}

/// Passes the bytes of a server to a client.
private final class RelayHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let client: any Channel

    init(to client: any Channel) { self.client = client }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        client.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { client.close(promise: nil) }
}
