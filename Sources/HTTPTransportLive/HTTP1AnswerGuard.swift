import HTTPTransport
import NIOCore
import NIOHTTP1

/// Refuses answers in HTTP/1 on which the HTTP library would trap; sits behind the decoder.
final class HTTP1AnswerGuard: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    private var order = AnswerOrder()

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !order.isRefused else { return }
        do {
            switch unwrapInboundIn(data) {
            case .head(let head):
                let code = head.status.code
                // 101 ends the answer, as the client asks for no other protocol.
                let isInformational = (100..<200).contains(code) && code != 101
                try order.head(status: Self.digits(code), isInformational: isInformational)
                // Nobody reads them, and the decompressor would take one for the head of the body.
                if isInformational { return }
            case .body: try order.bodyPart()
            case .end: try order.end()
            }
            context.fireChannelRead(data)
        } catch {
            context.fireErrorCaught(error)
            context.close(promise: nil)
        }
    }

    /// A status with its leading zeros.
    private static func digits(_ code: UInt) -> String {
        let text = String(code)
        return String(repeating: "0", count: max(0, 3 - text.count)) + text
    }
}
