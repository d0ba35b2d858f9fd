package import Runtime
import TripModel

/// The times of all events of a recording or a log, and the marks on its time line; built once, before the first event is played.
package struct ReplayIndex: Sendable {
    /// An event that can be played.
    package struct Entry: Sendable {
        /// The time since the start in microseconds; never decreases.
        var time: Int64
        /// The offset of the line in the recording; 0 in a log.
        var offset: Int
        /// The length of the line in bytes without the line feed.
        var length: Int32
        /// Whether it is a completed poll.
        var isPoll: Bool
    }

    /// The moment at the beginning.
    package let start: Moment
    /// The duration from the start to the last event.
    package let length: Duration
    /// The marks in order of time.
    package let marks: [ReplayMark]
    /// The number of lines that are not events of a known type.
    package let skipped: Int
    let entries: [Entry]

    /// Creates an index; the entries and marks are in order of time.
    init(start: Moment, entries: [Entry], marks: [ReplayMark], end: Duration = .zero, skipped: Int = 0) {
        self.start = start
        self.entries = entries
        self.marks = marks
        self.skipped = skipped
        length = max(end, entries.last.map { .microseconds($0.time) } ?? .zero)
    }

    /// The number of events.
    package var count: Int { entries.count }

    /// The number of events from one keyframe to the next: a seek plays at most this many of them.
    ///
    /// It depends on the recording only, so that a seek and playing to the same time take the same way.
    package var stride: Int { max(64, (count + Self.mostFrames - 1) / Self.mostFrames) }

    private static let mostFrames = 600

    /// Returns the time of an event since the start.
    package func time(of number: Int) -> Duration { .microseconds(entries[number].time) }

    /// Returns the number of events until a time, including those at this time.
    package func count(until time: Duration) -> Int {
        let limit = Self.microseconds(time)
        return entries.partition { $0.time <= limit }
    }

    /// Returns the range of an event's line in the recording.
    func line(_ number: Int) -> Range<Int> {
        let entry = entries[number]
        return entry.offset..<(entry.offset + Int(entry.length))
    }

    static func microseconds(_ time: Duration) -> Int64 {
        let (seconds, attoseconds) = time.components
        return seconds.multipliedReportingOverflow(by: 1_000_000).partialValue + attoseconds / 1_000_000_000_000
    }

    // MARK: Neighbors

    /// Returns the time of the first event after a time; of the first poll if only polls count.
    package func event(after time: Duration, pollsOnly: Bool) -> Duration? {
        var number = count(until: time)
        while number < entries.count {
            if !pollsOnly || entries[number].isPoll { return self.time(of: number) }
            number += 1
        }
        return nil
    }

    /// Returns the time of the last event before a time; of the last poll if only polls count.
    package func event(before time: Duration, pollsOnly: Bool) -> Duration? {
        let limit = Self.microseconds(time)
        var number = entries.partition { $0.time < limit } - 1
        while number >= 0 {
            if !pollsOnly || entries[number].isPoll { return self.time(of: number) }
            number -= 1
        }
        return nil
    }

    /// Returns the first mark after a time.
    package func mark(after time: Duration) -> ReplayMark? {
        let number = marks.partition { $0.at <= time }
        return number < marks.count ? marks[number] : nil
    }

    /// Returns the last mark before a time.
    package func mark(before time: Duration) -> ReplayMark? {
        let number = marks.partition { $0.at < time }
        return number > 0 ? marks[number - 1] : nil
    }
}

extension Array {
    /// Returns the number of leading elements that satisfy a condition, which the others do not.
    fileprivate func partition(_ isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
