package import Runtime
package import TripFeed
package import TripModel

/// The latest lines of a recording in memory.
///
/// Lines leave when they are older than ``duration``, or when all lines together exceed ``capacity``. An answer omits the parts of a
/// trip that have not changed. The newest answer with each part therefore stays, so that the rest can be understood without
/// the lines that have left.
package struct RecordingRing: Sendable {
    /// A part of a trip that later answers may omit.
    package struct Part: Sendable, Hashable {
        /// The journey.
        package var journey: JourneyID
        /// The part.
        package var part: GuardedPart

        package init(_ journey: JourneyID, _ part: GuardedPart) {
            (self.journey, self.part) = (journey, part)
        }
    }

    private struct Entry: Sendable {
        var number: Int
        var line: [UInt8]
        /// The real time.
        var at: Duration
        /// The session's time.
        var moment: Moment
        var parts: [Part]
    }

    /// How long lines are stored, in real time.
    package static let duration = Duration.seconds(15 * 60)
    /// The maximum number of bytes of all lines.
    package static let capacity = 8 << 20

    private let capacity: Int
    /// The maximum number of bytes of the answers that stay longer.
    private let retainedCapacity: Int
    private var entries: [Entry] = []
    /// The index of the first entry that has not left; entries before it are empty.
    private var first = 0
    /// The answers that have left but contain the newest version of a part, oldest first.
    private var retained: [Entry] = []
    private var newest: [Part: Int] = [:]
    private var count = 0
    /// The number of bytes of all lines.
    package private(set) var size = 0
    private var retainedSize = 0

    /// Creates an empty ring.
    package init(capacity: Int = RecordingRing.capacity) {
        self.capacity = capacity
        retainedCapacity = capacity / 4
    }

    /// Adds a line.
    ///
    /// - Parameters:
    ///   - line: The line with its line feed.
    ///   - time: The real time; never earlier than the time of the previous line.
    ///   - moment: The session's time.
    ///   - parts: The parts that the line contains in full.
    package mutating func add(_ line: [UInt8], at time: Duration, _ moment: Moment, parts: [Part] = []) {
        count += 1
        entries.append(Entry(number: count, line: line, at: time, moment: moment, parts: parts))
        size += line.count
        for part in parts { newest[part] = count }
        if !parts.isEmpty, !retained.isEmpty { dropReplaced() }
        while first < entries.count, entries[first].at < time - Self.duration || size > capacity { removeFirst() }
        if first > 1024, first > entries.count / 2 {
            entries.removeFirst(first)
            first = 0
        }
    }

    /// Whether a line has left.
    package private(set) var isPartial = false

    /// The lines in order, without a header.
    package var lines: [[UInt8]] { retained.map(\.line) + entries[first...].map(\.line) }

    /// The session's time of the first line that is not stored only for its parts; `nil` without such a line.
    package var start: Moment? { first < entries.count ? entries[first].moment : nil }

    private mutating func removeFirst() {
        let entry = entries[first]
        isPartial = true
        entries[first].line = []
        entries[first].parts = []
        first += 1
        if isNeeded(entry) {
            retained.append(entry)
            retainedSize += entry.line.count
        } else {
            forget(entry)
        }
        while retainedSize > retainedCapacity, !retained.isEmpty {
            let oldest = retained.removeFirst()
            retainedSize -= oldest.line.count
            forget(oldest)
        }
    }

    private func isNeeded(_ entry: Entry) -> Bool { entry.parts.contains { newest[$0] == entry.number } }

    private mutating func dropReplaced() {
        let needed = retained.filter(isNeeded)
        let dropped = retainedSize - needed.reduce(0) { $0 + $1.line.count }
        retained = needed
        retainedSize -= dropped
        size -= dropped
    }

    private mutating func forget(_ entry: Entry) {
        size -= entry.line.count
        for part in entry.parts where newest[part] == entry.number { newest[part] = nil }
    }
}
