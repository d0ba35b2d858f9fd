/// How far an attempt came that failed.
extension Failure {
    /// Whether a request was sent: there was a token, and no injected fault prevented it.
    package var isSent: Bool { !isMissingToken && injected?.isSent != false }

    /// Whether an injected fault prevented the request from being sent.
    package var isHeldBack: Bool { !isMissingToken && injected?.isSent == false }

    /// The first failure of the chain, which must be fixed first: the refusal that made a new token necessary, if there was one.
    package var origin: Failure { history.refusal?.origin ?? self }

    /// Whether the only failure is that there is no token.
    package var isOnlyMissingToken: Bool { isMissingToken && history.refusal == nil }

    /// Whether it is a 401, 403 or 404 of a gateway or a proxy: the answer is not in the form of the service's errors.
    package var isForeignRefusal: Bool {
        guard let answer, brokenRule == nil else { return false }
        return answer.isForeign && [401, 403, 404].contains(answer.httpStatus)
    }
}
