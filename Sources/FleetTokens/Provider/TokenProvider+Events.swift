import Foundation
import Synchronization
import TripModel

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
