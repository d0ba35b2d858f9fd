import Failures
import NIOCore
import NIOHTTP1

/// Refuses HTTP/1 answers that would make the HTTP library trap; placed after the decoder.
///
/// It also reports as ``ReusedConnectionClosed`` that a connection was closed before any byte of a later answer.
///
/// Written for async-http-client 1.37.0: its `HTTPRequestStateMachine` skips a final head below 200 and traps at the end of
/// that answer. The decompressor of swift-nio-extras 1.35.2 applies the encoding of an informational head to the body. The
/// checks are obsolete once `HostileAnswerTests` ends without a trap, and reads bodies after heads of 103, when they are off.
final class HTTP1AnswerGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart

    private var order = AnswerOrder()
    private let bytes: AnswerByteWatch
    private var hasAnswered = false
    private var isWaiting = false

    /// Creates a guard; `bytes` sees what the decoder reads.
    init(_ bytes: AnswerByteWatch) { self.bytes = bytes }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        isWaiting = true
        context.write(data, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let isUnanswered = error.isEndOfConnection && isUnansweredOnReusedConnection
        isWaiting = false
        context.fireErrorCaught(isUnanswered ? ReusedConnectionClosed() : error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isUnansweredOnReusedConnection {
            isWaiting = false
            context.fireErrorCaught(ReusedConnectionClosed())
        }
        context.fireChannelInactive()
    }

    private var isUnansweredOnReusedConnection: Bool { isWaiting && hasAnswered && !bytes.hasBytes }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !order.isRefused else { return }
        do {
            switch unwrapInboundIn(data) {
            case .head(let head):
                let code = head.status.code
                // 101 is treated as final, because the client requests no protocol upgrade.
                let isInformational = (100..<200).contains(code) && code != 101
                try order.head(status: Self.digits(code), isInformational: isInformational)
                // Drop informational heads: they are unused, and the decompressor would mistake one for the head of the body.
                if isInformational { return }
            case .body: try order.bodyPart()
            case .end:
                try order.end()
                (hasAnswered, isWaiting, bytes.hasBytes) = (true, false, false)
            }
            context.fireChannelRead(data)
        } catch {
            context.fireErrorCaught(error)
            context.close(promise: nil)
        }
    }

    /// Returns a status with leading zeros.
    private static func digits(_ code: UInt) -> String {
        let text = String(code)
        return String(repeating: "0", count: max(0, 3 - text.count)) + text
    }
}
