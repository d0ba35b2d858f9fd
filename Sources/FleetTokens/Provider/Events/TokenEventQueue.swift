import Synchronization
import TripModel

/// The queue of a provider's events for one reader of ``TokenProvider/events()``; bounded per key, see ``Backlog``.
final class TokenEventQueue: Sendable {
    private struct State {
        var unread = BacklogTable<AuthorizationContext, TokenEvent>()
        /// Events that were removed from the backlogs but not yet read, in reverse order.
        var ready: [TokenEvent] = []

        mutating func next() -> TokenEvent? {
            if ready.isEmpty { ready = unread.takeAll().flatMap { TokenEvent.withOmission($0.entry) }.reversed() }
            return ready.popLast()
        }
    }

    /// The stream's reference to the queue: when the reader releases it, the subscription ends.
    ///
    /// The provider references only the queue, so that this object is never released under the provider's lock.
    final class Subscription: Sendable {
        let queue: TokenEventQueue
        private let unsubscribe: @Sendable () -> Void

        init(_ queue: TokenEventQueue, unsubscribe: @escaping @Sendable () -> Void) {
            self.queue = queue
            self.unsubscribe = unsubscribe
        }

        deinit { unsubscribe() }
    }

    private let state = Locked(State())
    /// Signals that there may be an event.
    private let signal = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Adds an event without waiting.
    func post(_ event: TokenEvent) {
        state.withLock { $0.unread.add(event, of: event.context, event.backlogKind) }
        signal.continuation.yield()
    }

    /// Declares that no more events follow.
    func finish() { signal.continuation.finish() }

    /// Waits for the next event; `nil` at the end and after cancellation.
    func next() async -> TokenEvent? {
        var signals = signal.stream.makeAsyncIterator()
        while true {
            if let event = state.withLock({ $0.next() }) { return event }
            // The last events may have been posted since.
            guard await signals.next() != nil else { return state.withLock { $0.next() } }
        }
    }
}

extension TokenEvent {
    /// How the event relates to unread events before it.
    package var backlogKind: Backlog<TokenEvent>.Kind {
        switch kind {
        case .fetching: .progress
        case .stored, .repeated: .success(key: kind.name)
        case .failed(let error): .failure(code: error.code, key: error.code)
        case .rejected(let status): .failure(code: "rejected_\(status)", key: "rejected_\(status)")
        case .discardedLate: .failure(code: kind.name, key: kind.name)
        case .clockDisagreement, .omitted: .note
        case .evicted, .closed: .end
        }
    }

    /// Returns an unread event, preceded by the omission if events were dropped.
    fileprivate static func withOmission(_ entry: Backlog<TokenEvent>.Entry) -> [TokenEvent] {
        guard entry.omission.total > 0 else { return [entry.event] }
        var omitted = entry.event
        omitted.kind = .omitted(entry.omission)
        return [omitted, entry.event]
    }
}
