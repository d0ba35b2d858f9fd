import Synchronization

/// A value that is set once and waited for by one task.
final class AsyncPromise<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Value?, Never>)
        case set(Value)
        case cancelled
    }

    private let state = Mutex(State.empty)

    /// Sets the value; a second one is ignored.
    func set(_ value: Value) {
        finish(.set(value), value)
    }

    /// Lets nobody wait any longer.
    func cancel() {
        finish(.cancelled, nil)
    }

    /// The value, once it is set; `nil` when it never will be.
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
