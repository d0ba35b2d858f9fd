import Foundation
import NIOCore
import NIOPosix
import Runtime

/// A TCP server on a free loopback port that sends a prepared answer to every connection and closes it.
package struct CannedServer: Sendable {
    /// What the server does with a connection once the first bytes of a request have arrived.
    package enum Behaviour: Sendable {
        /// Sends this text and closes.
        case send(String)
        /// Sends these bytes, which need not be text, and closes.
        case sendBytes([UInt8])
        /// Sends the text that the closure returns for a request, with its body if it has a `Content-Length`, and closes. If the
        /// text is empty, the connection stays open.
        case answer(@Sendable (_ request: String) -> String)
        /// Sends the text that the closure returns for each part of a conversation and leaves the connection open.
        case converse(@Sendable (_ request: String) -> String)
        /// Sends the bytes that the closure returns for each part of a conversation, and then closes if it says so.
        case converseInBytes(@Sendable (_ request: [UInt8]) -> (bytes: [UInt8], closes: Bool))
        /// Sends these parts one after the other and closes.
        case sendInParts([[UInt8]])
        /// Sends this text and leaves the connection open.
        case sendAndStayOpen(String)
        /// Sends this text and then one more byte every 5 ms for as long as the connection is open.
        case sendAndTrickle(String)
        /// Closes without an answer.
        case hangUp
        /// Sends nothing and leaves the connection open.
        case silence
    }

    /// The port.
    package let port: Int

    /// Listens while the body runs.
    package static func run<Result: Sendable>(
        _ behaviour: Behaviour,
        body: (CannedServer) async throws -> Result
    ) async throws -> Result {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(CannedHandler(behaviour: behaviour))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port ?? 0
        do {
            let result = try await body(CannedServer(port: port))
            try await channel.close()
            return result
        } catch {
            try await channel.close()
            throw error
        }
    }
}

private final class CannedHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let behaviour: CannedServer.Behaviour
    /// The parts of a request that have come.
    private var request = ""

    init(behaviour: CannedServer.Behaviour) {
        self.behaviour = behaviour
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch behaviour {
        case .send(let text): send(ByteBuffer(string: text), context)
        case .sendBytes(let bytes): send(ByteBuffer(bytes: bytes), context)
        case .answer(let answer):
            request += String(buffer: unwrapInboundIn(data))
            guard !lacksBody else { break }
            let words = answer(request)
            request = ""
            if !words.isEmpty { send(ByteBuffer(string: words), context) }
        case .converse(let answer):
            let words = answer(String(buffer: unwrapInboundIn(data)))
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: words)), promise: nil)
        case .converseInBytes(let answer):
            let (bytes, closes) = answer(Array(unwrapInboundIn(data).readableBytesView))
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
            if closes { context.close(promise: nil) }
        case .sendInParts(let pieces): sendNext(of: pieces[...], context)
        case .sendAndStayOpen(let text): context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        case .sendAndTrickle(let text):
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
            let channel = context.channel
            let trickle = channel.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(5)) { _ in
                channel.writeAndFlush(ByteBuffer(string: "x"), promise: nil)
            }
            channel.closeFuture.whenComplete { _ in trickle.cancel() }
        case .hangUp: context.close(promise: nil)
        case .silence: break
        }
    }

    /// Whether more of the body is to come.
    private var lacksBody: Bool {
        guard let end = request.range(of: "\r\n\r\n"),
            let length = request[..<end.lowerBound].firstMatch(of: /(?i)\r\ncontent-length: (\d+)/)
        else { return false }
        return request[end.upperBound...].utf8.count < Int(length.1) ?? 0
    }

    private func sendNext(of pieces: ArraySlice<[UInt8]>, _ context: ChannelHandlerContext) {
        guard let piece = pieces.first else { return context.close(promise: nil) }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        // Each part in its own turn of the event loop, so that the client may read it separately.
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: piece))).whenComplete { _ in
            bound.eventLoop.execute {
                let (handler, context) = bound.value
                handler.sendNext(of: pieces.dropFirst(), context)
            }
        }
    }

    private func send(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        context.close(promise: nil)
    }
}
