import Failures
public import Foundation

/// The reason why a caller got no token; holds data, not text.
///
/// No failure is permanent: `retryAfter` is the time until the next attempt is allowed. The longest backoff is five minutes.
public indirect enum TokenError: Error, Sendable, Equatable {
    /// Neither a trip nor a vehicle was given.
    case noAuthorizationContext
    /// The answer contains no token; check the configured keys.
    case missingData(TokenSourceError, retryAfter: Duration)
    /// The source is unavailable; a later retry may succeed.
    case unavailable(TokenSourceError, retryAfter: Duration)
    /// The source answered 403, 404 or 410 for this trip or vehicle; do not ask again.
    case denied(status: Int, retryAfter: Duration)
    /// The source returned an unusable token.
    case unusable(TokenFault, retryAfter: Duration)
    /// Fleet Engine refused a token soon after it was fetched.
    ///
    /// The cause is a clock, a key or a permission, which a new token does not fix.
    case rejectedByService(status: AnswerStatus, retryAfter: Duration)
    /// The lifetime of the newest token is shorter than this caller requires; other callers get the token.
    case tooShortLived(left: Duration, wanted: Duration)
    /// All cache slots are in use.
    case tooManyKeys(limit: Int)
    /// Too many callers wait for this key.
    case tooManyWaiters(limit: Int)
    /// The calling task was cancelled; other callers are not affected.
    case cancelled
    /// The provider was closed.
    case closed

    /// A stable name for programs, such as `unavailable.timed_out`.
    public var code: String { failure.path }

    /// The wait before another call may succeed; `nil` if waiting does not help.
    public var retryAfter: Duration? {
        switch self {
        case .missingData(_, let delay), .unavailable(_, let delay), .denied(_, let delay), .unusable(_, let delay),
            .rejectedByService(_, let delay):
            delay
        case .noAuthorizationContext, .tooShortLived, .tooManyKeys, .tooManyWaiters, .cancelled, .closed: nil
        }
    }

    /// Whether a retry cannot succeed without a change by the user.
    public var isPermanent: Bool { failure.has(.isPermanent) }
}

/// English texts for `localizedDescription`, for example in an app whose SDK received the error.
///
/// They never contain a token or the body of an answer.
extension TokenError: LocalizedError {
    /// What happened, in a sentence.
    public var errorDescription: String? {
        switch self {
        case .noAuthorizationContext: "There is no trip and no vehicle to get a token for."
        case .missingData(let cause, _): "The answer has no token in it (\(words(cause.code)))."
        case .unavailable(let cause, _): "No token came from its source (\(words(cause.code)))."
        case .denied(let status, _): "The token's source does not give one for this trip or vehicle (HTTP \(status))."
        case .unusable(let fault, _): "The token that came may not be used (\(words(fault.code)))."
        case .rejectedByService(let status, _): "The service refused a token that is new (\(status.label))."
        case .tooShortLived: "No token of this source lasts as long as was asked for."
        case .tooManyKeys(let limit): "Tokens of \(limit) trips and vehicles are held, and all are in use."
        case .tooManyWaiters(let limit): "\(limit) callers wait for this token already."
        case .cancelled: "The wait for the token was cancelled."
        case .closed: "The token provider was closed."
        }
    }

    private func words(_ code: String) -> String { code.replacing("_", with: " ") }
}
