import Foundation
import Synchronization
package import TripModel

extension TokenProvider {
    /// Returns all events from now on, over all keys, in order.
    ///
    /// The memory for a slow reader is bounded per key. Of its unread outcomes, repeated successes are dropped first, then
    /// repeated failures; ``TokenEvent/Kind/omitted(_:)`` counts them.
    public func events() -> AsyncStream<TokenEvent> {
        let queue = TokenEventQueue()
        let number = subscribe(ProviderState.Subscriber(receive: queue.post, finish: queue.finish))
        let subscription = TokenEventQueue.Subscription(queue) { [weak self] in
            guard let number else { return }
            self?.state.withLock { $0.subscribers[number] = nil }
        }
        return AsyncStream { await subscription.queue.next() }
    }

    /// Calls a closure with all events until the provider is closed, before the affected callers resume.
    ///
    /// It is called under the provider's lock: it must neither block nor call the provider.
    package func observe(_ receive: @escaping @Sendable (TokenEvent) -> Void) {
        _ = subscribe(ProviderState.Subscriber(receive: receive, finish: {}))
    }

    /// Adds a subscriber and returns its number; ends it at once if the provider is closed.
    private func subscribe(_ subscriber: ProviderState.Subscriber) -> Int? {
        let number: Int? = state.withLock { state in
            guard !state.isClosed else { return nil }
            let number = state.nextNumber()
            state.subscribers[number] = subscriber
            return number
        }
        if number == nil { subscriber.finish() }
        return number
    }

    /// Publishes an event of a key with its status.
    func publish(_ kind: TokenEvent.Kind, _ slot: KeyTable.Slot, _ state: borrowing ProviderState, at now: Moment) {
        guard !state.subscribers.isEmpty else { return }
        publish(kind, slot.context, status(of: slot.context, state, at: now), state, at: now)
    }

    /// Publishes an event under the lock, so that all subscribers receive the events in order.
    func publish(
        _ kind: TokenEvent.Kind,
        _ context: AuthorizationContext,
        _ status: TokenStatus,
        _ state: borrowing ProviderState,
        at now: Moment
    ) {
        for subscriber in state.subscribers.values {
            subscriber.receive(TokenEvent(context: context, at: now, kind: kind, status: status))
        }
    }

    /// Publishes the clock offset when it becomes significant and when it changes by more than 5 s.
    func publishOffset(_ offset: Duration?, _ slot: KeyTable.Slot, _ state: inout ProviderState, at now: Moment) {
        guard let offset, abs(offset.seconds - state.publishedOffset) > 5 else { return }
        state.publishedOffset = offset.seconds
        state.counters.clockDisagreements += 1
        publish(.clockDisagreement(offset), slot, state, at: now)
    }
}

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
        case .rejected(let status): .failure(code: "rejected_\(status.name)", key: "rejected_\(status.name)")
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
