import Failures
import Foundation
import Runtime
import Terminal
import TripText

/// Ends the process from the watchdog: restores the terminal, prints one message, removes the files that must not outlive the
/// process, and runs no further code.
enum ForcedEnd {
    /// Creates the watchdog of a session.
    static func watchdog(timeout: Duration? = nil, grace: Duration = Watchdog.grace) -> Watchdog {
        let ownsProcess = ProcessContext.current.ownsProcess
        return Watchdog(timeout: timeout, grace: grace) { reason, code in
            guard ownsProcess else { return }
            Screen.restore()
            TypedInput.restore()
            // The reader of standard error may be the reason why the session does not end.
            if Printing.acceptsErrors(within: 200) { warn(reason, after: "\(grace.components.seconds)") }
            Leftovers.remove()
            _exit(code ?? Self.code(reason))
        }
    }

    /// Runs a computation that nothing interrupts, such as reading a large file; the process ends if it takes longer than a
    /// timeout.
    ///
    /// Nothing has to be restored by then: the terminal is not open, and no output has begun.
    static func limited<Result>(to timeout: Duration?, _ body: () throws -> Result) rethrows -> Result {
        guard let timeout, ProcessContext.current.ownsProcess else { return try body() }
        let watchdog = Watchdog(timeout: timeout, grace: .zero) { _, _ in
            let failure = CommandFailure(.unavailable, .failureTimeout)
            // See ``watchdog(timeout:grace:)``.
            if Printing.acceptsErrors(within: 200) { Printing.error(failure.message) }
            Leftovers.remove()
            _exit(failure.exitCode)
        }
        defer { watchdog.dismiss() }
        return try body()
    }

    private static func warn(_ reason: Watchdog.Reason, after seconds: String) {
        switch reason {
        case .timeout: Printing.warning(.forcedByTimeout(seconds: seconds))
        case .signal(let number): Printing.warning(.forcedBySignal(number: "\(number)", seconds: seconds))
        }
    }

    private static func code(_ reason: Watchdog.Reason) -> Int32 {
        switch reason {
        case .timeout: ExitStatus.unavailable.rawValue
        case .signal(let number): CommandFailure.signal(number).exitCode
        }
    }
}

extension SignalWatch {
    /// Watches the signals if they are for the command; see ``ProcessContext``.
    static func ofProcess(_ heard: @escaping @Sendable (Int32) -> Void) -> SignalWatch? {
        ProcessContext.current.ownsProcess ? SignalWatch(heard) : nil
    }

    /// Runs an operation with the termination signals that arrive meanwhile.
    ///
    /// If the operation has not returned `grace` after a signal, the process ends.
    static func withSignals<Result>(
        grace: Duration = Watchdog.grace,
        _ body: (AsyncStream<Int32>) async throws -> Result
    ) async rethrows -> Result {
        let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
        let watchdog = ForcedEnd.watchdog(grace: grace)
        defer { watchdog.dismiss() }
        let watch = ofProcess {
            watchdog.receive(signal: $0)
            continuation.yield($0)
        }
        defer { watch?.stop() }
        return try await body(signals)
    }

    /// Runs an operation that a signal cancels.
    ///
    /// The process then ends as the signal requires: when the operation has returned, or after one second.
    static func interrupting<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withSignals { signals in
            try await withThrowingTaskGroup(of: Result.self) { group in
                group.addTask { try await body() }
                group.addTask {
                    for await signal in signals { throw CommandFailure.signal(signal) }
                    throw CancellationError()
                }
                defer { group.cancelAll() }
                guard let result = try await group.next() else { throw CancellationError() }
                return result
            }
        }
    }
}
