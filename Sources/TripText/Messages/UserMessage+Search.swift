package import Failures
import FleetTokens
import Runtime
import TripFeed
package import TripModel

extension UserMessage {
    /// Describes why the trips of a project could not be listed.
    package init(
        _ failure: Failure,
        searching provider: ProviderID,
        host: String,
        localizer: Localizer = .english
    ) {
        let project = Reporter.sanitized(provider.rawValue, limit: 64)
        if failure.isOnlyMissingToken {
            self.init(
                noToken: failure.with(History()),
                for: localizer(.projectSubject(project: project)),
                localizer: localizer
            )
            return
        }
        let texts = failure.row.texts
        guard let what = texts.listing, !failure.contradictsAnswers, failure.proxyAnswer == nil else {
            self.init(failure, subject: project, host: host, localizer: localizer)
            return
        }
        var detail =
            failure.detail.map { localizer(.saidDetail(message: Reporter.sanitized($0, limit: 160))) } ?? ""
        if let rule = failure.brokenRule {
            let cause = localizer(rule.sentence).trimmingSuffix { ".。".contains($0) }
            detail += localizer(.becauseDetail(cause: Reporter.sanitized(cause, limit: 200)))
        }
        let values = [
            "status": localizer.answer(of: failure), "host": Reporter.sanitized(host, limit: 80), "project": project,
            "trip": project, "detail": detail,
        ]
        self.init(localizer, texts.short, what, texts.listingAdvice ?? texts.advice, values)
        if texts.listingAdvice == nil { advise(about: failure, ruledOut: [.noIdentity], localizer) }
        // The advice about a 403 is about the role of the account, which the rules of a token do not know.
        if failure.httpStatus == 401, let remedy = failure.brokenRule?.remedy {
            advice = Reporter.sanitized(localizer(remedy), limit: 400)
        }
        blame(Diagnosis(failure), localizer)
        attribute(to: failure.injected, localizer)
    }
}
