import Runtime
import Synchronization
import TripModel

/// The waits that faults cause; they end when the emulator shuts down.
///
/// Without that, an emulator would end only after the longest delay, because its drivers wait for the answers to their last
/// reports.
package final class FaultDelays: Sendable {
    private struct State {
        var isOver = false
        var waits: [Int: Task<Void, Never>] = [:]
        var lastID = 0
    }

    private let state = Mutex(State())

    /// Creates an object without waits.
    init() {}

    /// Ends all waits; later ones return at once.
    package func end() {
        let waits = state.withLock { state in
            state.isOver = true
            defer { state.waits = [:] }
            return state.waits.values
        }
        for wait in waits { wait.cancel() }
    }

    /// Waits for some of the emulator's time, until ``end()``, or until the task is cancelled.
    func wait(for duration: Duration, on clock: any TripClock) async {
        // It is awaited below. A task of its own, because something else than the waiting task may cancel it.
        let wait = Task {
            // The error says only that the wait was cancelled.
            _ = try? await clock.sleep(until: clock.now().steady + duration)
        }
        let id = state.withLock { state -> Int? in
            guard !state.isOver else { return nil }
            state.lastID += 1
            state.waits[state.lastID] = wait
            return state.lastID
        }
        guard let id else { return wait.cancel() }
        await withTaskCancellationHandler {
            await wait.value
        } onCancel: {
            wait.cancel()
        }
        state.withLock { $0.waits[id] = nil }
    }
}
