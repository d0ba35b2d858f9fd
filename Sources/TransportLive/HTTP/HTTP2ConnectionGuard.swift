import NIOCore
import NIOHTTP2

/// Filters HTTP/2 frames that the HTTP library cannot handle; placed between the protocol handler and the stream counter.
///
/// - If a server opens a stream, the connection is closed: the library traps at the end of a stream without a request. The
///   client disables server push, but the protocol permits it until the server has acknowledged that.
/// - A later change of the maximum number of concurrent streams is dropped: on an idle connection the library would set its
///   idle timer twice. A debug build traps; a release build closes the connection too early.
/// - After GOAWAY, the connection is closed when no request is in flight. The library would wait for the server, without a
///   limit during shutdown.
///
/// Written for async-http-client 1.37.0: `HTTP2ConnectionState.release()` counts streams of the server as those of requests,
/// `HTTPConnectionPool.scheduleIdleTimerForConnection` replaces a timer without cancelling it, and `HTTP2IdleHandler` ignores
/// the request to close of its state machine. A part is obsolete once its test of `HostileFramesTests` passes without it:
/// “ends the connection when the server opens streams”, “accepts changes of the maximum number of streams after the
/// answer”, “closes an idle connection after GOAWAY”.
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
            // The first settings were read before this handler was added.
            let retained = settings.filter { $0.parameter != .maxConcurrentStreams }
            let rest = HTTP2Frame(streamID: frame.streamID, payload: .settings(.settings(retained)))
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

    /// Returns whether a server opened the stream: its streams have even numbers, 0 is the connection (RFC 9113, 5.1.1).
    private static func isServers(_ stream: HTTP2StreamID) -> Bool {
        stream != .rootStream && Int(stream).isMultiple(of: 2)
    }
}
