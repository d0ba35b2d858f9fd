import HTTPTransport
import NIOCore
import NIOHPACK
import NIOHTTP2

/// Refuses answers in HTTP/2 on which the libraries would trap; sits before the codec of a stream.
final class HTTP2AnswerGuard: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload

    private var order = AnswerOrder()
    private var isBeforeBody = true

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !order.isRefused else { return }
        do {
            if try isWanted(unwrapInboundIn(data)) { context.fireChannelRead(data) }
        } catch {
            context.fireErrorCaught(error)
            context.close(promise: nil)
        }
    }

    /// Checks a frame; informational heads are not passed on, as nobody reads them and the decompressor would take one for the
    /// head of the body.
    private func isWanted(_ payload: HTTP2Frame.FramePayload) throws(HTTPTransportError) -> Bool {
        switch payload {
        case .headers(let block) where isBeforeBody:
            let statuses = block.headers[":status"]
            guard let status = statuses.first, statuses.count == 1 else { throw order.refuse("no status") }
            // RFC 9113, 8.6: there is no such answer in HTTP/2.
            guard status != "101" else { throw order.refuse("status 101 in HTTP/2") }
            let isInformational = status.hasPrefix("1")
            try order.head(status: status, isInformational: isInformational)
            if isInformational, block.endStream { throw order.refuse("an answer that ends before its head") }
            guard !isInformational else { return false }
            isBeforeBody = false
            if block.endStream { try order.end() }
        case .headers(let block):
            guard block.endStream else { throw order.refuse("a second head within an answer") }
            try order.end()
        case .data(let part):
            guard case .byteBuffer = part.data else { throw order.refuse("a body without a head") }
            try order.bodyPart()
            if part.endStream { try order.end() }
        case .alternativeService, .rstStream, .priority, .windowUpdate, .settings, .pushPromise, .ping, .goAway,
            .origin:
            break
        }
        return true
    }
}
