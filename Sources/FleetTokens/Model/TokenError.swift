/// The reason why a caller got no token; carries data, not text.
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
    /// Fleet Engine refused a brand-new token.
    ///
    /// The cause is a clock, a key or a permission, which a new token does not fix.
    case rejectedByService(status: Int, retryAfter: Duration)
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
    public var code: String {
        switch self {
        case .noAuthorizationContext: "no_authorization_context"
        case .missingData(let cause, _): "missing_data.\(cause.code)"
        case .unavailable(let cause, _): "unavailable.\(cause.code)"
        case .denied: "denied"
        case .unusable(let fault, _): "unusable.\(fault.code)"
        case .rejectedByService: "rejected_by_service"
        case .tooShortLived: "too_short_lived"
        case .tooManyKeys: "too_many_keys"
        case .tooManyWaiters: "too_many_waiters"
        case .cancelled: "cancelled"
        case .closed: "closed"
        }
    }

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
    public var isPermanent: Bool {
        switch self {
        case .noAuthorizationContext, .missingData, .denied, .unusable, .rejectedByService, .closed: true
        case .unavailable(let cause, _): cause.isPermanent
        case .tooShortLived, .tooManyKeys, .tooManyWaiters, .cancelled: false
        }
    }
}
