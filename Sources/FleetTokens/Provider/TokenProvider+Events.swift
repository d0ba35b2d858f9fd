import Failures
import Foundation
import Runtime
import Synchronization
import TripModel

extension TokenProvider {
    /// Returns all events from now on, over all keys, in order.
    ///
    /// The memory for a slow reader is bounded per key. Repeated successes among its unread outcomes are dropped first, then
    /// repeated failures; ``TokenEvent/Kind/omitted(_:)`` counts them.
    public func events() -> AsyncStream<TokenEvent> {
        let queue = TokenEventQueue()
        // Signals that there may be an event.
        let (signals, notifier) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let subscriber = ProviderState.Subscriber(
            receive: { event in
                queue.post(event)
                notifier.yield()
            },
            finish: { notifier.finish() }
        )
        if let number = subscribe(subscriber) {
            // Called when the reader is cancelled or releases the stream.
            notifier.onTermination = { [weak self] _ in self?.state.withLock { $0.subscribers[number] = nil } }
        }
        return AsyncStream {
            var signals = signals.makeAsyncIterator()
            while true {
                if let event = queue.next() { return event }
                // The last events may have been posted since.
                guard await signals.next() != nil else { return queue.next() }
            }
        }
    }

    /// Calls a closure with all events until the provider is closed, before the affected callers resume.
    ///
    /// It is called under the provider's lock: it must neither block nor call the provider. A token that `context` already has
    /// is reported first: with the event that stored it if it was the last one before, otherwise as if it were stored now.
    package func observe(
        startingWith context: AuthorizationContext? = nil,
        _ receive: @escaping @Sendable (TokenEvent) -> Void
    ) {
        _ = subscribe(ProviderState.Subscriber(receive: receive, finish: {}), startingWith: context)
    }

    /// Adds a subscriber and returns its number; ends it at once if the provider is closed.
    private func subscribe(
        _ subscriber: ProviderState.Subscriber,
        startingWith context: AuthorizationContext? = nil
    ) -> Int? {
        let now = clock.now()
        let number: Int? = state.withLock { state in
            guard !state.isClosed else { return nil }
            let number = state.nextNumber()
            if let context, state.keys[context]?.machine.token != nil {
                let status = status(of: context, state, at: now)
                let kind = TokenEvent.Kind.stored(generation: status.generation)
                let known = state.unobserved.flatMap { $0.context == context && $0.kind == kind ? $0 : nil }
                subscriber.receive(known ?? TokenEvent(context: context, at: now, kind: kind, status: status))
            }
            state.unobserved = nil
            state.subscribers[number] = subscriber
            return number
        }
        if number == nil { subscriber.finish() }
        return number
    }

    /// Publishes an event under the lock, so that all subscribers receive the events in order.
    ///
    /// Without a status, the event has the status of the key after the event. The end of a fetch has the fetch's reason and grants.
    func publish(
        _ kind: TokenEvent.Kind,
        _ context: AuthorizationContext,
        _ state: inout ProviderState,
        status: TokenStatus? = nil,
        because reason: FetchReason? = nil,
        grants: [Call] = []
    ) {
        let isStored = if case .stored = kind { true } else { false }
        guard isStored || !state.subscribers.isEmpty else { return }
        let status = status ?? self.status(of: context, state, at: state.now)
        let event = TokenEvent(
            context: context,
            at: state.now,
            kind: kind,
            status: status,
            because: reason,
            grants: grants
        )
        if state.subscribers.isEmpty { state.unobserved = event }
        for subscriber in state.subscribers.values { subscriber.receive(event) }
    }

    /// Publishes the clock offset when it becomes significant and when it changes by more than 5 s.
    func publishOffset(_ offset: Duration?, _ context: AuthorizationContext, _ state: inout ProviderState) {
        guard let offset, abs(offset.seconds - state.publishedOffset) > 5 else { return }
        state.publishedOffset = offset.seconds
        state.counters.clockDisagreements += 1
        publish(.clockDisagreement(offset), context, &state)
    }
}

/// The unread events of one reader of ``TokenProvider/events()``; bounded per key, see ``Backlog``.
private final class TokenEventQueue: Sendable {
    private struct State {
        var unread = BacklogTable<AuthorizationContext, TokenEvent>()
        /// Events that were removed from the backlogs but not yet read, in reverse order.
        var ready: [TokenEvent] = []
    }

    private let state = Locked(State())

    func post(_ event: TokenEvent) {
        state.withLock { $0.unread.add(event, of: event.context, event.kind.backlogKind) }
    }

    func next() -> TokenEvent? {
        state.withLock { state in
            if state.ready.isEmpty {
                state.ready = state.unread.dequeueAll().flatMap { TokenEvent.withOmission($0.entry) }.reversed()
            }
            return state.ready.popLast()
        }
    }
}

extension TokenEvent {
    /// Returns an unread event, preceded by the omission if events were dropped.
    fileprivate static func withOmission(_ entry: Backlog<TokenEvent>.Entry) -> [TokenEvent] {
        guard entry.omission.total > 0 else { return [entry.event] }
        var omitted = entry.event
        (omitted.kind, omitted.calls) = (.omitted(entry.omission), [])
        return [omitted, entry.event]
    }
}
