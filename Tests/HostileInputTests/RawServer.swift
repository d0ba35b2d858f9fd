import Foundation
import NIOCore
import NIOPosix

/// A TCP server on a loopback port that sends any bytes in parts and ends each connection as its script says.
struct RawServer: Sendable {
    /// What the server does with a connection once the first bytes of a request have arrived.
    struct Script: Sendable {
        /// The parts to send, one per write.
        var pieces: [[UInt8]]
        var ending: Ending
    }

    /// How a connection ends.
    enum Ending: Sendable {
        case close
        /// With a reset.
        case reset
        /// Never: the client has to give up.
        case stay
    }

    let port: Int

    /// Listens while the body runs.
    ///
    /// Each connection gets the script for its own request.
    static func run<Result: Sendable>(
        _ script: @escaping @Sendable (_ request: String) -> Script,
        body: (RawServer) async throws -> Result
    ) async throws -> Result {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(RawHandler(script: script))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            let result = try await body(RawServer(port: channel.localAddress?.port ?? 0))
            try await channel.close()
            return result
        } catch {
            try await channel.close()
            throw error
        }
    }
}

private final class RawHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let script: @Sendable (String) -> RawServer.Script
    private var request = ""

    init(script: @escaping @Sendable (String) -> RawServer.Script) { self.script = script }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        request += String(buffer: unwrapInboundIn(data))
        guard request.contains("\r\n\r\n") else { return }
        let script = script(request)
        request = ""
        for piece in script.pieces { context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: piece)), promise: nil) }
        switch script.ending {
        case .close: context.close(promise: nil)
        case .reset:
            let channel = context.channel
            // With a linger time of zero, closing sends a reset.
            guard let options = channel as? any SocketOptionProvider else { return context.close(promise: nil) }
            options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in channel.close(promise: nil) }
        case .stay: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
