import NIOCore

/// Closes a connection from which no byte has arrived for some time.
///
/// gRPC announces the end of an idle connection and waits for the client's acknowledgement, which a silent client never
/// sends. A client with a long call acknowledges the listener's pings.
final class SilenceLimit: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    /// Adds the limit to an accepted connection, before everything else that is in its pipeline.
    static func add(to channel: any Channel, after limit: TimeAmount) throws {
        try channel.pipeline.syncOperations.addHandlers(
            [IdleStateHandler(readTimeout: limit), SilenceLimit()],
            position: .first
        )
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }
}
