package import Failures
import Foundation
import Runtime
import Synchronization

/// What a driver could not send since the service accepted its last call.
final class DriverOutage: Sendable {
    /// A call; several calls may have the same name.
    struct Call: Sendable, Equatable {
        fileprivate var number: Int
        var name: String
        /// What the sender needs a permission for: the name, or more where some calls of this name need another one.
        fileprivate var permission: String
    }

    private struct State {
        var calls = 0
        /// The permissions of the calls that the service has accepted.
        var accepted: Set<String> = []
        /// When the first call failed; `nil` while calls are accepted.
        var since: Duration?
        /// The positions that were not sent.
        var positions = 0
        /// The call that is repeated until it is answered.
        var pending: Call?
        /// When the service wants the next call.
        var resumes = Duration.zero
    }

    private let state = Mutex(State())

    /// Whether the service has accepted any call.
    var hasAccepted: Bool { state.withLock { !$0.accepted.isEmpty } }

    /// Returns whether the service has accepted a call that needs the same permission.
    func hasAccepted(like call: Call) -> Bool { state.withLock { $0.accepted.contains(call.permission) } }

    /// Returns how long the service still wants no calls.
    func pause(at now: Duration) -> Duration { state.withLock { max(.zero, $0.resumes - now) } }

    /// Begins a call; `target` is its path and query.
    func begin(_ name: String, _ target: String) -> Call {
        // A driver of deliveries may be allowed to report positions only, or the outcomes of some tasks.
        let isLimited = name == "UpdateTask" || target.contains(DeliveryVehicleRecord.stops)
        return state.withLock { state in
            state.calls += 1
            return Call(number: state.calls, name: name, permission: isLimited ? target : name)
        }
    }

    /// Records an attempt that failed for a reason that may pass; returns an event for the first one.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - isRepeated: Whether it is repeated until it is answered.
    ///   - error: The failure.
    ///   - now: The time of the driver's clock.
    ///   - wait: How long the service wants no calls.
    /// - Returns: The event.
    func fail(
        _ call: Call,
        isRepeated: Bool,
        _ error: DriverError,
        at now: Duration,
        wait: Duration
    ) -> DriverEvent? {
        state.withLock { state in
            if isRepeated { state.pending = call }
            state.resumes = now + wait
            guard state.since == nil else { return nil }
            state.since = now
            return .interrupted(error)
        }
    }

    /// Records a position that is not sent; the next one replaces it.
    func drop() { state.withLock { $0.positions += 1 } }

    /// Records an accepted call; returns an event if all that was held up has been sent.
    func accept(_ call: Call, at now: Duration) -> DriverEvent? {
        state.withLock { state in
            state.accepted.insert(call.permission)
            // The last report of a cancelled drive comes after a call that was given up.
            guard state.pending == nil || state.pending == call else { return nil }
            defer { (state.since, state.positions, state.pending) = (nil, 0, nil) }
            return state.since.map { .restored(positions: state.positions, after: now - $0) }
        }
    }

    /// Returns an event about what has not been sent at the end of a drive; `nil` if all was sent.
    func end(at now: Duration) -> DriverEvent? {
        state.withLock { state in
            guard let since = state.since, state.positions > 0 || state.pending != nil else { return nil }
            return .unsent(positions: state.positions, call: state.pending?.name, after: now - since)
        }
    }
}

/// What a driver does when a call fails for a reason that may pass.
enum DriverRetry: Sendable, Equatable {
    /// Nothing: a later report has the same values as they are then.
    case dropping
    /// Repeats the call up to a number of attempts, with waits of 1, 2, 4 … 10 s between them.
    case attempts(Int)
    /// Repeats the call with the same waits until the service accepts it, or answers that the request itself is wrong.
    case untilAnswered
}

/// The reason why a simulated ride stopped.
package enum DriverError: Error, Sendable, Equatable {
    /// The service refused a call and a retry would not help; the message is untrusted text.
    case refused(call: String, httpStatus: Int, message: String?)
    /// The service was unreachable until all retries failed.
    case unreachable(call: String, Failure)
    /// No token was available, for this reason.
    case noToken(call: String, Failure)
    /// The ride was cancelled.
    case cancelled

    /// Whether the failed call needs an operator's token.
    package var isOfOperator: Bool {
        switch self {
        // A driver's token permits calls about its own vehicle only.
        case .refused(let call, _, _), .unreachable(let call, _), .noToken(let call, _):
            !DriverClient.driverCalls.contains(call)
        case .cancelled: false
        }
    }
}
