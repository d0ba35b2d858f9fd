import FleetWire
import Foundation
import Runtime
import Synchronization
import TripModel

/// The clock of the process: real time at a configurable speed.
///
/// This is the only type that reads the real time. Two processes with the same anchor compute the same wall time, because both
/// derive it from the machine's clock. The owner of an emulator's clock can pause it, change its speed and step it forward.
/// Both times are whole microseconds, as in messages and recordings: otherwise a time that was sent and received would differ
/// from the clock's, and a replay from the session.
final class ScaledClock: TripClock {
    /// A pair of a real time and the corresponding virtual time.
    struct Anchor: Sendable, Equatable {
        /// The machine's time.
        var real: Date
        /// The virtual time at that moment.
        var virtual: Date
        /// Virtual seconds per real second, unless paused.
        var speed: Double
        /// Whether the clock is paused.
        var isPaused = false

        /// Virtual seconds per real second now; 0 while paused.
        var rate: Double { isPaused ? 0 : speed }
    }

    private typealias Sleeper = CheckedContinuation<Void, any Error>

    private struct State {
        var anchor: Anchor
        /// The same moment on the monotonic clock.
        var instant: ContinuousClock.Instant
        /// The steady virtual time at that moment.
        var steady: Duration
        /// The number of changes.
        var changes = 0
        /// The tasks that wait for a change.
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var sleepers = SleepQueue<Sleeper>()
        /// When the timers end that wake the sleepers.
        var timers: [Int: ContinuousClock.Instant] = [:]
        var lastNumber = 0

        /// Returns a new number for a sleeper, a timer or a task that waits for a change.
        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    /// The accepted speeds.
    static let speeds = 0.1...600.0

    private let state: Mutex<State>
    private let start = ContinuousClock.now

    /// Creates a clock from an anchor and the steady time at that moment.
    init(anchor: Anchor, steady: Duration = .zero) {
        state = Mutex(State(anchor: anchor, instant: ContinuousClock.now, steady: steady))
    }

    /// Creates a clock that starts at the machine's time, or at another time, and runs at a speed.
    convenience init(speed: Double, begins: Date? = nil) {
        let now = Date()
        self.init(anchor: Anchor(real: now, virtual: begins ?? now, speed: speed))
    }

    /// The current anchor.
    var anchor: Anchor { state.withLock(\.anchor) }

    var speed: Double { anchor.speed }

    /// Virtual seconds per real second now; 0 while paused.
    var rate: Double { anchor.rate }

    var realTime: Duration { start.duration(to: .now) }

    func now() -> Moment { state.withLock { Self.now($0) } }

    private static func now(_ state: State) -> Moment {
        let anchor = state.anchor
        let wall = anchor.virtual.addingTimeInterval(Date().timeIntervalSince(anchor.real) * anchor.rate)
        let steady = state.steady + (ContinuousClock.now - state.instant) * anchor.rate
        return Moment(wall: wall.inWholeMicroseconds, steady: .microseconds(Int64((steady.seconds * 1e6).rounded())))
    }

    /// Sleeps in real time, regardless of changes to this clock.
    func sleep(real time: Duration) async throws { try await Task.sleep(for: time, clock: .continuous) }

    func sleep(until deadline: Duration) async throws {
        let id = state.withLock { $0.nextNumber() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { sleeper in
                let result: Result<Void, any Error>? = state.withLock { state in
                    // Check under the lock: a cancellation before this point had no sleeper to wake.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if deadline <= Self.reached(state) { return .success(()) }
                    state.sleepers.add(sleeper, id: id, until: deadline)
                    setTimer(&state)
                    return nil
                }
                if let result { sleeper.resume(with: result) }
            }
        } onCancel: {
            state.withLock { $0.sleepers.remove(id) }?.resume(throwing: CancellationError())
        }
    }

    // MARK: Timers

    /// Returns the steady time that has been reached: the exact one or, if it is later, the rounded one that the clock shows.
    private static func reached(_ state: State) -> Duration {
        max(now(state).steady, state.steady + (ContinuousClock.now - state.instant) * state.anchor.rate)
    }

    /// Starts a timer for the earliest deadline, unless one ends by then.
    ///
    /// No timer is cancelled: the runtime would retain its memory until its time, and an unneeded timer costs little.
    private func setTimer(_ state: inout State) {
        guard state.anchor.rate > 0, let deadline = state.sleepers.earliest() else { return }
        let time = state.instant + (deadline - state.steady) / state.anchor.rate
        guard state.timers.values.allSatisfy({ $0 > time }) else { return }
        let number = state.nextNumber()
        state.timers[number] = time
        Task.detached { [weak self] in
            // Nothing cancels this task.
            try? await Task.sleep(until: time, clock: .continuous)
            self?.timerEnded(number)
        }
    }

    private func timerEnded(_ number: Int) {
        let due = state.withLock { state in
            state.timers[number] = nil
            return wake(&state)
        }
        for sleeper in due { sleeper.resume() }
    }

    /// Removes and returns the sleepers that are due, and sets the next timer.
    private func wake(_ state: inout State) -> [Sleeper] {
        defer { setTimer(&state) }
        return state.sleepers.removeAll(until: Self.reached(state))
    }

    // MARK: Control

    /// The handles for the emulator's control API.
    var control: ClockControl {
        ClockControl(
            pause: { isPaused in self.change { $0.anchor.isPaused = isPaused } },
            setSpeed: { speed in
                guard Self.speeds.contains(speed) else { return false }
                self.change { $0.anchor.speed = speed }
                return true
            },
            step: { duration in
                self.change { state in
                    state.anchor.virtual += duration.seconds
                    state.steady += duration
                }
            },
            isPaused: { self.anchor.isPaused }
        )
    }

    /// Sets a paused clock to a moment, as the replay on a screen does; nothing that sleeps is woken.
    func place(at moment: Moment) {
        state.withLock { state in
            state.anchor.real = Date()
            state.anchor.virtual = moment.wall
            state.anchor.isPaused = true
            state.instant = ContinuousClock.now
            state.steady = moment.steady
        }
    }

    /// Continues from the anchor of a clock in another process.
    ///
    /// If the anchor is later, steady time advances with it. Steady time never goes back.
    func follow(_ anchor: Anchor) {
        change { state in
            let before = state.anchor.virtual
            state.anchor = anchor
            state.steady += max(.zero, .seconds(Self.now(state).wall.timeIntervalSince(before)))
        }
    }

    /// Resumes the clock if it is paused, because the emulator that could resume it has ended.
    func resume() {
        if rate == 0 { change { $0.anchor.isPaused = false } }
    }

    /// Creates a new anchor at the present moment, and wakes the sleepers that are due by it.
    private func change(_ body: (inout State) -> Void) {
        let (waiting, due) = state.withLock { state in
            let now = Self.now(state)
            state.anchor.real = Date()
            state.anchor.virtual = now.wall
            state.instant = ContinuousClock.now
            state.steady = now.steady
            body(&state)
            state.changes += 1
            defer { state.waiting = [:] }
            return (Array(state.waiting.values), wake(&state))
        }
        for continuation in waiting { continuation.resume() }
        for sleeper in due { sleeper.resume() }
    }

    /// The number of pauses, steps and speed changes.
    var changes: Int { state.withLock(\.changes) }

    /// Waits until the number of changes exceeds `changes`, or the task is cancelled.
    func change(after changes: Int) async {
        let id = state.withLock { $0.nextNumber() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    // Check under the lock: a cancellation before this point had no continuation to resume.
                    if state.changes > changes || Task.isCancelled { return true }
                    state.waiting[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
        }
    }
}
