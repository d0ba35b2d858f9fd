/// The backlogs of many subjects, read as one row of events in the order in which they came.
package struct BacklogTable<Subject: Hashable & Sendable, Event: Sendable>: Sendable {
    /// An event that is taken out.
    package struct Item: Sendable {
        /// Whom it is about.
        package var subject: Subject
        /// What happened.
        package var entry: Backlog<Event>.Entry
    }

    private var backlogs: [Subject: Backlog<Event>] = [:]
    private var lastNumber = 0

    /// A table without events.
    package init() {}

    /// Whether nothing waits.
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

    /// Changes the events of a subject that wait, such as to drop what is large.
    package mutating func update(_ subject: Subject, _ change: (inout Backlog<Event>) -> Void) {
        guard backlogs[subject] != nil else { return }
        change(&backlogs[subject, default: Backlog()])
    }

    /// Takes everything out, in the order in which it came.
    package mutating func takeAll() -> [Item] {
        defer { backlogs = [:] }
        return backlogs.flatMap { subject, backlog in
            backlog.entries.map { Item(subject: subject, entry: $0) }
        }
        .sorted { $0.entry.number < $1.entry.number }
    }
}
