import Foundation
import Runtime
import Synchronization
import TripModel

/// A clock that advances to the next deadline when a ``SerialLoop`` has no other work.
///
/// Its wall clock can be set.
final class VirtualClock: TripClock {
    private struct Sleeper {
        let deadline: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var steady = Duration.zero
        var step = Duration.zero
        var sleepers: [Int: Sleeper] = [:]
        var lastID = 0
    }

    /// The true time at the start.
    static let start = Date(timeIntervalSince1970: 1_773_476_000)

    let speed = 1.0
    private let start: Date
    private let state = Mutex(State())

    /// A clock with this time at the start.
    init(start: Date = VirtualClock.start) {
        self.start = start
    }

    func now() -> Moment {
        state.withLock {
            Moment(wall: start.addingTimeInterval(($0.steady + $0.step).seconds), steady: $0.steady)
        }
    }

    /// The true time, which the network and the service use.
    var truth: Date { state.withLock { start.addingTimeInterval($0.steady.seconds) } }

    /// The number of waiting tasks.
    var sleeping: Int { state.withLock { $0.sleepers.count } }

    /// Sets the wall clock, as a person or a time service does.
    func set(aheadBy step: Duration) { state.withLock { $0.step = step } }

    func sleep(until deadline: Duration) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let error: (any Error)?? = state.withLock { state in
                    if Task.isCancelled { return .some(CancellationError()) }
                    if deadline <= state.steady { return .some(nil) }
                    state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
                    return nil
                }
                switch error {
                case .some(let error?): continuation.resume(throwing: error)
                case .some(nil): continuation.resume()
                case nil: break
                }
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Advances to the next deadline and wakes its task.
    ///
    /// Returns `false` if no task waits.
    func advance() -> Bool {
        let next: Sleeper? = state.withLock { state in
            let first = state.sleepers.min { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
            guard let first else { return nil }
            state.steady = max(state.steady, first.value.deadline)
            return state.sleepers.removeValue(forKey: first.key)
        }
        next?.continuation.resume()
        return next != nil
    }
}
