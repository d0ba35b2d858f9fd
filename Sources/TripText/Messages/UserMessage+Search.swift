import FleetTokens
package import TripFeed
package import TripModel

extension UserMessage {
    /// Describes why the trips of a project could not be listed.
    package init(
        _ failure: PollFailure,
        searching provider: ProviderID,
        host: String,
        localizer: Localizer = .english
    ) {
        let project = Reporter.sanitized(provider.rawValue, limit: 64)
        switch failure {
        case .token(let error, nil):
            self.init(error, for: localizer(.projectSubject, project), localizer: localizer)
            return
        case .service where failure.isForeignRefusal:
            self.init(failure, subject: project, host: host, localizer: localizer)
            return
        case .service, .refusedToken: break
        case .token, .transport, .webPage, .redirected, .unreadable, .anotherTrip, .afterAnswer:
            self.init(failure, subject: project, host: host, localizer: localizer)
            return
        }
        let what: StringKey
        let next: StringKey
        switch failure.httpStatus {
        case 400: (what, next) = (.searchRejectedWhat, .badRequestAdvice)
        case 401: (what, next) = (.searchForbiddenWhat, .unauthorizedAdvice)
        case 403: (what, next) = (.searchForbiddenWhat, failure.projectProblem?.advice ?? .searchForbiddenAdvice)
        case 404: (what, next) = (.searchRejectedWhat, .badRequestAdvice)
        default:
            self.init(failure, subject: project, host: host, localizer: localizer)
            return
        }
        var detail = failure.detail.map { localizer(.saidDetail, Reporter.sanitized($0, limit: 160)) } ?? ""
        if case .refusedToken(_, let rule, _) = failure {
            let cause = localizer(rule.sentence).trimmingSuffix { ".。".contains($0) }
            detail += localizer(.becauseDetail, Reporter.sanitized(cause, limit: 200))
        }
        self.init(
            localizer,
            .serviceShort,
            what,
            next,
            localizer.answer(of: failure),
            Reporter.sanitized(host, limit: 80),
            project,
            detail
        )
        setParty(failure.party, localizer)
    }
}
