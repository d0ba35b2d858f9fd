import NIOCore
import NIOHTTP2

/// Keeps from the HTTP library what servers may say on an HTTP/2 connection and it can't bear; sits between the protocol's handler
/// and the library's count of streams.
///
/// - A server that opens a stream loses the connection: the library traps where a stream ends that no request has opened. The
///   client forbids server push, but the protocol allows it until the server has acknowledged that.
/// - A number of streams at a time that changes later is left out: on a connection without requests the library sets its timer
///   for idle connections twice, and traps.
/// - A connection that the server is to close (GOAWAY) is closed here once no request is under way: the library waits for the
///   server, without a limit when it is shut down.
final class HTTP2ConnectionGuard: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame

    private var isClosing = false
    private var openStreams = 0
    private var isGoingAway = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        let frame = unwrapInboundIn(data)
        if case .pushPromise = frame.payload { return close(context) }
        guard !Self.isServers(frame.streamID) else { return close(context) }
        if case .settings(.settings(let settings)) = frame.payload {
            // The first ones were read before this handler was there.
            let kept = settings.filter { $0.parameter != .maxConcurrentStreams }
            let rest = HTTP2Frame(streamID: frame.streamID, payload: .settings(.settings(kept)))
            context.fireChannelRead(wrapInboundOut(rest))
        } else {
            context.fireChannelRead(data)
        }
        if case .goAway = frame.payload {
            isGoingAway = true
            closeIfUnused(context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        let stream: HTTP2StreamID? =
            switch event {
            case let event as NIOHTTP2StreamCreatedEvent: event.streamID
            case let event as StreamClosedEvent: event.streamID
            case let event as NIOHTTP2WindowUpdatedEvent: event.streamID
            default: nil
            }
        if let stream, Self.isServers(stream) { return close(context) }
        if event is NIOHTTP2StreamCreatedEvent { openStreams += 1 }
        context.fireUserInboundEventTriggered(event)
        guard event is StreamClosedEvent else { return }
        openStreams -= 1
        closeIfUnused(context)
    }

    private func closeIfUnused(_ context: ChannelHandlerContext) {
        if isGoingAway, openStreams == 0 { close(context) }
    }

    private func close(_ context: ChannelHandlerContext) {
        guard !isClosing else { return }
        isClosing = true
        context.close(promise: nil)
    }

    /// Streams of servers have even numbers, 0 is the connection itself (RFC 9113, 5.1.1).
    private static func isServers(_ stream: HTTP2StreamID) -> Bool {
        stream != .rootStream && Int(stream).isMultiple(of: 2)
    }
}
