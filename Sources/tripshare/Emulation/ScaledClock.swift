import FleetEmulator
import Foundation
import Synchronization
import TripModel

/// The clock of a process: real time, run faster or slower.
///
/// The only place that knows the real time. Two processes with the same anchor read the same wall time, since both read it
/// off the machine's own. Whoever holds the clock of an emulator may stop it, change its speed and step forward.
final class ScaledClock: TripClock {
    /// A real time and the virtual time that belongs to it.
    struct Anchor: Sendable, Equatable {
        /// The machine's time.
        var real: Date
        /// What this clock showed then.
        var virtual: Date
        /// Virtual seconds per real second while it runs.
        var speed: Double
        /// Whether it stands.
        var isPaused = false

        /// Virtual seconds per real second now.
        var rate: Double { isPaused ? 0 : speed }
    }

    private struct State {
        var anchor: Anchor
        /// The same moment by the clock that can't be set.
        var instant: ContinuousClock.Instant
        /// What the steady side showed then.
        var steady: Duration
        /// Counts the changes.
        var changes = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter = 0
    }

    /// Speeds outside of these make nothing clearer.
    static let speeds = 0.1...600.0

    private let state: Mutex<State>

    /// A clock that goes through an anchor.
    init(anchor: Anchor) {
        state = Mutex(State(anchor: anchor, instant: ContinuousClock.now, steady: .zero))
    }

    /// A clock that shows the machine's time now, or another one, and runs on at a speed.
    convenience init(speed: Double, begins: Date? = nil) {
        let now = Date()
        self.init(anchor: Anchor(real: now, virtual: begins ?? now, speed: speed))
    }

    /// Where this clock and the machine's are tied together.
    var anchor: Anchor { state.withLock(\.anchor) }

    var speed: Double { anchor.speed }

    /// Virtual seconds per real second now: 0 while it stands.
    var rate: Double { anchor.rate }

    func now() -> Moment { state.withLock { Self.now($0) } }

    private static func now(_ state: State) -> Moment {
        let anchor = state.anchor
        return Moment(
            wall: anchor.virtual.addingTimeInterval(Date().timeIntervalSince(anchor.real) * anchor.rate),
            steady: state.steady + (ContinuousClock.now - state.instant) * anchor.rate
        )
    }

    /// Waits in real time, whatever this clock does meanwhile.
    func sleep(real time: Duration) async throws { try await Task.sleep(for: time, clock: .continuous) }

    func sleep(until deadline: Duration) async throws {
        while true {
            let (end, changes): (ContinuousClock.Instant?, Int) = state.withLock { state in
                guard state.anchor.rate > 0 else {
                    // It can be stepped to a time while it stands.
                    return (deadline <= state.steady ? state.instant : nil, state.changes)
                }
                return (state.instant + (deadline - state.steady) / state.anchor.rate, state.changes)
            }
            try Task.checkCancellation()
            if let end, end <= ContinuousClock.now { return }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    if let end {
                        try await Task.sleep(until: end, clock: .continuous)
                    } else {
                        await self.change(after: .max)
                    }
                }
                group.addTask { await self.change(after: changes) }
                defer { group.cancelAll() }
                try await group.next()
            }
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

    /// Goes on through another anchor, the one of a clock in another process.
    ///
    /// Where that shows a later time, the steady side goes forward with it; back it goes never.
    func follow(_ anchor: Anchor) {
        change { state in
            let before = state.anchor.virtual
            state.anchor = anchor
            state.steady += max(.zero, .seconds(Self.now(state).wall.timeIntervalSince(before)))
        }
    }

    /// Runs on if it stands: there is nobody any more who would say when.
    func goOn() {
        if rate == 0 { change { $0.anchor.isPaused = false } }
    }

    /// Ties both sides together anew, now, and wakes whoever sleeps so that he looks again.
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
    }

    /// How often it was stopped, stepped or given another speed.
    var changes: Int { state.withLock(\.changes) }

    /// Waits until there were more changes than so many; with the largest number until it is cancelled.
    func change(after changes: Int) async {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    // Looked at under the lock: a cancellation before this point found nobody to wake.
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
