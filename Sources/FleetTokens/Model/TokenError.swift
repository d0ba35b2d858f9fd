package import Failures
public import Foundation

/// The reason why a caller got no token.
///
/// No error is permanent: ``retryAfter`` is the time until the next attempt is allowed. The longest back-off is five minutes.
public struct TokenError: Error, Sendable, Equatable {
    /// The reason: a row of the table of failures, with its values and, in most cases, the failure that caused it.
    package let failure: Failure

    package init(_ failure: Failure) { self.failure = failure }

    private init(_ failure: Failure, retryAfter: Duration) { self.init(failure.retrying(after: retryAfter)) }

    /// The wait before another call may succeed; `nil` if waiting does not help.
    public var retryAfter: Duration? { failure.retryAfter }

    /// A stable name for programs, such as `unavailable.timed_out`.
    public var code: String { failure.path }

    /// Whether a retry cannot succeed without a change by the user.
    public var isPermanent: Bool { failure.isPermanent }

    /// What happened, in an English sentence without secrets, for a log.
    public var message: String { errorDescription ?? code }

    /// Neither a trip nor a vehicle was given.
    public static let noAuthorizationContext = TokenError(Failure(.noAuthorizationContext))
    /// The calling task was cancelled; other callers are not affected.
    public static let cancelled = TokenError(Failure(.tokenCancelled))
    /// The provider was closed.
    public static let closed = TokenError(Failure(.providerClosed))

    /// The answer contains no token; check the configured keys.
    package static func missingData(_ cause: Failure, retryAfter: Duration) -> TokenError {
        TokenError(Failure(.missingData, cause: cause), retryAfter: retryAfter)
    }

    /// The source is unavailable; a later retry may succeed.
    package static func unavailable(_ cause: Failure, retryAfter: Duration) -> TokenError {
        TokenError(Failure(.tokenUnavailable, cause: cause), retryAfter: retryAfter)
    }

    /// The source answered 403, 404 or 410 for this trip or vehicle; do not ask again.
    package static func denied(status: Int, retryAfter: Duration) -> TokenError {
        let code: FailureCode = status == 404 || status == 410 ? .tokenNotFound : .tokenDenied
        return TokenError(Failure(code).with(.status, status), retryAfter: retryAfter)
    }

    /// The source returned an unusable token.
    package static func unusable(_ fault: Failure, retryAfter: Duration) -> TokenError {
        TokenError(Failure(.tokenUnusable, cause: fault), retryAfter: retryAfter)
    }

    /// Fleet Engine refused a token soon after it was fetched.
    ///
    /// The cause is a clock, a key or a permission, which a new token does not fix.
    package static func rejectedByService(status: AnswerStatus, retryAfter: Duration) -> TokenError {
        let failure = Failure(.tokenRejected).with(.name, status.name).with(.statusLabel, status.label)
        return TokenError(
            failure.with(.http, status.httpStatus).with(.grpc, status.grpcStatus),
            retryAfter: retryAfter
        )
    }

    /// The lifetime of the newest token is shorter than this caller requires; other callers get the token.
    package static func tooShortLived(left: Duration, wanted: Duration) -> TokenError {
        TokenError(Failure(.tooShortLived).with(.left, left).with(.wanted, wanted))
    }

    /// All cache slots are in use.
    package static func tooManyKeys(limit: Int) -> TokenError { TokenError(Failure(.tooManyKeys).with(.limit, limit)) }

    /// Too many callers wait for this key.
    package static func tooManyWaiters(limit: Int) -> TokenError {
        TokenError(Failure(.tooManyWaiters).with(.limit, limit))
    }
}

extension TokenError {
    /// Creates the error of a source whose settings are not valid.
    init(ofSettings failure: Failure) { self.init(Failure(.tokenUnavailable, cause: failure)) }

    /// Creates the error of a fetch, whose source failed or returned an unusable token; the wait is not known yet.
    package init(ofFetch failure: Failure) {
        if let status = failure.denialStatus {
            self = .denied(status: status, retryAfter: .zero)
        } else if failure.row.stage == .token {
            self = .unusable(failure, retryAfter: .zero)
        } else if failure.isMissingData {
            self = .missingData(failure, retryAfter: .zero)
        } else {
            self = .unavailable(failure, retryAfter: .zero)
        }
    }

    /// Returns the error with another wait, if it has one.
    func retrying(after delay: Duration) -> TokenError {
        retryAfter == nil ? self : TokenError(failure.retrying(after: delay))
    }
}

/// The domain and the code that an SDK in Objective-C sees when the error is bridged to `NSError`.
extension TokenError: CustomNSError {
    /// In the order of their numbers; new ones are added at the end.
    private static let codes: [FailureCode] = [
        .noAuthorizationContext, .missingData, .tokenUnavailable, .tokenDenied, .tokenUnusable, .tokenRejected,
        .tooShortLived, .tooManyKeys, .tooManyWaiters, .tokenCancelled, .providerClosed, .tokenNotFound,
    ]

    /// `FleetTokens.TokenError`.
    public static var errorDomain: String { "FleetTokens.TokenError" }

    /// A number for each reason, from 1; 0 for one without a number.
    public var errorCode: Int { Self.codes.firstIndex(of: failure.code).map { $0 + 1 } ?? 0 }

    /// The sentence of ``errorDescription``.
    public var errorUserInfo: [String: Any] { errorDescription.map { [NSLocalizedDescriptionKey: $0] } ?? [:] }
}

/// English texts for `localizedDescription`, for example in an app whose SDK received the error.
///
/// They never contain a token or the body of an answer.
extension TokenError: LocalizedError {
    /// What happened, in a sentence.
    public var errorDescription: String? {
        let cause = (failure.cause?.name ?? "").replacing("_", with: " ")
        let limit = failure[.limit] ?? 0
        switch failure.code {
        case .noAuthorizationContext: return "There is no trip and no vehicle to get a token for."
        case .missingData: return "The answer has no token in it (\(cause))."
        case .tokenUnavailable: return "No token came from its source (\(cause))."
        case .tokenDenied, .tokenNotFound:
            let status = failure[.status] ?? 0
            return "The token's source does not give one for this trip or vehicle (HTTP \(status))."
        case .tokenUnusable: return "The token that came may not be used (\(cause))."
        case .tokenRejected: return "The service refused a token that is new (\(failure[.statusLabel] ?? ""))."
        case .tooShortLived: return "No token of this source lasts as long as was asked for."
        case .tooManyKeys: return "Tokens of \(limit) trips and vehicles are held, and all are in use."
        case .tooManyWaiters: return "\(limit) callers wait for this token already."
        case .tokenCancelled: return "The wait for the token was cancelled."
        case .providerClosed: return "The token provider was closed."
        default: return code
        }
    }
}
