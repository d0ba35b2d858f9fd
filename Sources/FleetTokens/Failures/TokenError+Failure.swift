package import Failures

extension TokenError {
    /// The failure with the values and the cause of this error.
    package var failure: Failure {
        switch self {
        case .noAuthorizationContext: Failure(.noAuthorizationContext)
        case .missingData(let cause, _): Failure(.missingData, cause: cause.failure)
        case .unavailable(let cause, _): Failure(.tokenUnavailable, cause: cause.failure)
        case .denied(let status, _):
            Failure(status == 404 || status == 410 ? .tokenNotFound : .tokenDenied, ["status": .number(status)])
        case .unusable(let fault, _): Failure(.tokenUnusable, cause: fault.failure)
        case .rejectedByService(let status, _):
            Failure(.tokenRejected, ["name": .text(status.name), "status": .text(status.label)])
        case .tooShortLived(let left, let wanted):
            Failure(.tooShortLived, ["left": .duration(left), "wanted": .duration(wanted)])
        case .tooManyKeys(let limit): Failure(.tooManyKeys, ["limit": .number(limit)])
        case .tooManyWaiters(let limit): Failure(.tooManyWaiters, ["limit": .number(limit)])
        case .cancelled: Failure(.tokenCancelled)
        case .closed: Failure(.providerClosed)
        }
    }
}
