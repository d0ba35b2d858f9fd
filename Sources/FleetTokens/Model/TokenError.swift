/// What can keep a token from a caller: evidence, not sentences.
///
/// Nothing here is for ever: each case that says `retryAfter` says when the next attempt is allowed, and the longest
/// silence is five minutes.
public indirect enum TokenError: Error, Sendable, Equatable {
    /// Neither a trip nor a vehicle was named, so that there is nothing to ask a token for.
    case noAuthorizationContext
    /// The source answered, and there is no token in the answer; look at its keys.
    case missingData(TokenSourceError, retryAfter: Duration)
    /// The source can't be had; worth another try after a while.
    case unavailable(TokenSourceError, retryAfter: Duration)
    /// The source said 403, 404 or 410 for this very trip or vehicle; stop asking.
    case denied(status: Int, retryAfter: Duration)
    /// The source handed out something that may not be used, and why.
    case unusable(TokenFault, retryAfter: Duration)
    /// Fleet Engine refused a token that was brand-new: a fault of clock, key or permission that no new token cures.
    case rejectedByService(status: Int, retryAfter: Duration)
    /// The newest token lives shorter than this caller demanded; others are served with it.
    case tooShortLived(left: Duration, wanted: Duration)
    /// Every place in the cache is held by somebody.
    case tooManyKeys(limit: Int)
    /// Too many callers wait for this one key.
    case tooManyWaiters(limit: Int)
    /// The calling task was cancelled; nobody else is affected.
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

    /// How long to wait before another call has a chance; `nil` where waiting is not what helps.
    public var retryAfter: Duration? {
        switch self {
        case .missingData(_, let delay), .unavailable(_, let delay), .denied(_, let delay), .unusable(_, let delay),
            .rejectedByService(_, let delay):
            delay
        case .noAuthorizationContext, .tooShortLived, .tooManyKeys, .tooManyWaiters, .cancelled, .closed: nil
        }
    }

    /// Whether somebody has to change something before another try can succeed.
    public var isPermanent: Bool {
        switch self {
        case .noAuthorizationContext, .missingData, .denied, .unusable, .rejectedByService, .closed: true
        case .unavailable(let cause, _): cause.isPermanent
        case .tooShortLived, .tooManyKeys, .tooManyWaiters, .cancelled: false
        }
    }
}
