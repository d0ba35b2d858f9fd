package import Failures
package import FleetTokens
import Runtime
package import TripModel

extension UserMessage {
    /// Describes why a trip has no token.
    package init(noToken failure: Failure, journey: JourneyID, localizer: Localizer = .english) {
        self.init(
            noToken: failure,
            for: localizer.about(journey.kind)(.tripSubject(trip: Reporter.sanitized(journey.rawValue, limit: 64))),
            localizer: localizer
        )
    }

    /// Describes why a trip has no token, with details from the token status.
    package init(
        noToken failure: Failure,
        _ status: TokenStatus,
        journey: JourneyID,
        localizer: Localizer = .english
    ) {
        let subject = localizer.about(journey.kind)(.tripSubject(trip: Reporter.sanitized(journey.rawValue, limit: 64)))
        self.init(noToken: failure, status, for: subject, localizer: localizer)
    }

    /// Describes why a token is missing, with details from its status: what the source answered, or the IDs in the rejected token.
    package init(
        noToken failure: Failure,
        _ status: TokenStatus,
        for subject: String,
        localizer: Localizer = .english
    ) {
        var known = failure.with(status.lastExchange)
        known.history.tokens = status.generation
        if failure.code == .tokenRejected { known.satisfiedRules = status.lastRejected?.findings.satisfiedRules }
        self.init(noToken: known, for: subject, localizer: localizer)
        let fault = failure.cause?.code
        switch failure.code {
        case .missingData, .tokenUnavailable, .tokenDenied, .tokenNotFound:
            // A source that answered with an error has its status.
            guard failure.code != .tokenUnavailable || failure.cause?.row.name == "status" else { break }
            guard status.lastExchange == nil, let message = status.lastAnswer?.message else { break }
            what += localizer(.saidDetail(message: Reporter.sanitized(message, limit: 160)))
        case .tokenUnusable where fault == .tokenMalformed:
            // The number of parts says no more than that it is not a JWT.
            let shape = status.lastRejected?.findings.first { $0.rule == .shape && $0.verdict == .broken }
            guard let shape, shape.sentence.key != .verdictPartCount else { break }
            let cause = localizer(shape.sentence).trimmingSuffix { ".。".contains($0) }
            what += localizer(.becauseDetail(cause: Reporter.sanitized(cause, limit: 160)))
            advice = shape.remedy.map { localizer($0) }
        case .tokenUnusable where fault == .tokenWrongAudience:
            let audience = status.lastRejected?.findings.first { $0.rule == .audience && $0.verdict == .broken }
            guard let found = audience.map({ localizer($0.sentence).trimmingSuffix { ".。".contains($0) } }) else {
                break
            }
            what += localizer(.becauseDetail(cause: Reporter.sanitized(found, limit: 160)))
        case .tokenUnusable where [.tokenBoundToAnother, .tokenIDForm, .tokenWrongKind].contains(fault):
            guard let claims = status.lastRejected?.claims else { break }
            for (kind, id) in claims.ids {
                what += localizer(.tokenNames(claim: kind.claimName, id: Reporter.sanitized(id, limit: 64)))
            }
        case .tokenRejected:
            guard let rule = status.rule(explaining: failure) else { break }
            let cause = localizer(rule.sentence).trimmingSuffix { ".。".contains($0) }
            what += localizer(.becauseDetail(cause: Reporter.sanitized(cause, limit: 160)))
            advice = rule.remedy.map { Reporter.sanitized(localizer($0), limit: 400) }
            blame(rule.diagnosis, localizer)
        default: break
        }
        guard let injected = status.injected(into: failure) else { return }
        explain(by: injected, localizer)
    }

    /// Describes why a token is missing.
    ///
    /// - Parameters:
    ///   - failure: The reason, with what the source was asked and what it answered, and with what happened before.
    ///   - subject: The owner of the token, such as `vehicle taxi-1`.
    ///   - localizer: The language.
    package init(
        noToken failure: Failure,
        for subject: String,
        localizer: Localizer = .english
    ) {
        self.init(source: failure, ["subject": subject], localizer: localizer)
        quote(failure.root.with(failure.exchange).cache, localizer)
        // A narrow panel has no space for the protocol.
        if let status = failure.rejection { short = localizer(.newTokenRefused(status: status.name)) }
        attribute(to: failure.injected, localizer)
    }

    /// Describes a failure of a token source and quotes what came back.
    package init(
        source failure: Failure,
        _ context: [String: String] = [:],
        localizer: Localizer = .english
    ) {
        self.init(failure, context, localizer: localizer)
        if let quotation = failure.exchange?.quotation, failure.isOfSource {
            what += localizer(.saidDetail(message: Reporter.sanitized(quotation, limit: 240)))
        }
    }
}

extension TokenStatus {
    /// Returns the rule that the refused token breaks; `nil` if the failure is no refusal, and if no rule explains it.
    package func rule(explaining failure: Failure) -> TokenFinding? {
        failure.rejection.flatMap { lastRejected?.findings.explanation(ofRefusalWith: $0.httpStatus) }
    }
}
