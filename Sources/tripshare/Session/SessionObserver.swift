import Failures
import FleetTokens
import Recording
import Runtime
import Synchronization
import TripFeed
import TripModel

/// Something that happens in a session: polled, recorded, logged, or played by a screen.
struct SessionItem: Sendable {
    /// What happens.
    enum Content: Sendable {
        /// An event of a trip.
        case feed(FeedEvent)
        /// An event of a token.
        case token(TokenEvent)
        /// A note, a caption or a fault.
        case remark(SessionRemark)
        /// A page of a search for the trips of the project, or a failed one.
        case search(SearchEvent)
        /// What a call in a log has changed for the sides of a trip.
        case step(LiveLog.Step)
        /// A call of a rider in a log, with the answer of the service if it refused it.
        case riderCall(JourneyID, refused: ServiceAnswer?)
        /// A problem of the source, such as a line that cannot be read.
        case problem(String)
    }

    /// When it happens: on the clocks of the recording or the log, of a live session when the session reads it.
    let at: Moment
    /// What happens.
    let content: Content

    /// Creates an item.
    init(_ content: Content, at moment: Moment) { (self.content, at) = (content, moment) }

    /// Creates the item of a live session.
    init(read item: FeedMailbox.Item, at moment: Moment) {
        switch item {
        case .feed(let event): self.init(.feed(event), at: moment)
        case .token(let event): self.init(.token(event), at: moment)
        case .search(let event): self.init(.search(event), at: moment)
        }
    }

    /// Creates the item of a recording or a log that is played; `nil` for a change that only the screen shows.
    init?(played item: RecordingPlayer.Item, at moment: Moment) {
        if let event = item.received {
            self.init(read: event, at: moment)
        } else if case .remark(let remark) = item {
            self.init(.remark(remark), at: moment)
        } else {
            return nil
        }
    }
}

/// Receives what happens in a session, in order.
protocol SessionObserver: Sendable {
    /// Processes an item, what it has changed, and the facts after it; does not block.
    mutating func receive(_ item: SessionItem, _ changes: [JourneyChange], _ table: JourneyTable)
}

extension JourneyTable {
    /// Records an item; returns what it has changed.
    mutating func apply(_ item: SessionItem) -> [JourneyChange] {
        switch item.content {
        case .feed(let event): apply(event, at: item.at)
        case .token(let event): apply(event)
        case .remark, .search, .step, .riderCall, .problem: []
        }
    }
}

/// Passes items to observers in one order, with the changes that they cause; in a live session, several tasks post items.
final class ObserverGroup: Sendable {
    private let observers: [any SessionObserver & AnyObject]
    private let table = Mutex(JourneyTable())

    /// Creates a group for a session without events.
    init(_ observers: [any SessionObserver & AnyObject]) { self.observers = observers }

    /// Passes an item to each.
    func receive(_ item: SessionItem) {
        guard !observers.isEmpty else { return }
        table.withLock { table in
            let changes = table.apply(item)
            observers.receive(item, changes, table)
        }
    }
}

extension SessionConfiguration {
    /// The observers that receive every item, also one that a slow screen never reads, in their order.
    ///
    /// ``SessionLoop`` has those that receive what the session reads: the notices, the output and the tracker of the end.
    var observers: [any SessionObserver & AnyObject] { [remarks] + judges }

    /// The observers of the events of trips and tokens.
    var judges: [any SessionObserver & AnyObject] {
        let all: [(any SessionObserver & AnyObject)?] = [watch, expectations, metrics, shared]
        return all.compactMap(\.self)
    }

    /// Whether an observer or the goal depends on the events of trips, so that a screen that plays them must not skip any.
    var judgesEvents: Bool { expectations != nil || metrics != nil || !notices.isEmpty || goal != .end }
}

extension [any SessionObserver & AnyObject] {
    /// Passes an item to each.
    func receive(_ item: SessionItem, _ changes: [JourneyChange], _ table: JourneyTable) {
        for var observer in self { observer.receive(item, changes, table) }
    }
}

extension RemarkLog: SessionObserver {
    func receive(_ item: SessionItem, _ changes: [JourneyChange], _ table: JourneyTable) {
        if case .remark(let remark) = item.content { add(remark) }
    }
}
