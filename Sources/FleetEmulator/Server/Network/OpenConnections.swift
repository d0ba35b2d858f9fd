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
