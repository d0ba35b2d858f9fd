package import Failures
package import FleetTokens
import Foundation
import Runtime
package import TripFeed
package import TripModel

extension UserMessage {
    /// Describes why a poll returned no trip; `name` is the ``TripModel/JourneyID/name`` of the trip or the shipment.
    package init(_ failure: Failure, name: String, host: String, localizer: Localizer) {
        let journey = JourneyName(name, as: .trip)
        self.init(failure, subject: journey.id, host: host, localizer: localizer.about(journey.kind))
    }

    /// Describes why a poll returned no trip.
    ///
    /// - Parameters:
    ///   - failure: The failure of the poll.
    ///   - token: The status of the trip's token that explains it; `nil` if none does. All outputs get it from
    ///     ``FleetTokens/TokenStatus/explaining(_:)``.
    ///   - journey: The journey.
    ///   - host: The host of the service.
    ///   - localizer: The language.
    package init(
        _ failure: Failure,
        _ token: TokenStatus?,
        journey: JourneyID,
        host: String,
        localizer: Localizer = .english
    ) {
        guard let token, failure.isOnlyMissingToken else {
            self.init(failure, subject: journey.rawValue, host: host, localizer: localizer.about(journey.kind))
            return
        }
        // An answer of the service says nothing about the source of tokens.
        self.init(noToken: failure.with(History()), token, journey: journey, localizer: localizer)
    }

    /// Describes why a request failed; `subject` is the ID of the trip or of the project.
    init(_ failure: Failure, subject: String, host: String, localizer: Localizer) {
        let name = Reporter.sanitized(subject, limit: 64)
        let host = Reporter.sanitized(host, limit: 80)
        /// Returns the remote side's message in brackets, or nothing.
        func said(limit: Int = 160) -> String {
            failure.detail.map { localizer(.saidDetail(message: Reporter.sanitized($0, limit: limit))) } ?? ""
        }
        var context = ["host": host, "trip": name, "asked": name, "detail": said()]
        if let status = failure.status { context["answer"] = status.label }
        let subjectOfToken = localizer(.tripSubject(trip: name))
        if failure.isMissingToken {
            self = UserMessage(noToken: failure, for: subjectOfToken, localizer: localizer)
            if let refusal = failure.history.refusal {
                // The refusal is the cause: without it, no new token would be needed. So it comes first.
                let cause = UserMessage(refusal, subject: subject, host: host, localizer: localizer)
                let what = localizer(.causeAndSymptom(cause: cause.what, symptom: what))
                self.init(cause.short, what, adviceOf: cause)
                fault = cause.fault
            }
        } else if let rule = failure.brokenRule, failure.proxyAnswer != .marked {
            let cause = localizer(rule.sentence).trimmingSuffix { ".。".contains($0) }
            context["status"] = localizer.answer(of: failure)
            context["detail"] =
                said(limit: 120) + localizer(.becauseDetail(cause: Reporter.sanitized(cause, limit: 200)))
            self.init(failure, context, localizer: localizer)
            advice = rule.remedy.map { Reporter.sanitized(localizer($0), limit: 400) }
        } else if failure.answer != nil {
            let texts = failure.row.texts
            context["status"] = failure.isForeignRefusal ? context["answer"] : localizer.answer(of: failure)
            context["wait"] = failure.retryAfter.map { localizer(.quotaWait(duration: localizer.span($0))) }
            if failure.proxyAnswer == nil, let what = texts.whatIfSaid,
                let message = failure.detail?.trimmingFullStop, !message.isEmpty
            {
                // The service's message is more specific than the standard text. It comes first, because a narrow panel
                // truncates the end.
                context["message"] = Reporter.sanitized(message, limit: 240)
                self.init(localizer, texts.short, what, texts.advice, context)
                advise(about: failure, localizer)
            } else {
                self.init(failure, context, localizer: localizer)
            }
        } else {
            if failure.code == .webPage {
                let title = failure.detail
                context["title"] = title.map { localizer(.webPageTitled(title: Reporter.sanitized($0, limit: 60))) }
            } else if failure.code == .unreadable {
                context["reason"] = failure.detail.map { ": \(Reporter.sanitized($0, limit: 160))" }
            }
            self.init(failure, context, localizer: localizer)
        }
        if let after = failure.afterAnswer {
            context["status"] = localizer.answer(of: failure)
            let what = after.what.map { key in localizer.text(key) { context[String($0)] } }
            self.init(short, what ?? self.what, adviceKey: after.advice, localizer)
        }
        quote(failure, localizer)
        quote(failure.cache, localizer)
        blame(Diagnosis(failure), localizer)
        attribute(to: failure.injected, localizer)
    }
}

