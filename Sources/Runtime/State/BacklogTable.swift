/// The backlogs of many subjects, read as one sequence in order of arrival.
package struct BacklogTable<Subject: Hashable & Sendable, Event: Sendable>: Sendable {
    /// An event that was removed from the table.
    package struct Item: Sendable {
        /// The subject of the event.
        package var subject: Subject
        /// The event with its metadata.
        package var entry: Backlog<Event>.Entry
    }

    private var backlogs: [Subject: Backlog<Event>] = [:]
    /// The number of events added so far.
    package private(set) var lastNumber = 0

    /// Creates an empty table.
    package init() {}

    /// Whether there are no unread events.
    package var isEmpty: Bool { backlogs.isEmpty }

    /// Adds an event, see ``Backlog/add(_:_:channel:number:combine:)``.
    package mutating func add(
        _ event: Event,
        of subject: Subject,
        _ kind: Backlog<Event>.Kind,
        channel: Int = 0,
        combine: (_ earlier: Event, _ later: inout Event) -> Void = { _, _ in }
    ) {
        lastNumber += 1
        backlogs[subject, default: Backlog()].add(
            event,
            kind,
            channel: channel,
            number: lastNumber,
            combine: combine
        )
    }

    /// Changes the unread events of a subject, for example to drop large parts.
    package mutating func update(_ subject: Subject, _ change: (inout Backlog<Event>) -> Void) {
        guard backlogs[subject] != nil else { return }
        change(&backlogs[subject, default: Backlog()])
    }

    /// Removes and returns all events in order of arrival.
    package mutating func dequeueAll() -> [Item] {
        defer { backlogs = [:] }
        return backlogs.flatMap { subject, backlog in
            backlog.entries.map { Item(subject: subject, entry: $0) }
        }
        .sorted { $0.entry.number < $1.entry.number }
    }
}
