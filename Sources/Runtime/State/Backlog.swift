/// A bounded queue of one subject's unread events for one reader, in order of arrival.
///
/// It counts all dropped outcomes.
///
/// | unread events | action |
/// |---|---|
/// | two successes with the same key | the older one is dropped |
/// | a failure directly after an identical one | the older one is dropped |
/// | more than ``maximumOutcomes`` outcomes | the oldest success that is followed by another success is dropped |
/// | still more | the oldest failure that is followed by one with the same code is dropped, else the oldest failure |
/// | more than ``maximumNotes`` notes | the oldest two are combined |
///
/// The following outcome contains the counts, so that outcomes added = outcomes read + outcomes reported as dropped. Progress
/// events are dropped together with their outcome.
package struct Backlog<Event: Sendable>: Sendable {
    /// How an event relates to those before it.
    package enum Kind: Sendable, Equatable {
        /// Leads to the next outcome of its channel; only the latest outcome is stored.
        case progress
        /// A success; two with the same key are equivalent for a reader.
        case success(key: String)
        /// A failure; two with the same key are identical.
        case failure(code: String, key: String)
        /// A note; if there are more than ``maximumNotes``, the oldest two are combined.
        case note
        /// The end of something.
        case end
    }

    /// An unread event.
    package struct Entry: Sendable {
        /// The event.
        package var event: Event
        /// How it relates to events before it.
        package var kind: Kind
        /// The channel; outcomes of different channels (polls and tokens of one trip) are independent.
        package var channel: Int
        /// The position among the events of all subjects.
        package var number: Int
        /// The outcomes of its channel that were dropped before it.
        package var omission = EventOmission()

        fileprivate var isSuccess: Bool { if case .success = kind { true } else { false } }
        fileprivate var isOutcome: Bool { isSuccess || code != nil }
        fileprivate var code: String? { if case .failure(let code, _) = kind { code } else { nil } }
    }

    /// The maximum number of unread outcomes.
    package static var maximumOutcomes: Int { 32 }
    /// The maximum number of unread notes, and of unread ends.
    package static var maximumNotes: Int { 8 }

    /// The unread events, oldest first.
    package private(set) var entries: [Entry] = []

    /// Creates an empty backlog.
    package init() {}

    /// Adds an event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - kind: How it relates to events before it.
    ///   - channel: The channel of its outcomes.
    ///   - number: The position among the events of all subjects.
    ///   - combine: Adds the content of a dropped event to a later one.
    package mutating func add(
        _ event: Event,
        _ kind: Kind,
        channel: Int = 0,
        number: Int,
        combine: (_ earlier: Event, _ later: inout Event) -> Void = { _, _ in }
    ) {
        var entry = Entry(event: event, kind: kind, channel: channel, number: number)
        if kind == .progress { dropProgress(of: channel) }
        let isSuccess = entry.isSuccess
        // Token successes may come between poll successes. Between failures, the order across channels shows the cause.
        let last = entries.lastIndex { $0.isOutcome && (!isSuccess || $0.channel == channel) }
        if let last, entries[last].channel == channel, entries[last].kind == kind {
            combine(entries[last].event, &entry.event)
            entry.omission.add(drop(last))
        }
        entries.append(entry)
        if entries.count(where: \.isOutcome) > Self.maximumOutcomes { makeRoom(combine) }
        for kind in [Kind.note, .end] { shorten(kind, combine) }
    }

    /// Changes the unread events, for example to drop large parts.
    package mutating func update(_ change: (inout Event) -> Void) {
        for index in entries.indices { change(&entries[index].event) }
    }

    /// Drops obsolete progress events of a channel, because a newer one replaces them.
    private mutating func dropProgress(of channel: Int) {
        while let last = entries.lastIndex(where: { $0.channel == channel }), entries[last].kind == .progress {
            entries.remove(at: last)
        }
    }

    /// Combines the oldest two notes, or drops the older of the oldest two ends, if there are too many.
    private mutating func shorten(_ kind: Kind, _ combine: (Event, inout Event) -> Void) {
        let indices = entries.indices.filter { entries[$0].kind == kind }
        guard indices.count > Self.maximumNotes else { return }
        combine(entries[indices[0]].event, &entries[indices[1]].event)
        entries.remove(at: indices[0])
    }

    /// Removes an outcome and its progress events; returns what was dropped.
    private mutating func drop(_ index: Int) -> EventOmission {
        let old = entries.remove(at: index)
        var omission = EventOmission()
        if let code = old.code {
            omission.add(1, failuresOf: code)
        } else {
            omission.successes = 1
        }
        omission.add(old.omission)
        let before = entries[..<index].lastIndex { $0.channel == old.channel }
        if let before, entries[before].kind == .progress { entries.remove(at: before) }
        return omission
    }

    /// Drops one outcome; the next one of its channel counts it.
    private mutating func makeRoom(_ combine: (Event, inout Event) -> Void) {
        func next(after index: Int, _ isWanted: (Entry) -> Bool) -> Int? {
            entries.indices.dropFirst(index + 1).first {
                entries[$0].channel == entries[index].channel && isWanted(entries[$0])
            }
        }
        let good = entries.indices.first { entries[$0].isSuccess && next(after: $0, \.isSuccess) != nil }
        let repeated = entries.indices.first { index in
            entries[index].code.map { code in next(after: index) { $0.code == code } != nil } ?? false
        }
        let oldest = entries.indices.first { entries[$0].isOutcome && next(after: $0, \.isOutcome) != nil }
        // There are fewer channels than the limit of outcomes, so at least one channel has two.
        guard let victim = good ?? repeated ?? oldest, let successor = next(after: victim, \.isOutcome) else { return }
        if entries[victim].isSuccess, let later = next(after: victim, \.isSuccess) {
            combine(entries[victim].event, &entries[later].event)
        }
        let (number, channel) = (entries[successor].number, entries[successor].channel)
        let omission = drop(victim)
        // The removal has changed the indices.
        let index = entries.firstIndex { $0.number == number && $0.channel == channel }
        if let index { entries[index].omission.add(omission) }
    }
}

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

/// The number of outcomes that were dropped because a reader was slow.
public struct EventOmission: Sendable, Equatable {
    /// Dropped successes; each was followed by another success.
    public var successes: Int
    /// Dropped failures by code.
    ///
    /// One failure of each code is still delivered, unless more than ``maximumCodes`` codes are pending.
    public var failures: [String: Int]

    /// The maximum number of separate codes; further ones are counted under ``otherCode``.
    public static let maximumCodes = 32
    /// The code for failures beyond ``maximumCodes``.
    public static let otherCode = "OTHER"

    /// Creates an omission; empty by default.
    public init(successes: Int = 0, failures: [String: Int] = [:]) {
        self.successes = successes
        self.failures = failures
    }

    /// The number of all dropped outcomes.
    public var total: Int { successes + failureCount }

    /// The number of dropped failures.
    public var failureCount: Int { failures.values.reduce(0, +) }

    /// Adds failures with a code.
    package mutating func add(_ count: Int, failuresOf code: String) {
        let isKnown = failures[code] != nil || failures.count < Self.maximumCodes
        failures[isKnown ? code : Self.otherCode, default: 0] += count
    }

    /// Adds the numbers of another omission.
    mutating func add(_ other: EventOmission) {
        successes += other.successes
        for (code, count) in other.failures.sorted(by: { $0.key < $1.key }) { add(count, failuresOf: code) }
    }
}
