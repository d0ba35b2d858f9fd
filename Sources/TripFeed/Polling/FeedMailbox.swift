import Failures
package import FleetTokens
import Runtime
import Synchronization
package import TripModel

/// A queue of feed, token and search events for one subscriber, in order of arrival.
///
/// A fast subscriber receives every event. For a slow one, memory is bounded by the number of trips (see ``Backlog``): repeated
/// successful polls are dropped first, and their number is reported. Only the newest polls and pages of searches retain the bodies of
/// their answers.
package final class FeedMailbox: Sendable {
    /// One event.
    package enum Item: Sendable {
        /// An event of a trip.
        case feed(FeedEvent)
        /// An event of a token.
        case token(TokenEvent)
        /// A page of a search for the trips of a project, or a failed one.
        case search(SearchEvent)
    }

    /// What events are about.
    fileprivate enum Subject: Hashable, Sendable {
        /// A trip, or a key of tokens.
        case context(AuthorizationContext)
        /// The trips of the project.
        case project
    }

    private let waiting = Locked(BacklogTable<Subject, Item>())
    private let hasMail: @Sendable () -> Void
    private let posted: @Sendable (Item) -> Void

    /// The maximum number of unread findings per trip.
    static let mostFindings = 100
    /// The number of unread polls per trip, and of pages, that retain their bodies.
    static let mostBodies = 2

    /// Creates an empty mailbox.
    ///
    /// - Parameters:
    ///   - posted: Called with each event, also with those that the reader never gets because it is slow; it must not block or use
    ///     the mailbox.
    ///   - hasMail: Called when the mailbox becomes non-empty; it must not block.
    package init(
        posted: @escaping @Sendable (Item) -> Void = { _ in },
        hasMail: @escaping @Sendable () -> Void
    ) {
        (self.posted, self.hasMail) = (posted, hasMail)
    }

    /// Adds a feed event without waiting.
    package func post(_ event: FeedEvent) { post(.feed(event)) }

    /// Adds a token event without waiting.
    package func post(_ event: TokenEvent) { post(.token(event)) }

    /// Adds an event of a search without waiting.
    package func post(_ event: SearchEvent) { post(.search(event)) }

    /// Adds an event without waiting.
    package func post(_ item: Item) {
        let place = item.place
        let isFirst = waiting.withLock { waiting in
            // The reader gets the event together with what `posted` made of it, and both in the same order.
            posted(item)
            let wasEmpty = waiting.isEmpty
            waiting.add(item, of: place.subject, place.kind, channel: place.channel) { $1.add($0) }
            waiting.update(place.subject) { $0.dropBodies(but: Self.mostBodies) }
            return wasEmpty
        }
        if isFirst { hasMail() }
    }

    /// Removes and returns all events.
    package func dequeueAll() -> [Item] { dequeueBatch {}.items }

    /// Removes all events; returns them with the number of events posted so far, and what a closure returns.
    ///
    /// The closure reads what `posted` made of these events and the earlier ones: no later event is posted before it returns. It must not
    /// block or use the mailbox.
    package func dequeueBatch<Made>(reading made: () -> Made) -> (items: [Item], posted: Int, made: Made) {
        let (entries, posted, made) = waiting.withLock { ($0.dequeueAll(), $0.lastNumber, made()) }
        return (entries.flatMap(Self.items), posted, made)
    }

    /// Returns the event of an entry, after what was omitted before it.
    private static func items(of item: BacklogTable<Subject, Item>.Item) -> [Item] {
        let entry = item.entry
        guard entry.omission.total > 0 else { return [entry.event] }
        switch entry.event {
        case .token(var event):
            (event.kind, event.calls) = (.omitted(entry.omission), [])
            return [.token(event), entry.event]
        // A list of calls may have gaps; only polls are counted.
        case .feed(.driver), .search: return [entry.event]
        case .feed(let event): return [.feed(.omitted(event.journey, entry.omission)), entry.event]
        }
    }
}

extension Backlog<FeedMailbox.Item> {
    /// Drops the bodies of all answers except the newest ones.
    fileprivate mutating func dropBodies(but count: Int) {
        var surplus = entries.count { $0.event.hasBody } - count
        guard surplus > 0 else { return }
        update { item in
            guard surplus > 0, item.hasBody else { return }
            surplus -= 1
            item.dropBody()
        }
    }
}

extension FeedMailbox.Item {
    /// Where the event waits: what it is about, how it relates to unread events before it, and its channel.
    fileprivate var place: (subject: FeedMailbox.Subject, kind: Backlog<Self>.Kind, channel: Int) {
        switch self {
        case .feed(let event): return (.context(.journey(event.journey)), event.backlogKind, event.isOfDriver ? 2 : 0)
        case .token(let event):
            let kind: Backlog<Self>.Kind =
                switch event.kind.backlogKind {
                case .progress: .progress
                case .success(let key): .success(key: key)
                case .failure(let code, let key): .failure(code: code, key: key)
                case .note: .note
                case .end: .end
                }
            return (.context(event.context), kind, 1)
        case .search(let event):
            // Each call is an entry of the list of calls.
            let key = "\(event.finished.steady)"
            return (.project, event.failure.map { .failure(code: $0.nameInJSON, key: key) } ?? .success(key: key), 0)
        }
    }

    fileprivate var hasBody: Bool {
        switch self {
        case .feed(.polled(let report, _, _)): report.answer?.body != nil
        case .search(let search): search.call?.answer?.body != nil
        case .feed, .token: false
        }
    }

    fileprivate mutating func dropBody() {
        switch self {
        case .feed(.polled(var report, let state, let schedule)):
            report.call?.answer?.body = nil
            self = .feed(.polled(report, state, schedule))
        case .search(var search):
            search.call?.answer?.body = nil
            self = .search(search)
        case .feed, .token: break
        }
    }

    /// Adds the content of an earlier event that is dropped.
    fileprivate mutating func add(_ earlier: FeedMailbox.Item) {
        switch (earlier, self) {
        case (.feed(.polled(_, let known, _)), .feed(.polled(let report, var state, let schedule))):
            state.addChanges(of: known)
            self = .feed(.polled(report, state, schedule))
        case (.feed(.found(_, let known)), .feed(.found(let trip, let findings))):
            self = .feed(.found(trip, (known + findings).suffix(FeedMailbox.mostFindings)))
        default: break
        }
    }
}

extension FeedEvent {
    /// The journey of the event.
    package var journey: JourneyID {
        switch self {
        case .polling(let trip, _), .found(let trip, _), .omitted(let trip, _), .scheduled(let trip, _),
            .ended(let trip, _), .driver(let trip, _):
            trip
        case .polled(let report, _, _): report.journey
        }
    }

    fileprivate var isOfDriver: Bool { if case .driver = self { true } else { false } }

    /// How the event relates to unread events before it.
    fileprivate var backlogKind: Backlog<FeedMailbox.Item>.Kind {
        switch self {
        case .polling, .scheduled: .progress
        case .polled(let report, let state, _):
            if let failure = report.failure {
                .failure(code: failure.nameInJSON, key: failure.identity)
            } else {
                // Each new status remains a separate event.
                .success(key: state.journey?.status.name ?? "")
            }
        // Each call is an entry of the list of calls.
        case .driver(_, let call): .success(key: "\(call.ended.steady)")
        case .found, .omitted: .note
        case .ended: .end
        }
    }
}

extension Failure {
    /// A key that is equal for failures that differ only in their time.
    fileprivate var identity: String { "\(nameInJSON) \(detail?.prefix(200) ?? "") \(history.refusal?.identity ?? "")" }
}
