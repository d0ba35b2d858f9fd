import Synchronization
import TripModel

/// The queue of a provider's events for one reader of ``TokenProvider/events()``; bounded per key, see ``Backlog``.
final class TokenEventQueue: Sendable {
    private struct State {
        var waiting = BacklogTable<AuthorizationContext, TokenEvent>()
        /// Events removed from the table but not yet read, in reverse order.
        var ready: [TokenEvent] = []
        var reader: CheckedContinuation<TokenEvent?, Never>?
        var isFinished = false

        /// Returns the next event; `nil` if there is none.
        mutating func next() -> TokenEvent? {
            if ready.isEmpty { ready = waiting.takeAll().flatMap { TokenEvent.told($0.entry) }.reversed() }
            return ready.popLast()
        }
    }

    /// The stream's reference to the queue: when the reader releases it, the subscription ends.
    ///
    /// The provider references only the queue, so that this object is never released under the provider's lock.
    final class Reading: Sendable {
        let queue: TokenEventQueue
        private let leave: @Sendable () -> Void

        init(_ queue: TokenEventQueue, leave: @escaping @Sendable () -> Void) {
            self.queue = queue
            self.leave = leave
        }

        deinit { leave() }
    }

    private let state = Locked(State())

    /// Adds an event without waiting.
    func post(_ event: TokenEvent) {
        let (reader, next) = state.withLock { state in
            guard !state.isFinished else { return (CheckedContinuation<TokenEvent?, Never>?.none, TokenEvent?.none) }
            state.waiting.add(event, of: event.context, event.backlogKind)
            guard let reader = state.reader else { return (nil, nil) }
            state.reader = nil
            return (reader, state.next())
        }
        reader?.resume(returning: next)
    }

    /// Declares that no more events follow.
    func finish() {
        let reader = state.withLock { state in
            state.isFinished = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    /// Waits for the next event; `nil` at the end and after cancellation.
    func next() async -> TokenEvent? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: TokenEvent?? = state.withLock { state in
                    if let event = state.next() { return .some(event) }
                    if state.isFinished || Task.isCancelled { return .some(nil) }
                    state.reader = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            finish()
        }
    }
}

extension TokenEvent {
    /// How the event relates to unread events before it.
    package var backlogKind: Backlog<TokenEvent>.Kind {
        switch kind {
        case .fetching: .progress
        case .stored: .success(key: "stored")
        case .repeated: .success(key: "repeated")
        case .failed(let error): .failure(code: error.code, key: error.code)
        case .rejected(let status): .failure(code: "rejected_\(status)", key: "rejected_\(status)")
        case .discardedLate: .failure(code: "discarded_late", key: "discarded_late")
        case .clockDisagreement, .omitted: .note
        case .evicted, .closed: .end
        }
    }

    /// Returns an unread event, preceded by the omission if events were dropped.
    package static func told(_ entry: Backlog<TokenEvent>.Entry) -> [TokenEvent] {
        guard entry.omission.total > 0 else { return [entry.event] }
        var omitted = entry.event
        omitted.kind = .omitted(entry.omission)
        return [omitted, entry.event]
    }
}
