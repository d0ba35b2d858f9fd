import Dispatch
import Foundation
import Synchronization

/// Ends the process when it should have ended by itself and has not: a computation that occupies every thread of the task
/// pool delays neither `--timeout` nor a signal by more than ``grace``.
///
/// ```
/// watching ──timeout or signal──▶ grace ──▶ end the process
///     │                             │
///     └──the session ended──────────┴──▶ cleaning up (grace again, if it was asked to end) ──▶ dismissed
/// ```
///
/// It waits on a thread of its own.
package final class Watchdog: Sendable {
    /// Why the process has to end.
    package enum Reason: Sendable, Equatable {
        /// The time of `--timeout` is up.
        case timeout
        /// A signal of this number arrived.
        case signal(Int32)
    }

    /// How the process ends: the reason, and the exit code of the session where that ended before its cleaning up took too
    /// long.
    package typealias End = @Sendable (_ reason: Reason, _ code: Int32?) -> Void

    /// How long an orderly end may take, in real time.
    package static let grace = Duration.seconds(1)

    private struct State {
        var timeout: ContinuousClock.Instant?
        var request: (reason: Reason, deadline: ContinuousClock.Instant)?
        var code: Int32?
        var isDismissed = false

        /// When the process is ended, and why.
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
    ///   - timeout: The real time after which the session ends by itself; `nil` for never.
    ///   - grace: How long an orderly end may take.
    ///   - end: Ends the process; called on the watchdog's thread, at most once.
    package init(timeout: Duration? = nil, grace: Duration = Watchdog.grace, end: @escaping End) {
        self.grace = grace
        state = Mutex(State(timeout: timeout.map { ContinuousClock.now + $0 }))
        Thread.detachNewThread { [self] in
            guard let (reason, code) = awaitEnd() else { return }
            end(reason, code)
        }
    }

    /// Notes a signal; the first reason counts.
    package func receive(signal number: Int32) {
        change { state in
            state.request = state.request ?? (.signal(number), ContinuousClock.now + grace)
        }
    }

    /// Notes that the session has ended with an exit code, so that only cleaning up is left.
    package func sessionEnded(code: Int32) {
        change { state in
            let now = ContinuousClock.now
            state.code = code
            if let request = state.request {
                state.request = (request.reason, now + grace)
            } else if let timeout = state.timeout, timeout <= now {
                state.request = (.timeout, now + grace)
            }
            state.timeout = nil
        }
    }

    /// Stops watching: the process is about to end by itself.
    package func dismiss() { change { $0.isDismissed = true } }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        changed.signal()
    }

    /// Waits for the time to end the process; `nil` where it is not needed any more.
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
