import Synchronization

/// Wakes one waiting task; a signal before the wait is not lost.
final class WakeSignal: Sendable {
    private enum State {
        case idle
        case signaled
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.idle)

    /// Wakes the task that waits, or the next one that does.
    func signal() {
        let waiting: CheckedContinuation<Void, Never>? = state.withLock { state in
            if case .waiting(let continuation) = state {
                state = .idle
                return continuation
            }
            state = .signaled
            return nil
        }
        waiting?.resume()
    }

    /// Waits for a signal, or until the task is cancelled; at most one task may wait.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if case .idle = state, !Task.isCancelled {
                        state = .waiting(continuation)
                        return false
                    }
                    state = .idle
                    return true
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiting: CheckedContinuation<Void, Never>? = state.withLock { state in
                guard case .waiting(let continuation) = state else { return nil }
                state = .idle
                return continuation
            }
            waiting?.resume()
        }
    }

    /// Waits for a signal, at most for a duration.
    func wait(atMost limit: Duration?, sleep: @escaping @Sendable (Duration) async throws -> Void) async {
        guard let limit else { return await wait() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait() }
            // The sleep ends early when there is a signal.
            group.addTask { try? await sleep(limit) }
            await group.next()
            group.cancelAll()
        }
    }
}
