import FleetTokens
package import TripFeed
package import TripModel

extension UserMessage {
    /// Describes why the trips of a project could not be listed.
    package init(
        _ failure: PollFailure,
        searching provider: ProviderID,
        host: String,
        say: Localizer = .english
    ) {
        let project = Reporter.sanitized(provider.rawValue, limit: 64)
        switch failure {
        case .token(let error, nil):
            self.init(error, for: say(.projectSubject, project), say: say)
            return
        case .service, .refusedToken: break
        case .token, .transport, .webPage, .redirected, .unreadable, .anotherTrip:
            self.init(failure, subject: project, host: host, say: say)
            return
        }
        let what: StringKey
        let next: StringKey
        switch failure.httpStatus {
        case 400: (what, next) = (.searchRejectedWhat, .badRequestAdvice)
        case 401: (what, next) = (.searchForbiddenWhat, .unauthorizedAdvice)
        case 403: (what, next) = (.searchForbiddenWhat, failure.isAboutTheAPI ? .forbiddenAPI : .searchForbiddenAdvice)
        case 404: (what, next) = (.searchRejectedWhat, .badRequestAdvice)
        default:
            self.init(failure, subject: project, host: host, say: say)
            return
        }
        var detail = failure.detail.map { say(.saidDetail, Reporter.sanitized($0, limit: 160)) } ?? ""
        if case .refusedToken(_, let rule, _) = failure {
            let cause = say(rule.sentence).trimmingSuffix { ".。".contains($0) }
            detail += say(.becauseDetail, Reporter.sanitized(cause, limit: 200))
        }
        let code = failure.code.hasPrefix("HTTP_") ? say(.errorWord) : failure.code
        self.init(
            say,
            .serviceShort,
            what,
            next,
            String(failure.status?.number ?? 0),
            code,
            Reporter.sanitized(host, limit: 80),
            project,
            detail
        )
        setParty(failure.party, say)
    }
}
