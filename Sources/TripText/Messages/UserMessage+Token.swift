package import Failures
package import FleetTokens
import Runtime
package import TripModel

extension UserMessage {
    /// Describes why a trip has no token.
    package init(_ error: TokenError, trip: TripID, localizer: Localizer = .english) {
        self.init(
            error,
            for: localizer.about(trip.kind)(.tripSubject, ["trip": Reporter.sanitized(trip.rawValue, limit: 64)]),
            localizer: localizer
        )
    }

    /// Describes why a trip has no token, with details from the token status.
    ///
    /// `hasAnswer` is whether the service has answered for the trip before.
    package init(
        _ error: TokenError,
        _ status: TokenStatus,
        trip: TripID,
        hasAnswer: Bool = false,
        localizer: Localizer = .english
    ) {
        let subject = localizer.about(trip.kind)(.tripSubject, ["trip": Reporter.sanitized(trip.rawValue, limit: 64)])
        self.init(error, status, for: subject, hasAnswer: hasAnswer, localizer: localizer)
    }

    /// Describes why a token is missing, with details from its status: what the source answered, or the IDs in the rejected token.
    package init(
        _ error: TokenError,
        _ status: TokenStatus,
        for subject: String,
        hasAnswer: Bool = false,
        localizer: Localizer = .english
    ) {
        let history = History(tokens: status.generation, hasAnswer: hasAnswer)
        self.init(error, status.lastExchange, history, for: subject, localizer: localizer)
        let fault = error.failure.cause?.code
        switch error.failure.code {
        case .missingData, .tokenUnavailable, .tokenDenied, .tokenNotFound:
            // A source that answered with an error has its status.
            guard error.failure.code != .tokenUnavailable || error.failure.cause?.code.name == "status" else { break }
            guard status.lastExchange == nil, let message = status.lastAnswer?.message else { break }
            what += localizer(.saidDetail, ["message": Reporter.sanitized(message, limit: 160)])
        case .tokenUnusable where fault == .tokenMalformed:
            // The number of parts says no more than that it is not a JWT.
            let shape = status.lastRejected?.findings.first { $0.rule == .shape && $0.verdict == .broken }
            guard let shape, shape.sentence.key != .verdictPartCount else { break }
            let cause = localizer(shape.sentence).trimmingSuffix { ".。".contains($0) }
            what += localizer(.becauseDetail, ["cause": Reporter.sanitized(cause, limit: 160)])
            advice = shape.remedy.map { localizer($0) }
        case .tokenUnusable where fault == .tokenBoundToAnother || fault == .tokenWrongKind:
            guard let claims = status.lastRejected?.claims else { break }
            for (kind, id) in claims.ids {
                what += localizer(.tokenNames, ["claim": kind.claimName, "id": Reporter.sanitized(id, limit: 64)])
            }
        case .tokenRejected:
            guard let answer = error.rejection,
                let rule = status.lastRejected?.findings.explanation(ofRefusalWith: answer.httpStatus)
            else { break }
            let cause = localizer(rule.sentence).trimmingSuffix { ".。".contains($0) }
            what += localizer(.becauseDetail, ["cause": Reporter.sanitized(cause, limit: 160)])
            advice = rule.remedy.map { Reporter.sanitized(localizer($0), limit: 400) }
            blame(rule.diagnosis, localizer)
        default: break
        }
        guard let injected = status.injected(into: error) else { return }
        explain(by: injected, localizer)
    }

    /// Describes why a token is missing.
    ///
    /// - Parameters:
    ///   - error: The reason.
    ///   - exchange: What the source was asked and what it answered; `nil` if unknown.
    ///   - history: What happened before.
    ///   - subject: The owner of the token, such as `vehicle taxi-1`.
    ///   - localizer: The language.
    package init(
        _ error: TokenError,
        _ exchange: Exchange? = nil,
        _ history: History = History(),
        for subject: String,
        localizer: Localizer = .english
    ) {
        let failure = error.failure.with(exchange)
        let context = ["subject": subject]
        self.init(source: failure, context, history: history, localizer: localizer)
        quote(failure.root.with(failure.exchange).cache, localizer)
        // A narrow panel has no space for the protocol.
        if let status = error.rejection { short = localizer(.newTokenRefused, ["status": status.name]) }
        attribute(to: failure.injected, localizer)
    }

    /// Describes a failure of a token source and quotes what came back.
    package init(
        source failure: Failure,
        _ context: [String: String] = [:],
        history: History = History(),
        localizer: Localizer = .english
    ) {
        self.init(failure, context, history: history, localizer: localizer)
        if let quotation = failure.exchange?.quotation, failure.isOfSource {
            what += localizer(.saidDetail, ["message": Reporter.sanitized(quotation, limit: 240)])
        }
    }
}
