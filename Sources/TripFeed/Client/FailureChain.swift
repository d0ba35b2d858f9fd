import FleetTokens
import FleetWire

/// Links failures to their causes since a trip's last successful answer; without side effects.
///
/// If the service refuses a token (401, 403), the token provider fetches another one. If that fetch fails, the missing token is
/// only a symptom: the refusal is the root cause.
package struct FailureChain: Sendable, Equatable {
    /// The refusal that caused the next missing token.
    private var refusal: PollFailure?

    /// Creates a chain without failures.
    package init() {}

    /// Records an answer, which clears earlier causes.
    package mutating func answered() { refusal = nil }

    /// Records a failure; returns it with its cause.
    package mutating func linked(_ failure: PollFailure) -> PollFailure {
        switch failure {
        case .token(let error, after: nil): return .token(error, after: refusal)
        case .service(let error, _), .refusedToken(let error, _, _):
            // Any other answer of the service means that it accepted the token.
            refusal = error.httpStatus == 401 || error.httpStatus == 403 ? failure : nil
        case .token, .transport, .webPage, .redirected, .unreadable, .anotherTrip: break
        }
        return failure
    }
}
