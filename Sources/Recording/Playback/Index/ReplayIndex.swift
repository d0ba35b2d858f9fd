import Failures
package import Runtime
import TripFeed
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

extension ReplayIndex {
    /// Reads the times of the calls in a log, and of the polls of its riders.
    package init(of log: RecordedLog, _ playback: LogPlayback) {
        var (playback, side) = (playback, 0)
        var entries: [Entry] = []
        var marks = ReplayMarks()
        func add(_ time: Duration, isPoll: Bool) -> Duration {
            let time = max(entries.last?.time ?? 0, Self.microseconds(time))
            entries.append(Entry(time: time, offset: 0, length: 0, isPoll: isPoll))
            return .microseconds(time)
        }
        reading: while let source = ReplayCursor.source(playback, log, side: side) {
            switch source {
            case .side(let time):
                let step = log.sides[side]
                side += 1
                let at = add(time, isPoll: false)
                guard step.isRefused, let refused = step.sides.errors[step.side], refused.count == 1 else { continue }
                marks.add(.error, at: at, refused.error.status ?? "HTTP \(refused.error.httpStatus)")
            case .poll:
                guard let step = playback.next() else { break reading }
                let at = add(step.at, isPoll: true)
                for event in step.events { Self.add(event, to: &marks, at: at) }
            }
        }
        self.init(start: Moment(wall: log.trips.start, steady: .zero), entries: entries, marks: marks.marks)
    }

    private static func add(_ event: FeedEvent, to marks: inout ReplayMarks, at time: Duration) {
        switch event {
        case .polled(let report, let state, _):
            if let failure = report.failure {
                marks.failure(failure.code.rawValue, of: report.journey.rawValue, at: time) { failure.nameInJSON }
            } else if let status = state.journey?.status {
                marks.status(status.name, of: report.journey.rawValue, at: time)
            }
        case .found(_, let findings):
            for finding in findings where finding.severity > .info { marks.add(.finding, at: time, finding.rule.id) }
        case .polling, .scheduled, .omitted, .driver, .ended: break
        }
    }
}

/// Random access to the bytes of a recording, which may be larger than the memory.
package struct RecordingBytes: Sendable {
    /// The number of bytes.
    package let count: Int
    private let load: @Sendable (Range<Int>) -> [UInt8]

    /// Uses bytes in memory.
    package init(_ bytes: [UInt8]) {
        self.init(count: bytes.count) { Array(bytes[$0]) }
    }

    /// Uses bytes that a closure reads, such as the bytes of a file.
    ///
    /// The closure gets a range within `count` and returns fewer bytes only after an error. It may be called on any thread.
    package init(count: Int, read: @escaping @Sendable (Range<Int>) -> [UInt8]) {
        self.count = count
        load = read
    }

    /// Returns the bytes of a range, as far as there are some.
    package func bytes(_ range: Range<Int>) -> [UInt8] {
        let range = range.clamped(to: 0..<count)
        return range.isEmpty ? [] : load(range)
    }
}
