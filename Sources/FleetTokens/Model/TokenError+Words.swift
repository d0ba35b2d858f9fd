public import Foundation

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
        case .rejectedByService(let status, _): "The service refused a token that is new (HTTP \(status))."
        case .tooShortLived: "No token of this source lasts as long as was asked for."
        case .tooManyKeys(let limit): "Tokens of \(limit) trips and vehicles are held, and all are in use."
        case .tooManyWaiters(let limit): "\(limit) callers wait for this token already."
        case .cancelled: "The wait for the token was cancelled."
        case .closed: "The token provider was closed."
        }
    }

    private func words(_ code: String) -> String { code.replacing("_", with: " ") }
}
