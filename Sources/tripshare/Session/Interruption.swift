import Foundation
import ProcessControl
import Synchronization
import Terminal

/// Ends the process by the watchdog: the terminal is given back, one message says why, and no code of the program runs any
/// more.
enum ForcedEnd {
    /// The process's watchdog for a session.
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
    /// Performs something that a signal cancels, and ends as the signal asks once that has come to its end, or a second later
    /// where it does not.
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
