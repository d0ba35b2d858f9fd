import Synchronization

/// A value that is set once and awaited by one task.
final class AsyncPromise<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Value?, Never>)
        case set(Value)
        case cancelled
    }

    private let state = Mutex(State.empty)

    /// Sets the value; later calls are ignored.
    func set(_ value: Value) {
        finish(.set(value), value)
    }

    /// Resumes the waiting task without a value.
    func cancel() {
        finish(.cancelled, nil)
    }

    /// Waits for the value; `nil` after ``cancel()``.
    var value: Value? {
        get async {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let known: Value?? = state.withLock { state in
                        switch state {
                        case .empty, .waiting:
                            state = .waiting(continuation)
                            return nil
                        case .set(let value): return .some(value)
                        case .cancelled: return .some(nil)
                        }
                    }
                    if let known { continuation.resume(returning: known) }
                }
            } onCancel: {
                cancel()
            }
        }
    }

    private func finish(_ end: State, _ value: Value?) {
        let continuation: CheckedContinuation<Value?, Never>? = state.withLock { state in
            switch state {
            case .set, .cancelled: return nil
            case .empty:
                state = end
                return nil
            case .waiting(let continuation):
                state = end
                return continuation
            }
        }
        continuation?.resume(returning: value)
    }
}
