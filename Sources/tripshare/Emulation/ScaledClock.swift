import FleetEmulator
import FleetTokens
import FleetWire
import Foundation
import Synchronization
import TripModel

/// The clock of the process: real time at a configurable speed.
///
/// This is the only type that reads the real time. Two processes with the same anchor compute the same wall time, because both
/// derive it from the machine's clock. The owner of an emulator's clock can pause it, change its speed and step it forward.
/// Both times are whole microseconds, as in messages and recordings: otherwise a time that was sent and received would differ
/// from the clock's, and a replay from the session.
final class ScaledClock: SharedTimerClock {
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
        var lastNumber = 0
    }

    /// The accepted speeds.
    static let speeds = 0.1...600.0

    private let state: Mutex<State>
    private let timer = SharedTimer()
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

    func sleep(until deadline: Duration) async throws { try await timer.sleep(until: deadline, on: self) }

    /// The exact steady time or, if it is later, the rounded one that the clock shows.
    var reached: Duration {
        state.withLock { max(Self.now($0).steady, $0.steady + (ContinuousClock.now - $0.instant) * $0.anchor.rate) }
    }

    func instant(of steady: Duration) -> ContinuousClock.Instant? {
        state.withLock { state in
            let rate = state.anchor.rate
            return rate > 0 ? state.instant + (steady - state.steady) / rate : nil
        }
    }

    // MARK: Control

    /// The handles for the emulator's control API.
    var control: EmulatorControl.Clock {
        EmulatorControl.Clock(
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
        let waiting = state.withLock { state in
            let now = Self.now(state)
            state.anchor.real = Date()
            state.anchor.virtual = now.wall
            state.instant = ContinuousClock.now
            state.steady = now.steady
            body(&state)
            state.changes += 1
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
        timer.wake(self)
    }

    /// The number of pauses, steps and speed changes.
    var changes: Int { state.withLock(\.changes) }

    /// Waits until the number of changes exceeds `changes`, or the task is cancelled.
    func change(after changes: Int) async {
        let id = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
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
