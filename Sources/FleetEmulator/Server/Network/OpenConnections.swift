import HummingbirdCore
import Logging
package import NIOCore
import Synchronization

/// The open connections of a listener; over the maximum, the connection that has been idle for the longest time is closed.
///
/// A connection is idle while none of its requests is answered. Connections without requests can therefore not block others
/// from being accepted, however many there are.
package final class OpenConnections: Sendable {
    private struct Entry {
        var close: @Sendable () -> Void
        var calls = 0
        /// The number of the last event; the idle connection with the lowest number has been idle longest.
        var lastEvent: Int
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var lastEvent = 0

        mutating func nextEvent() -> Int {
            lastEvent += 1
            return lastEvent
        }
    }

    private let maximum: Int
    private let state = Mutex(State())

    /// Creates a collection without connections.
    package init(maximum: Int) { self.maximum = maximum }

    /// Adds an idle connection until it is closed and, over the maximum, closes the connection that has been idle longest.
    ///
    /// - Parameters:
    ///   - channel: The connection.
    ///   - close: Closes it at once; by default by closing the channel.
    package func add(_ channel: any Channel, close: (@Sendable () -> Void)? = nil) {
        let id = ObjectIdentifier(channel)
        let victim = state.withLock { state -> Entry? in
            state.entries[id] = Entry(close: close ?? { channel.close(promise: nil) }, lastEvent: state.nextEvent())
            guard state.entries.count > maximum else { return nil }
            // The new connection is idle, too: it is refused if all others are in use.
            let idle = state.entries.filter { $0.value.calls == 0 }
            guard let oldest = idle.min(by: { $0.value.lastEvent < $1.value.lastEvent }) else { return nil }
            return state.entries.removeValue(forKey: oldest.key)
        }
        victim?.close()
        channel.closeFuture.whenComplete { [self] _ in state.withLock { $0.entries[id] = nil } }
    }

    /// A request has arrived on a connection.
    package func begin(_ channel: any Channel) {
        state.withLock { $0.entries[ObjectIdentifier(channel)]?.calls += 1 }
    }

    /// A request was answered.
    package func end(_ channel: any Channel) {
        state.withLock { state in
            let event = state.nextEvent()
            guard var entry = state.entries[ObjectIdentifier(channel)] else { return }
            (entry.calls, entry.lastEvent) = (entry.calls - 1, event)
            state.entries[ObjectIdentifier(channel)] = entry
        }
    }
}

/// Keeps each accepted connection alive until its socket is closed, and counts it.
///
/// A server that ends drops the connections that it has accepted and not yet handled. NIO's asynchronous channels stop the
/// process when they are released before they are finished; closing the socket finishes them.
///
/// Written for hummingbird 2.28.1 with swift-nio 2.101.2, whose `NIOAsyncWriter` then traps with “Deinited NIOAsyncWriter
/// without calling finish()”. No test provokes the race; it is obsolete once an ending `Server` closes what it has accepted.
struct RetainedChannel: ServerChildChannel {
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

/// The limits that a listener imposes on clients.
package struct ListenerLimits: Sendable, Equatable {
    /// The maximum size of a request's body in bytes.
    package var largestBody = 1 << 20
    /// The maximum length of a request's path and query in bytes.
    package var longestTarget = 8192
    /// The maximum size of one header, name and value together, in bytes.
    package var largestHeader = 16 << 10
    /// The maximum size of all headers in bytes.
    package var headerBytes = 32 << 10
    /// The maximum number of headers.
    package var headerCount = 100
    /// The maximum number of open connections; a further connection closes the connection that has been idle longest.
    package var connections = 4096
    /// The timeout for the beginning of a gRPC connection, TLS included, and for its end after the client's GOAWAY, in real time.
    package var handshakeTime = Duration.seconds(10)
    /// The timeout for a complete request head, in real time.
    package var headTime = Duration.seconds(75)
    /// The timeout for a request's body, in real time.
    package var bodyTime = Duration.seconds(30)
    /// The time for a client to read the answer before a connection with an unread request is closed.
    package var lingering = Duration.seconds(2)

    /// Creates the default limits.
    package init() {}
}
