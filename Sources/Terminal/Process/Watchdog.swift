import Dispatch
import Foundation
import Runtime
import Synchronization

/// Ends the process if it fails to end itself in time.
///
/// If a computation occupies every thread of the task pool, it delays `--timeout` and signals by at most ``grace``.
///
/// ```
/// watching ──timeout or signal──▶ grace ──▶ end the process
///     │                             │
///     └──the session ended──────────┴──▶ cleaning up (grace again, if it was requested to end) ──▶ dismissed
/// ```
///
/// It waits on its own thread.
package final class Watchdog: Sendable {
    /// The reason for ending the process.
    package enum Reason: Sendable, Equatable {
        /// The `--timeout` has expired.
        case timeout
        /// A signal arrived.
        case signal(Int32)
    }

    /// Ends the process; receives the reason, and the session's exit code if only the cleanup took too long.
    package typealias End = @Sendable (_ reason: Reason, _ code: Int32?) -> Void

    /// The maximum time for an orderly end, in real time.
    package static let grace = Duration.seconds(1)

    private struct State {
        var timeout: ContinuousClock.Instant?
        var request: (reason: Reason, deadline: ContinuousClock.Instant)?
        var code: Int32?
        var isDismissed = false

        /// Returns when and why the process is ended.
        func end(grace: Duration) -> (reason: Reason, deadline: ContinuousClock.Instant)? {
            request ?? timeout.map { (.timeout, $0 + grace) }
        }
    }

    private let grace: Duration
    private let state: Mutex<State>
    private let changed = DispatchSemaphore(value: 0)

    /// Starts watching.
    ///
    /// - Parameters:
    ///   - timeout: The real time after which the session should end; `nil` for no limit.
    ///   - grace: The maximum time for an orderly end.
    ///   - end: Ends the process; called on the watchdog's thread at most once.
    package init(timeout: Duration? = nil, grace: Duration = Watchdog.grace, end: @escaping End) {
        self.grace = grace
        state = Mutex(State(timeout: timeout.map { ContinuousClock.now + $0 }))
        Thread.detachNewThread { [self] in
            guard let (reason, code) = awaitEnd() else { return }
            end(reason, code)
        }
    }

    /// Records a signal; the first reason counts.
    ///
    /// A signal also ends the time of ``sessionEnded(code:allowing:)``.
    package func receive(signal number: Int32) {
        change { state in
            let end = ContinuousClock.now + grace
            state.request = state.request.map { ($0.reason, min($0.deadline, end)) } ?? (.signal(number), end)
        }
    }

    /// Records that the session has ended with an exit code and only the cleanup is left.
    ///
    /// - Parameters:
    ///   - code: The exit code of the process.
    ///   - wait: The time that the cleanup may take besides the grace, such as for notices that are being delivered.
    package func sessionEnded(code: Int32, allowing wait: Duration = .zero) {
        change { state in
            let now = ContinuousClock.now
            state.code = code
            if let request = state.request {
                state.request = (request.reason, now + wait + grace)
            } else if let timeout = state.timeout, timeout <= now {
                state.request = (.timeout, now + wait + grace)
            }
            state.timeout = nil
        }
    }

    /// Stops watching, because the process is about to end itself.
    package func dismiss() { change { $0.isDismissed = true } }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        changed.signal()
    }

    /// Waits for the time to end the process; returns `nil` if it is no longer necessary.
    private func awaitEnd() -> (Reason, Int32?)? {
        while true {
            let (end, code, isDismissed) = state.withLock { ($0.end(grace: grace), $0.code, $0.isDismissed) }
            if isDismissed { return nil }
            guard let end else {
                changed.wait()
                continue
            }
            let left = end.deadline - .now
            if left <= .zero { return (end.reason, code) }
            _ = changed.wait(timeout: .now() + min(left, .seconds(3600)).inSeconds)
        }
    }
}

extension Duration {
    fileprivate var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
