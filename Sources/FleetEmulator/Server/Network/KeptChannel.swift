import HummingbirdCore
import Logging
import NIOCore

/// Keeps each accepted connection alive until its socket is closed, and counts it.
///
/// A server that ends drops the connections that it has accepted and not yet handled. NIO's asynchronous channels stop the
/// process when they are released before they are finished; closing the socket finishes them.
///
/// Written for hummingbird 2.28.1 with swift-nio 2.101.2, whose `NIOAsyncWriter` then traps with “Deinited NIOAsyncWriter
/// without calling finish()”. No test provokes the race; it is obsolete once an ending `Server` closes what it has accepted.
struct KeptChannel: ServerChildChannel {
    /// The HTTP connection.
    let base: HTTP1Channel
    /// The open connections of the listener.
    let connections: OpenConnections

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        base.setup(channel: channel, logger: logger).map { value in
            connections.add(channel)
            channel.closeFuture.whenComplete { _ in withExtendedLifetime(value) {} }
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
