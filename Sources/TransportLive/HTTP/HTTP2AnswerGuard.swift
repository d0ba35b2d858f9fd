import Failures
import NIOCore
import NIOHPACK
import NIOHTTP2
import Transport

/// Refuses HTTP/2 answers that would make the libraries trap; placed before the codec of a stream.
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

    /// Checks a frame; returns `false` for informational heads.
    ///
    /// They are unused, and the decompressor would mistake one for the head of the body.
    private func isWanted(_ payload: HTTP2Frame.FramePayload) throws(Failure) -> Bool {
        switch payload {
        case .headers(let block) where isBeforeBody:
            let statuses = block.headers[":status"]
            guard let status = statuses.first, statuses.count == 1 else { throw order.refuse("no status") }
            // RFC 9113, section 8.6: HTTP/2 has no status 101.
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
