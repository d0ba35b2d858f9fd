package import NIOCore

/// Stops accepting connections while the maximum number of them is open, as the REST listener does.
///
/// It belongs into the pipeline of the listening channel, before the handler that sets up accepted connections.
package final class ConnectionLimit: ChannelDuplexHandler {
    package typealias InboundIn = any Channel
    package typealias InboundOut = any Channel
    package typealias OutboundIn = Never

    private let maximum: Int
    private var open = 0
    private var isWaiting = false

    /// Creates a limit; a few more connections may be open, because several are accepted at once.
    package init(_ maximum: Int) { self.maximum = maximum }

    package func read(context: ChannelHandlerContext) {
        if open < maximum { context.read() } else { isWaiting = true }
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        open += 1
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        unwrapInboundIn(data).closeFuture.hop(to: context.eventLoop).whenComplete { _ in
            handler.value.close(bound.value)
        }
        context.fireChannelRead(data)
    }

    private func close(_ context: ChannelHandlerContext) {
        open -= 1
        guard isWaiting, open < maximum else { return }
        isWaiting = false
        context.read()
    }
}
