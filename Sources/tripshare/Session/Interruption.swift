import Foundation
import ProcessControl
import Synchronization
import Terminal

/// Ends the process from the watchdog: restores the terminal, prints one message and runs no further code.
enum ForcedEnd {
    /// Creates the watchdog of a session.
    static func watchdog(timeout: Duration? = nil, grace: Duration = Watchdog.grace) -> Watchdog {
        Watchdog(timeout: timeout, grace: grace) { reason, code in
            Screen.giveBack()
            let cause =
                switch reason {
                case .timeout: "The time of --timeout was up"
                case .signal(let number): "Signal \(number) asked for the end"
                }
            let later = "\(grace.components.seconds) s later"
            Printing.error("\(cause), and the program was still busy \(later): it was ended at once.")
            _exit(code ?? Self.code(reason))
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
    /// Runs an operation that a signal cancels.
    ///
    /// The process then ends as the signal requires: when the operation has returned, or after one second.
    static func interrupting<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let signals = AsyncStream.makeStream(of: Int32.self)
        let watchdog = ForcedEnd.watchdog()
        defer { watchdog.dismiss() }
        let watch = SignalWatch {
            watchdog.receive(signal: $0)
            signals.continuation.yield($0)
        }
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
}
