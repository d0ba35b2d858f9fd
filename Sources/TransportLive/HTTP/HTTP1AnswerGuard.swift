import NIOCore
import NIOHTTP1
import Transport

/// Refuses HTTP/1 answers that would make the HTTP library trap; placed after the decoder.
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
                // 101 is treated as final, because the client requests no protocol upgrade.
                let isInformational = (100..<200).contains(code) && code != 101
                try order.head(status: Self.digits(code), isInformational: isInformational)
                // Drop informational heads: they are unused, and the decompressor would mistake one for the head of the body.
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

    /// Returns a status with leading zeros.
    private static func digits(_ code: UInt) -> String {
        let text = String(code)
        return String(repeating: "0", count: max(0, 3 - text.count)) + text
    }
}
