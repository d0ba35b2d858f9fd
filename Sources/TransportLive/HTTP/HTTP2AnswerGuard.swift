import Failures
import NIOCore
import NIOHPACK
import NIOHTTP2

/// Refuses HTTP/2 answers that would make the libraries trap; placed before the codec of a stream.
///
/// It also reports as ``ReusedConnectionClosed`` that a connection was closed before any frame of a later answer.
///
/// Written for swift-nio-http2 1.46.0, which unwraps the first character of an empty status and passes a negative one on to
/// `HTTPResponseStatus(statusCode:)` of swift-nio 2.101.2, which traps, and for the faults of ``HTTP1AnswerGuard``.
/// async-http-client 1.37.0 takes 101 for the final head, which HTTP/2 takes for an informational one, and traps at the next
/// head. The checks are obsolete once `HostileFramesTests` ends without a trap when they are off.
final class HTTP2AnswerGuard: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload

    private var order = AnswerOrder()
    private var isBeforeBody = true
    private var hasFrames = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasFrames = true
        guard !order.isRefused else { return }
        do {
            if try isWanted(unwrapInboundIn(data)) { context.fireChannelRead(data) }
        } catch {
            context.fireErrorCaught(error)
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The server has not processed a refused stream (RFC 9113, 8.7).
        let isRefused = (error as? NIOHTTP2Errors.StreamClosed)?.errorCode == .refusedStream
        let isUnanswered = isRefused && isUnansweredOnReusedConnection(context)
        hasFrames = true
        context.fireErrorCaught(isUnanswered ? ReusedConnectionClosed() : error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isUnansweredOnReusedConnection(context) {
            hasFrames = true
            context.fireErrorCaught(ReusedConnectionClosed())
        }
        context.fireChannelInactive()
    }

    private func isUnansweredOnReusedConnection(_ context: ChannelHandlerContext) -> Bool {
        guard !hasFrames, !order.isRefused else { return false }
        // A stream has no number before its request is written.
        let stream = try? context.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
        // The first stream of a client has number 1 (RFC 9113, 5.1.1).
        return stream.map { Int($0) > 1 } ?? false
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
