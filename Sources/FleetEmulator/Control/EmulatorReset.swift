import Synchronization

/// Requests to reset an emulator to its beginning, and the answers to them.
///
/// The control API requests a reset; what plays the scenario performs it, because the drivers have to stop first.
package final class EmulatorReset: Sendable {
    /// One request.
    package struct Request: Sendable {
        fileprivate let promise: AsyncPromise<Bool>

        /// Answers the request: whether everything is as it was at the beginning.
        package func finish(_ isReset: Bool) { promise.set(isReset) }
    }

    /// The requests, for the single task that performs them.
    package let requests: AsyncStream<Request>
    private let continuation: AsyncStream<Request>.Continuation
    private let unanswered = Mutex<[AsyncPromise<Bool>]>([])

    /// Creates a source without requests.
    package init() {
        (requests, continuation) = AsyncStream.makeStream(of: Request.self)
    }

    /// Requests a reset and waits until it is performed; returns `false` if it failed or the emulator is ending.
    package func perform() async -> Bool {
        let promise = AsyncPromise<Bool>()
        unanswered.withLock { $0.append(promise) }
        defer { unanswered.withLock { $0.removeAll { $0 === promise } } }
        guard case .enqueued = continuation.yield(Request(promise: promise)) else { return false }
        return await promise.value ?? false
    }

    /// Ends the requests; those without an answer fail.
    package func end() {
        continuation.finish()
        for promise in unanswered.withLock({ $0 }) { promise.cancel() }
    }
}
