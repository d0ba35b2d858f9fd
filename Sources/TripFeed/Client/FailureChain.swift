import FleetTokens
import FleetWire

/// Which failure followed from which since the last good answer of a trip; pure.
///
/// A refusal by the service (401, 403) makes the token provider fetch another token. Where that fails, the missing token is
/// only the symptom: the refusal is what has to be cured.
struct FailureChain: Sendable, Equatable {
    /// The refusal that the next missing token follows from.
    private var refusal: PollFailure?

    /// Takes in an answer: whatever was wrong is over.
    mutating func answered() { refusal = nil }

    /// Takes in a failure; the same with what it followed from.
    mutating func linked(_ failure: PollFailure) -> PollFailure {
        switch failure {
        case .token(let error, after: nil): return .token(error, after: refusal)
        case .service(let error, _), .refusedToken(let error, _, _):
            // Any other answer of the service shows that it took the token.
            refusal = error.httpStatus == 401 || error.httpStatus == 403 ? failure : nil
        case .token, .transport, .webPage, .redirected, .unreadable, .anotherTrip: break
        }
        return failure
    }
}
