import NIOCore
import NIOHTTP2

/// Closes a connection that its client does not use as gRPC prescribes.
///
/// | the client | the connection is closed |
/// |---|---|
/// | does not complete the TLS handshake and begin HTTP/2 | 10 s after it was accepted |
/// | has announced the end (GOAWAY) | 10 s after that, or after the end of its last call |
/// | makes no call | 10 s after the library has asked it to close the connection |
/// | sends nothing, not even the acknowledgement of a ping | after the time for which a connection may be idle |
///
/// The library asks a client to close an idle connection and waits for its answer without a limit.
///
/// Written for grpc-swift-nio-transport 2.9.2: `ServerConnectionManagementHandler` starts the timer of `maxGraceTime` only
/// when the client has acknowledged a ping, stops its keepalive before that, and limits no handshake. Obsolete once
/// `LimitTests` passes with the settings of the library.
final class ConnectionGuard: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private enum Phase {
        case beginning
        case open
        case leaving
    }

    private let limits: ListenerLimits
    private var context: ChannelHandlerContext?
    private var phase = Phase.beginning
    private var calls = 0
    private var timer: Scheduled<Void>?

    private init(_ limits: ListenerLimits) { self.limits = limits }

    /// Adds the guard to an accepted connection, before everything else that is in its pipeline, and counts the connection.
    static func add(to channel: any Channel, _ limits: ListenerLimits, _ connections: OpenConnections) throws {
        let guardian = ConnectionGuard(limits)
        let pipeline = channel.pipeline.syncOperations
        let silence = IdleStateHandler(readTimeout: TimeAmount(limits.headTime))
        try pipeline.addHandlers([silence, guardian], position: .first)
        try pipeline.addHandler(FrameWatch(guardian), position: .after(pipeline.handler(type: NIOHTTP2Handler.self)))
        let bound = NIOLoopBound(guardian, eventLoop: channel.eventLoop)
        connections.add(channel) { channel.eventLoop.execute { bound.value.close() } }
    }

    /// A call has begun or ended on a connection to which a guard was added.
    static func count(_ stream: any Channel, _ connections: OpenConnections) throws {
        guard let connection = stream.parent else { return }
        let guardian = try connection.pipeline.syncOperations.handler(type: ConnectionGuard.self)
        connections.begin(connection)
        guardian.changeCalls(by: 1)
        let bound = NIOLoopBound(guardian, eventLoop: stream.eventLoop)
        stream.closeFuture.whenComplete { _ in
            connections.end(connection)
            bound.value.changeCalls(by: -1)
        }
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        startTimer()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        self.context = nil
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent { close() } else { context.fireUserInboundEventTriggered(event) }
    }

    fileprivate func beginHTTP2() {
        guard case .beginning = phase else { return }
        phase = .open
        startTimer()
    }

    fileprivate func goAway() {
        if case .leaving = phase { return }
        phase = .leaving
        startTimer()
    }

    private func changeCalls(by change: Int) {
        calls += change
        startTimer()
    }

    private func startTimer() {
        timer?.cancel()
        guard calls == 0, let context else { return }
        let time: Duration =
            switch phase {
            case .beginning, .leaving: limits.handshakeTime
            case .open: limits.headTime + limits.handshakeTime
            }
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) { self.close() }
    }

    /// Closes the socket; from the place of this handler, without the end of TLS, for which the library waits 5 s.
    private func close() { context?.close(promise: nil) }
}

/// Notices the beginning of HTTP/2 and its announced end; placed after the decoder of frames.
private final class FrameWatch: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame

    private let guardian: ConnectionGuard

    init(_ guardian: ConnectionGuard) { self.guardian = guardian }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data).payload {
        case .settings: guardian.beginHTTP2()
        case .goAway: guardian.goAway()
        default: break
        }
        context.fireChannelRead(data)
    }
}