extension UserMessage {
    /// Quotes what came instead of an answer of the service, unless the sentence has its words.
    private mutating func quote(_ failure: Failure, _ localizer: Localizer) {
        let isUnread = [.webPage, .redirected, .unreadable].contains(failure.code)
        guard isUnread || failure.isForeignRefusal else { return }
        let isSaid = failure.detail?.isEmpty == false
        guard let quotation = failure.exchange?.quotation(hasMessage: !isSaid) else { return }
        what += localizer(.saidDetail(message: Reporter.sanitized(quotation, limit: 200)))
    }
}

extension Localizer {
    /// Returns the status of a refusal: `403 PERMISSION_DENIED` over REST, `PERMISSION_DENIED` over gRPC.
    func answer(of failure: Failure) -> String {
        switch failure.status {
        case .http(let status)?:
            "\(status) \(failure.nameInJSON.hasPrefix("HTTP_") ? self(.errorWord) : failure.nameInJSON)"
        case .grpc?, nil: failure.nameInJSON
        }
    }
}

extension String {
    /// The text without surrounding white space and a final full stop.
    fileprivate var trimmingFullStop: String {
        let text = trimmingCharacters(in: .whitespacesAndNewlines)
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    /// Returns the text without the trailing characters that match a condition.
    package func trimmingSuffix(while fits: (Character) -> Bool) -> String {
        String(self[..<(lastIndex { !fits($0) }.map(index(after:)) ?? startIndex)])
    }
}

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

extension UserMessage {
    /// Describes which clock is wrong; `nil` if all agree.
    package init?(_ verdict: ClockVerdict, localizer: Localizer = .english) {
        switch verdict {
        case .agree: return nil
        case .endpoint(let offset):
            let difference = localizer.span(offset)
            self.init(
                localizer,
                .clocksDiffer,
                offset < .zero
                    ? .endpointAloneBehind(difference: difference) : .endpointAloneAhead(difference: difference),
                .setEndpointClock
            )
            blame(Diagnosis([Diagnosis.Suspect(.endpointClock, .likely, .othersAgree)]), localizer)
        case .service(let offset):
            let difference = localizer.span(offset)
            self.init(
                localizer,
                .clocksDiffer,
                offset < .zero
                    ? .serviceAloneBehind(difference: difference) : .serviceAloneAhead(difference: difference),
                .setServiceClock
            )
            blame(Diagnosis([Diagnosis.Suspect(.serviceClock, .likely, .othersAgree)]), localizer)
        case .here(let offset):
            let difference = localizer.span(offset)
            self.init(
                localizer,
                .clocksDiffer,
                offset < .zero ? .clockHereAhead(difference: difference) : .clockHereBehind(difference: difference),
                .setClock
            )
            blame(Diagnosis([Diagnosis.Suspect(.clockHere, .likely, .rarelyWrong)]), localizer)
        case .injected(let offset):
            let difference = localizer.span(offset)
            // An audience does not learn that a fault is injected.
            if localizer.hidesFaults {
                self.init(
                    localizer,
                    .clocksDiffer,
                    offset < .zero ? .clockHereAhead(difference: difference) : .clockHereBehind(difference: difference)
                )
            } else {
                self.init(
                    localizer,
                    .clocksDiffer,
                    offset < .zero
                        ? .clockInjectedBehind(difference: difference) : .clockInjectedAhead(difference: difference)
                )
            }
            blame(.injected, localizer)
        }
    }
}
