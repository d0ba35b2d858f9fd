import Dispatch
import Foundation
import Synchronization

/// Hears the signals that ask a program without a screen to end, and leaves the end to the program.
final class SignalWatch: Sendable {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP]

    private let sources: Mutex<[any DispatchSourceSignal]>
    /// Ends when all of them are heard.
    private let beginnings: AsyncStream<Void>

    /// Watches SIGINT, SIGTERM and SIGHUP; a second one ends the process at once.
    ///
    /// One that comes before it is heard, a moment after this, ends the process as it would without.
    init(_ heard: @escaping @Sendable (Int32) -> Void) {
        var sources: [any DispatchSourceSignal] = []
        let (beginnings, begins) = AsyncStream.makeStream(of: Void.self)
        self.beginnings = beginnings
        let left = Mutex(Self.numbers.count)
        for number in Self.numbers {
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setRegistrationHandler {
                // From now on it has a handler of its own. To ignore the signal until then would be to lose it.
                let isLast = left.withLock { left in
                    left -= 1
                    return left == 0
                }
                if isLast { begins.finish() }
            }
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
        await watch.begin()
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

    /// Waits until all of them are heard.
    func begin() async { for await _ in beginnings {} }

    /// Leaves the signals to the system again.
    func stop() {
        sources.withLock { sources in
            for source in sources { source.cancel() }
            sources = []
        }
        for number in Self.numbers { signal(number, SIG_DFL) }
    }
}
