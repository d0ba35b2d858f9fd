/// Events about one subject that wait for one reader, in the order in which they came: bounded, and exact about what was
/// left out.
///
/// | what waits | what happens |
/// |---|---|
/// | a good outcome like the good one before it | the older one goes |
/// | a failure directly after an identical one | the older one goes |
/// | more than ``mostOutcomes`` outcomes | the oldest good one that a later one follows goes |
/// | still more | the oldest failure goes that a later one of its code follows, else the oldest one |
/// | more than ``mostNotes`` notes | the oldest two become one |
///
/// The outcome that follows counts what went, so that outcomes added = outcomes taken + outcomes that are said to be left
/// out. Progress goes with the outcome that it led to.
package struct Backlog<Event: Sendable>: Sendable {
    /// What an event means for those before it.
    package enum Kind: Sendable, Equatable {
        /// It leads to the next outcome of its channel; only the last one before it is kept.
        case progress
        /// A good outcome; two of the same key differ in nothing that a reader has to know.
        case success(key: String)
        /// A failure; two of the same key are identical.
        case failure(code: String, key: String)
        /// Something that was noticed; of more than ``mostNotes`` the oldest two become one.
        case note
        /// The end of something.
        case end
    }

    /// One event that waits.
    package struct Entry: Sendable {
        /// The event.
        package var event: Event
        /// What it means.
        package var kind: Kind
        /// Outcomes of different channels are independent: polls and tokens of one trip.
        package var channel: Int
        /// Where it belongs among the events of all subjects.
        package var number: Int
        /// The outcomes of its channel that were left out before it.
        package var omission = EventOmission()

        fileprivate var isSuccess: Bool { if case .success = kind { true } else { false } }
        fileprivate var isOutcome: Bool { isSuccess || code != nil }
        fileprivate var code: String? { if case .failure(let code, _) = kind { code } else { nil } }
    }

    /// The outcomes that wait at most.
    package static var mostOutcomes: Int { 32 }
    /// The notes that wait at most, and so the ends.
    package static var mostNotes: Int { 8 }

    /// What waits, oldest first.
    package private(set) var entries: [Entry] = []

    /// A backlog without events.
    package init() {}

    /// Adds an event.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - kind: What it means for the events before it.
    ///   - channel: Which outcomes it belongs to.
    ///   - number: Where it belongs among the events of all subjects.
    ///   - combine: Adds to a later event what an earlier one that is left out has to say.
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
        // Good outcomes of tokens come between good polls; between failures the order of both says which caused which.
        let last = entries.lastIndex { $0.isOutcome && (!isSuccess || $0.channel == channel) }
        if let last, entries[last].channel == channel, entries[last].kind == kind {
            combine(entries[last].event, &entry.event)
            entry.omission.add(leaveOut(last))
        }
        entries.append(entry)
        if entries.count(where: \.isOutcome) > Self.mostOutcomes { makeRoom(combine) }
        for kind in [Kind.note, .end] { shorten(kind, combine) }
    }

    /// Changes the events that wait, such as to drop what is large.
    package mutating func update(_ change: (inout Event) -> Void) {
        for index in entries.indices { change(&entries[index].event) }
    }

    /// Drops the progress that leads to no outcome any more: a newer one takes its place.
    private mutating func dropProgress(of channel: Int) {
        while let last = entries.lastIndex(where: { $0.channel == channel }), entries[last].kind == .progress {
            entries.remove(at: last)
        }
    }

    /// Makes one of the oldest two notes, or drops the older of the oldest two ends, where too many wait.
    private mutating func shorten(_ kind: Kind, _ combine: (Event, inout Event) -> Void) {
        let places = entries.indices.filter { entries[$0].kind == kind }
        guard places.count > Self.mostNotes else { return }
        combine(entries[places[0]].event, &entries[places[1]].event)
        entries.remove(at: places[0])
    }

    /// Takes an outcome out, with what led to it; what is left out by that.
    private mutating func leaveOut(_ index: Int) -> EventOmission {
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

    /// Leaves out one outcome; the next one of its channel counts it.
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
        // There are fewer channels than outcomes that may wait, so that one of them has two.
        guard let victim = good ?? repeated ?? oldest, let heir = next(after: victim, \.isOutcome) else { return }
        if entries[victim].isSuccess, let later = next(after: victim, \.isSuccess) {
            combine(entries[victim].event, &entries[later].event)
        }
        let (number, channel) = (entries[heir].number, entries[heir].channel)
        let omission = leaveOut(victim)
        // What was taken out has moved the rest.
        let place = entries.firstIndex { $0.number == number && $0.channel == channel }
        if let place { entries[place].omission.add(omission) }
    }
}
