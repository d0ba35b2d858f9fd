import Synchronization
package import TripModel

/// A clock whose sleepers share a timer.
package protocol SharedTimerClock: TripClock, AnyObject {
    /// The steady time that has been reached.
    var reached: Duration { get }

    /// Returns when the clock reaches a steady time; `nil` while it is paused.
    func instant(of steady: Duration) -> ContinuousClock.Instant?
}

/// Wakes the tasks that sleep on one clock.
///
/// The runtime's own sleep costs a timer for each task, and keeps the memory of a cancelled one until its time.
package final class SharedTimer: Sendable {
    private typealias Sleeper = CheckedContinuation<Void, any Error>

    private struct State {
        var sleepers = SleepQueue<Sleeper>()
        /// When the alarms ring that wake the sleepers.
        var alarms: [Int: ContinuousClock.Instant] = [:]
        var lastNumber = 0

        /// Returns a new number for a sleeper or an alarm.
        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    private let state = Mutex(State())

    /// Creates a timer, for one clock only.
    package init() {}

    /// Sleeps until a steady time of the clock; throws `CancellationError`.
    package func sleep(until deadline: Duration, on clock: some SharedTimerClock) async throws {
        let id = state.withLock { $0.nextNumber() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { sleeper in
                let result: Result<Void, any Error>? = state.withLock { state in
                    // Check under the lock: a cancellation before this point had no sleeper to wake.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if deadline <= clock.reached { return .success(()) }
                    state.sleepers.add(sleeper, id: id, until: deadline)
                    setAlarm(&state, clock)
                    return nil
                }
                if let result { sleeper.resume(with: result) }
            }
        } onCancel: {
            state.withLock { $0.sleepers.remove(id) }?.resume(throwing: CancellationError())
        }
    }

    /// Wakes the sleepers that are due; to be called after each change of the clock.
    package func wake(_ clock: some SharedTimerClock) {
        let due = state.withLock { state in
            defer { setAlarm(&state, clock) }
            return state.sleepers.removeAll(until: clock.reached)
        }
        for sleeper in due { sleeper.resume() }
    }

    /// Starts an alarm for the earliest deadline, unless one rings by then.
    ///
    /// No alarm is cancelled: one that rings for nothing costs little.
    private func setAlarm(_ state: inout State, _ clock: some SharedTimerClock) {
        guard let deadline = state.sleepers.earliest(), let time = clock.instant(of: deadline),
            state.alarms.values.allSatisfy({ $0 > time })
        else { return }
        let number = state.nextNumber()
        state.alarms[number] = time
        Task.detached { [self, weak clock] in
            // Nothing cancels this task.
            try? await Task.sleep(until: time, clock: .continuous)
            self.state.withLock { $0.alarms[number] = nil }
            if let clock { wake(clock) }
        }
    }
}
