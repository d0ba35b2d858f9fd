import Runtime
import TripModel

/// The position of a replay as a function of real time; without side effects.
package struct ReplayClock: Sendable, Equatable {
    /// The accepted speeds in recorded seconds per real second.
    package static let speeds = 0.1...600.0
    /// The speeds that keys select.
    package static let steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 600]

    /// The duration of the recording.
    package let length: Duration
    /// Recorded seconds per real second, unless paused.
    package private(set) var speed: Double
    /// Whether the position stays.
    package private(set) var isPaused = false
    /// Whether it begins again at the end.
    package private(set) var isLooping: Bool
    /// A position and the real time at which it was valid.
    private var anchor: (position: Duration, real: Duration)

    /// Creates a clock that runs from a position.
    ///
    /// - Parameters:
    ///   - length: The duration of the recording.
    ///   - speed: Recorded seconds per real second.
    ///   - isLooping: Whether it begins again at the end.
    ///   - position: The first position.
    ///   - real: The real time.
    package init(length: Duration, speed: Double, isLooping: Bool, position: Duration, at real: Duration) {
        self.length = length
        self.speed = min(max(speed, Self.speeds.lowerBound), Self.speeds.upperBound)
        self.isLooping = isLooping
        anchor = (min(max(position, .zero), length), real)
    }

    package static func == (one: ReplayClock, other: ReplayClock) -> Bool {
        (one.length, one.speed, one.isPaused, one.isLooping) == (
            other.length, other.speed, other.isPaused, other.isLooping
        )
            && one.anchor == other.anchor
    }

    /// Returns the position at a real time: at most ``length``.
    package func position(at real: Duration) -> Duration {
        guard !isPaused else { return anchor.position }
        let position = anchor.position + max(.zero, real - anchor.real) * speed
        guard position > length else { return position }
        guard isLooping, length > .zero else { return length }
        // Show the end for a second before it begins again.
        let lap = length.seconds + speed
        let place = position.seconds.truncatingRemainder(dividingBy: lap)
        return .seconds(min(place, length.seconds))
    }

    /// Returns whether it has stopped at the end.
    package func hasEnded(at real: Duration) -> Bool { !isLooping && position(at: real) >= length }

    /// Recorded seconds per real second now; 0 while it is paused and at the end.
    package func rate(at real: Duration) -> Double { isPaused || hasEnded(at: real) ? 0 : speed }

    /// Moves to a position; it runs on from there unless it is paused.
    package mutating func move(to position: Duration, at real: Duration) {
        anchor = (min(max(position, .zero), length), real)
    }

    /// Pauses at the current position, or resumes.
    package mutating func pause(_ isPaused: Bool, at real: Duration) {
        move(to: position(at: real), at: real)
        self.isPaused = isPaused
    }

    /// Performs a command.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - index: The events of the recording.
    ///   - real: The real time.
    /// - Returns: The mark to which it has moved, if any.
    @discardableResult
    package mutating func perform(_ command: ReplayAction, in index: ReplayIndex, at real: Duration) -> ReplayMark? {
        let position = position(at: real)
        switch command {
        case .togglePause:
            if hasEnded(at: real) {
                move(to: .zero, at: real)
                isPaused = false
            } else {
                pause(!isPaused, at: real)
            }
        case .changeSpeed(let faster):
            let next = faster ? Self.steps.first { $0 > speed * 1.01 } : Self.steps.last { $0 < speed * 0.99 }
            if let next { set(next, at: real) }
        case .setSpeed(let speed): if Self.speeds.contains(speed) { set(speed, at: real) }
        case .toggleLoop:
            move(to: position, at: real)
            isLooping.toggle()
        case .seek(let place): return move(to: place, from: position, in: index, at: real)
        }
        return nil
    }

    private mutating func set(_ speed: Double, at real: Duration) {
        move(to: position(at: real), at: real)
        self.speed = speed
    }

    private mutating func move(
        to place: ReplayAction.Place,
        from position: Duration,
        in index: ReplayIndex,
        at real: Duration
    ) -> ReplayMark? {
        switch place {
        case .time(let time): move(to: time, at: real)
        case .offset(let offset): move(to: position + offset, at: real)
        case .start: move(to: .zero, at: real)
        case .end: move(to: length, at: real)
        case .poll(let forward), .event(let forward):
            let pollsOnly = if case .poll = place { true } else { false }
            // A step shows one moment.
            isPaused = true
            let next =
                forward
                ? index.event(after: position, pollsOnly: pollsOnly)
                : index.event(before: position, pollsOnly: pollsOnly)
            move(to: next ?? (forward ? length : .zero), at: real)
        case .mark(let forward):
            // While it runs, the last mark is just behind: the second press within a second goes on to the previous mark.
            let slack = forward || isPaused ? Duration.zero : .seconds(speed)
            let mark = forward ? index.mark(after: position) : index.mark(before: position - slack)
            move(to: mark?.at ?? (forward ? length : .zero), at: real)
            return mark
        }
        return nil
    }
}
