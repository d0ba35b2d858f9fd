package import Foundation
package import Runtime
import Synchronization
import TripModel

/// A clock that only a test advances.
///
/// Wall clock and steady clock can be moved independently.
package final class ManualClock: TripClock {
    private struct Sleeper {
        let deadline: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        let id: Int
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var wall: Date
        var steady: Duration
        var sleepers: [Int: Sleeper] = [:]
        var watchers: [Watcher] = []
        var lastID = 0
        var slept = 0

        /// Removes and returns the sleepers that are due, earliest first.
        mutating func wake() -> [CheckedContinuation<Void, any Error>] {
            let due = sleepers.filter { $0.value.deadline <= steady }
                .sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
            for (id, _) in due { sleepers[id] = nil }
            return due.map(\.value.continuation)
        }
    }

    package let speed: Double
    private let state: Locked<State>

    /// A clock that stays at this time; by default 2026-01-01T00:00:00Z.
    package init(wall: Date = Date(timeIntervalSince1970: 1_767_225_600), steady: Duration = .zero, speed: Double = 1) {
        self.speed = speed
        state = Locked(State(wall: wall, steady: steady))
    }

    package func now() -> Moment {
        state.withLock { Moment(wall: $0.wall, steady: $0.steady) }
    }

    /// The number of tasks that are sleeping now.
    package var sleeping: Int { state.withLock { $0.sleepers.count } }

    /// The number of sleeps so far.
    ///
    /// A deadline in the past does not count, as it returns at once.
    package var sleeps: Int { state.withLock { $0.slept } }

    /// The earliest deadline of a sleeper.
    package var earliest: Duration? { state.withLock { $0.sleepers.values.map(\.deadline).min() } }

    package func sleep(until deadline: Duration) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let watchers: [Watcher] = state.withLock { state in
                    // Checked under the lock: a cancellation before this point finds no sleeper to wake.
                    if Task.isCancelled {
                        continuation.resume(throwing: CancellationError())
                        return []
                    }
                    if deadline <= state.steady {
                        continuation.resume()
                        return []
                    }
                    state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
                    state.slept += 1
                    let ready = state.watchers.filter { $0.count <= state.sleepers.count }
                    state.watchers.removeAll { $0.count <= state.sleepers.count }
                    return ready
                }
                for watcher in watchers { watcher.continuation.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Waits until at least this many tasks sleep, without yielding or sleeping itself.
    ///
    /// In a cancelled task, for example after a test's deadline, it returns at once and prints this on standard error.
    package func sleepers(atLeast count: Int = 1) async {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state in
                    if state.sleepers.count >= count || Task.isCancelled { return true }
                    state.watchers.append(Watcher(id: id, count: count, continuation: continuation))
                    return false
                }
                if ready { continuation.resume() }
            }
        } onCancel: {
            let watcher = state.withLock { state in
                state.watchers.firstIndex { $0.id == id }.map { state.watchers.remove(at: $0) }
            }
            guard let watcher else { return }
            WaitFailure("cancelled while waiting for \(count) sleepers of a clock; \(sleeping) sleep").report()
            watcher.continuation.resume()
        }
    }

    /// Advances both clocks and wakes the sleepers that are due.
    package func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.steady += duration
            state.wall += duration.seconds
            return state.wake()
        }
        for sleeper in woken { sleeper.resume() }
    }

    /// Sets the wall clock, as `date --set` does.
    ///
    /// No sleeper wakes.
    package func stepWall(by duration: Duration) {
        state.withLock { $0.wall += duration.seconds }
    }

    /// Suspends the machine: the wall clock advances, and so does the steady clock if it counts suspended time.
    package func suspend(for duration: Duration, steadyCounts: Bool = true) {
        guard !steadyCounts else { return advance(by: duration) }
        stepWall(by: duration)
    }
}
