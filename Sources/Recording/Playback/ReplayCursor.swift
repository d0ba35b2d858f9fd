import Foundation
package import Runtime
import TripFeed
import TripModel

/// A place in a recording or a log, from which it can be played on; a copy of the cursor retains the place.
package struct ReplayCursor: Sendable {
    /// The events of one moment.
    package struct Step: Sendable {
        /// The moment on the clocks of the recording.
        package var moment: Moment
        /// The events in order; empty if the line cannot be read.
        package var items: [RecordingPlayer.Item]
    }

    /// The next event of a log.
    enum LogSource {
        case side(Duration)
        case poll(Duration)
    }

    /// Where the events come from.
    private enum Content: Sendable {
        case recording(RecordingBytes)
        case log(RecordedLog)
    }

    /// The number of events that have been played.
    package private(set) var number = 0
    /// The moment of the last played event, or the start.
    package private(set) var moment: Moment
    private let content: Content
    // These are outside of `content`, so that they change in place.
    private var player: RecordingPlayer
    private var playback: LogPlayback?
    /// The number of played calls of a log.
    private var side = 0

    /// Creates a cursor at the beginning of a recording.
    package init(_ bytes: RecordingBytes, _ player: RecordingPlayer, start: Moment) {
        content = .recording(bytes)
        self.player = player
        moment = start
    }

    /// Creates a cursor at the beginning of a log.
    package init(_ log: RecordedLog, _ playback: LogPlayback) {
        content = .log(log)
        player = RecordingPlayer(provider: log.trips.provider)
        self.playback = playback
        moment = Moment(wall: log.trips.start, steady: .zero)
    }

    /// Returns the approximate number of bytes besides those that it shares with another cursor and with the played events.
    package func unsharedBytes(with other: ReplayCursor?) -> Int {
        player.unsharedBytes(with: other?.player) + (playback?.unsharedBytes(with: other?.playback) ?? 0)
    }

    /// Plays the next event; `nil` at the end.
    package mutating func next(in index: ReplayIndex) -> Step? {
        guard number < index.count else { return nil }
        defer { number += 1 }
        switch content {
        case .recording(let bytes): return line(of: bytes, in: index)
        case .log(let log): return next(of: log, in: index)
        }
    }

    private mutating func line(of bytes: RecordingBytes, in index: ReplayIndex) -> Step {
        // A line that this program cannot read is left out, as when it is played forward.
        guard let event = try? RecordingLine.event(bytes.bytes(index.line(number))) else {
            return Step(moment: moment, items: [])
        }
        // The times of the index never decrease.
        let steady = index.start.steady + index.time(of: number)
        moment = Moment(wall: event.time.addingTimeInterval((steady - event.at).seconds), steady: steady)
        return Step(moment: moment, items: player.item(of: event).map { [$0] } ?? [])
    }

    private mutating func next(of log: RecordedLog, in index: ReplayIndex) -> Step {
        moment = index.start.advanced(by: index.time(of: number))
        if let playback, case .side? = Self.source(playback, log, side: side) {
            side += 1
            return Step(moment: moment, items: [.side(log.sides[side - 1])])
        }
        return Step(moment: moment, items: (playback?.next()?.events ?? []).map(RecordingPlayer.Item.feed))
    }

    /// Returns which event of a log comes next; `nil` at the end.
    ///
    /// A call comes before a poll at the same time.
    static func source(_ playback: LogPlayback, _ log: RecordedLog, side: Int) -> LogSource? {
        let call = log.sides.indices.contains(side) ? log.time(of: log.sides[side]) : nil
        guard let poll = playback.nextTime else { return call.map(LogSource.side) }
        guard let call, call <= poll else { return .poll(poll) }
        return .side(call)
    }
}

/// What a user can do with a replay.
package enum ReplayAction: Sendable, Equatable {
    /// A place to which a replay can move.
    package enum Place: Sendable, Equatable {
        /// This time since the start.
        case time(Duration)
        /// This duration later, or earlier if it is negative.
        case offset(Duration)
        /// The next or the previous completed poll.
        case poll(forward: Bool)
        /// The next or the previous event of any kind.
        case event(forward: Bool)
        /// The next or the previous mark.
        case mark(forward: Bool)
        /// The beginning.
        case start
        /// The end.
        case end
    }

    /// Pauses, resumes, or begins again at the end.
    case togglePause
    /// The next higher or lower speed.
    case changeSpeed(faster: Bool)
    /// Recorded seconds per real second.
    case setSpeed(Double)
    /// Plays from the beginning again at the end, or stops there.
    case toggleLoop
    /// Moves to a place.
    case seek(Place)

    /// Parses a place: `12:30`, `1:02:03`, `90` (seconds), `+60`, `-1:30`, `start` or `end`.
    package static func seek(_ text: String) -> ReplayAction? {
        switch text.lowercased() {
        case "start": return .seek(.start)
        case "end": return .seek(.end)
        default: break
        }
        let sign = text.first == "+" || text.first == "-" || text.first == "−" ? text.first : nil
        guard let time = duration(sign == nil ? Substring(text) : text.dropFirst()) else { return nil }
        guard let sign else { return .seek(.time(time)) }
        return .seek(.offset(sign == "+" ? time : .zero - time))
    }

    /// Parses `h:mm:ss`, `mm:ss` or seconds, which may have decimals.
    package static func duration(_ text: some StringProtocol) -> Duration? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else { return nil }
        var seconds = 0.0
        for (index, part) in parts.enumerated() {
            let isValid = part.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
            guard isValid, let number = Double(decimal: part), number < (index == 0 ? 1e8 : 60) else { return nil }
            seconds = seconds * 60 + number
        }
        return Duration(clampedSeconds: seconds)
    }
}
