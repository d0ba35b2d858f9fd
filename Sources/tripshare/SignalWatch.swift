import Dispatch
import Foundation
import Synchronization

/// Hears the signals that ask a program without a screen to end, and leaves the end to the program.
final class SignalWatch: Sendable {
    private let sources: Mutex<[any DispatchSourceSignal]>

    /// Watches SIGINT, SIGTERM and SIGHUP; a second one ends the process at once.
    init(_ heard: @escaping @Sendable (Int32) -> Void) {
        var sources: [any DispatchSourceSignal] = []
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // Dispatch hears only of signals that don't end the process before.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                signal(number, SIG_DFL)
                heard(number)
            }
            source.resume()
            sources.append(source)
        }
        self.sources = Mutex(sources)
    }

    /// Does something that a signal cancels, and ends as the signal wants once it has come to its end.
    static func interrupting<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let signals = AsyncStream.makeStream(of: Int32.self)
        let watch = SignalWatch { signals.continuation.yield($0) }
        defer { watch.stop() }
        return try await withThrowingTaskGroup(of: Result.self) { group in
            group.addTask { try await body() }
            group.addTask {
                for await signal in signals.stream { throw CommandFailure.signal(signal) }
                throw CancellationError()
            }
            defer { group.cancelAll() }
            guard let result = try await group.next() else { throw CancellationError() }
            return result
        }
    }

    /// Leaves the signals to the system again.
    func stop() {
        sources.withLock { sources in
            for source in sources { source.cancel() }
            sources = []
        }
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
    }
}
