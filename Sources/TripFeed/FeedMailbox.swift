import Synchronization
package import TripModel

/// News on the way to one subscriber: every change, the newest state where it is slow, and never an older one after a newer.
///
/// A prompt subscriber gets every event as it comes. For one that is slow, what it has not read of a trip shrinks to the
/// trip's last poll (with all that changed since the one it read), the findings, and the end; so memory is bounded by the
/// number of trips, whatever the subscriber does. Trips that have waited longest come first.
package final class FeedMailbox: Sendable {
    private struct State {
        /// The trips with news, in the order in which their oldest unread news came.
        var order: [TripID] = []
        var unread: [TripID: [FeedEvent]] = [:]
    }

    private let state = Locked(State())
    private let hasNews: @Sendable () -> Void

    /// The most unread findings of a trip that are kept.
    static let mostFindings = 100

    /// An empty mailbox.
    ///
    /// `hasNews` is called when there is something to read after there was nothing; it must not block.
    package init(hasNews: @escaping @Sendable () -> Void) {
        self.hasNews = hasNews
    }

    /// Puts news in; never waits.
    package func post(_ event: FeedEvent) {
        let isFirst = state.withLock { state in
            let wasEmpty = state.order.isEmpty
            let trip = event.trip
            if state.unread[trip] == nil { state.order.append(trip) }
            state.unread[trip, default: []].add(event)
            return wasEmpty
        }
        if isFirst { hasNews() }
    }

    /// Takes everything out.
    package func take() -> [FeedEvent] {
        let (order, unread) = state.withLock { state in
            defer { state = State() }
            return (state.order, state.unread)
        }
        return order.flatMap { unread[$0] ?? [] }
    }
}

extension [FeedEvent] {
    /// Adds news of the same trip, which may make what is unread of it superfluous.
    fileprivate mutating func add(_ event: FeedEvent) {
        switch event {
        case .polling, .scheduled:
            removeAll { $0.isPolling || $0.isSchedule }
            append(event)
        case .polled(let report, var state, let schedule):
            if case .polled(_, let unread, _)? = first(where: \.isPolled) { state.addChanges(of: unread) }
            removeAll { $0.isPolled || $0.isPolling || $0.isSchedule }
            append(.polled(report, state, schedule))
        case .found(let trip, let findings):
            var all = findings
            if let index = firstIndex(where: \.isFound), case .found(_, let unread) = self[index] {
                all = unread + findings
                remove(at: index)
            }
            append(.found(trip, all.suffix(FeedMailbox.mostFindings)))
        case .ended: append(event)
        }
    }
}

extension FeedEvent {
    /// The trip that it is about.
    package var trip: TripID {
        switch self {
        case .polling(let trip, _), .found(let trip, _), .scheduled(let trip, _), .ended(let trip, _): trip
        case .polled(let report, _, _): report.trip
        }
    }

    fileprivate var isPolling: Bool {
        if case .polling = self { true } else { false }
    }

    fileprivate var isSchedule: Bool {
        if case .scheduled = self { true } else { false }
    }

    fileprivate var isPolled: Bool {
        if case .polled = self { true } else { false }
    }

    fileprivate var isFound: Bool {
        if case .found = self { true } else { false }
    }
}
