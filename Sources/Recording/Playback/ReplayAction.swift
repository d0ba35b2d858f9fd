import Runtime

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
