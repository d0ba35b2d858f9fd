package import Recording
package import Runtime
import TripFeed
import TripModel

/// Shows a recording or a log on a screen at the position of its clock.
///
/// The screen at a position is a function of the recording and of the user's choices: playing to it and jumping to it show the
/// same.
package struct ReplayDriver: Sendable {
    /// The keyframes.
    package let frames: ReplayFrames
    /// The position and the speed.
    package private(set) var clock: ReplayClock
    /// The time of the recording that the screen shows.
    package private(set) var moment: Moment
    private var cursor: ReplayCursor
    private let marks: TimeLineMarks
    /// Whether events must not be skipped, because expectations are judged by them.
    private let playsAll: Bool
    /// The shown position.
    private var shown = Duration.zero
    /// Whether it moves to another position, in steps if that takes long.
    private var isMoving = true
    /// The number of events that were played at least once.
    private var delivered = 0
    /// What was played for the first time.
    private var newSteps: [ReplayCursor.Step] = []

    /// A recording with at most this many events is short: it moves at once.
    private static let shortCount = 4000

    /// Creates a driver.
    ///
    /// - Parameters:
    ///   - opening: The recording.
    ///   - state: The screen before the first event.
    ///   - clock: The clock at the first position.
    ///   - playsAll: Whether events must not be skipped.
    package init(_ opening: ReplayOpening, _ state: State, clock: ReplayClock, playsAll: Bool = false) {
        frames = ReplayFrames(
            opening.index,
            first: ReplayFrames.Frame(cursor: opening.cursor, snapshot: state.snapshot)
        )
        cursor = opening.cursor
        moment = opening.index.start
        marks = TimeLineMarks(opening.index.marks)
        self.clock = clock
        self.playsAll = playsAll
    }

    private var index: ReplayIndex { frames.index }

    /// Whether the screen has not reached the position of the clock.
    package var isBehind: Bool { isMoving }

    /// Performs a command of the user; ``advance(_:at:)`` shows its effect.
    package mutating func perform(_ command: ReplayAction, on state: inout State, at real: Duration) {
        let isMove = if case .seek = command { true } else { clock.hasEnded(at: real) }
        if let mark = clock.perform(command, in: index, at: real) { state.show(mark) }
        if isMove { isMoving = true }
    }

    /// Pauses.
    package mutating func pause(at real: Duration) { clock.pause(true, at: real) }

    /// Shows the position at a real time.
    ///
    /// - Parameters:
    ///   - state: The screen.
    ///   - real: The real time.
    ///   - isLate: Whether the screen must be drawn now; the rest follows with the next call.
    /// - Returns: The effects of events that were not skipped.
    package mutating func advance(_ state: inout State, at real: Duration, isLate: () -> Bool) -> [Effect] {
        let target = clock.position(at: real)
        let goal = index.count(until: target)
        if target < shown {
            isMoving = true
            restore(frames.frame(until: goal), on: &state)
        } else if goal - cursor.number > index.stride {
            let frame = frames.frame(until: playsAll ? min(goal, delivered) : goal)
            if frame.cursor.number > cursor.number { restore(frame, on: &state) }
        }
        let effects = play(to: goal, on: &state, isLate: isLate)
        let isComplete = cursor.number >= goal
        if isComplete {
            isMoving = false
            shown = target
        } else {
            shown = cursor.moment.steady - index.start.steady
            // A machine that is too slow for the speed plays more slowly.
            if !isMoving { clock.move(to: shown, at: real) }
        }
        let passed = max(.zero, index.start.steady + shown - cursor.moment.steady)
        moment = cursor.moment.advanced(by: passed)
        return effects + state.update(.tick(moment)) + state.update(.speed(clock.rate(at: real)))
    }

    private mutating func restore(_ frame: ReplayFrames.Frame, on state: inout State) {
        cursor = frame.cursor
        shown = .zero
        state.restore(frame.snapshot)
    }

    private mutating func play(to goal: Int, on state: inout State, isLate: () -> Bool) -> [Effect] {
        var effects: [Effect] = []
        let isShort = isMoving && index.count <= Self.shortCount
        while cursor.number < goal {
            guard let step = cursor.next(in: index) else { break }
            let new = state.play(step)
            // The bell does not ring for what is skipped.
            effects += isMoving ? new.filter { if case .ring = $0 { false } else { true } } : new
            if cursor.number > delivered { deliver(step) }
            if cursor.number.isMultiple(of: index.stride) {
                state.refit()
                if frames.needsFrame(at: cursor.number) {
                    frames.add(ReplayFrames.Frame(cursor: cursor, snapshot: state.snapshot))
                }
            }
            if !isShort, isLate() { break }
        }
        return effects
    }

    private mutating func deliver(_ step: ReplayCursor.Step) {
        delivered = cursor.number
        var step = step
        step.items = step.items.filter { if case .remark = $0 { true } else { playsAll } }
        if !step.items.isEmpty { newSteps.append(step) }
    }

    /// Returns what was played for the first time since the last call: remarks, and events if none may be skipped.
    package mutating func dequeueSteps() -> [ReplayCursor.Step] {
        defer { newSteps = [] }
        return newSteps
    }

    /// Returns the time line.
    package func timeLine(_ scene: TimeLine.Scene, at real: Duration) -> TimeLine {
        var line = TimeLine(scene, clock: clock, at: real, marks: marks)
        line.progress = index.count > Self.shortCount ? frames.progress : nil
        return line
    }

    /// Whether events, not only remarks, were played for the first time.
    private var hasEvents: Bool {
        newSteps.contains { $0.items.contains { if case .remark = $0 { false } else { true } } }
    }

    /// Returns the real time until the screen next changes; `nil` if it does not change by itself.
    package func wait(at real: Duration) -> Duration? {
        guard !isMoving, !hasEvents else { return .milliseconds(1) }
        let position = clock.position(at: real)
        let rate = clock.rate(at: real)
        // The clock may have reached the end since the last screen.
        guard rate > 0 else { return position == shown ? nil : .milliseconds(1) }
        // Seconds of the recording are shown, at high speed at most four times per real second.
        let second = max(1, (rate / 4).rounded(.up))
        let seconds = position.seconds / second
        var wait = (seconds.rounded(.down) + 1.001 - seconds) * second
        if cursor.number < index.count { wait = min(wait, (index.time(of: cursor.number) - position).seconds) }
        return .seconds(max(Self.shortestWait, wait / rate))
    }

    /// The minimum time between two screens in seconds.
    private static let shortestWait = 1.0 / 30
}

/// A recording or a log that can be played from any place.
package struct ReplayOpening: Sendable {
    /// The times of the events.
    package var index: ReplayIndex
    /// The place before the first event.
    package var cursor: ReplayCursor

    /// Opens a recording.
    package init(_ bytes: RecordingBytes, _ player: RecordingPlayer, start: Moment) {
        index = ReplayIndex(of: bytes, start: start)
        cursor = ReplayCursor(bytes, player, start: start)
    }

    /// Opens a log.
    package init(_ log: RecordedLog, _ playback: LogPlayback) {
        index = ReplayIndex(of: log, playback)
        cursor = ReplayCursor(log, playback)
    }
}
