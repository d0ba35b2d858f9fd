package import FleetTokens
import FleetWire
import Foundation
import HTTPTransport
package import TripFeed
package import TripModel

extension UserMessage {
    /// Describes why a poll returned no trip.
    package init(_ failure: PollFailure, trip: TripID, host: String, localizer: Localizer = .english) {
        self.init(failure, subject: trip.rawValue, host: host, localizer: localizer)
    }

    /// Describes why a poll returned no trip, with details from the status of the trip's token.
    package init(
        _ failure: PollFailure,
        _ token: TokenStatus,
        trip: TripID,
        host: String,
        localizer: Localizer = .english
    ) {
        guard case .token(let error, nil) = failure else {
            self.init(failure, trip: trip, host: host, localizer: localizer)
            return
        }
        self.init(error, token, trip: trip, localizer: localizer)
    }

    /// Describes why a request failed; `subject` is the ID of the trip or of the project.
    init(_ failure: PollFailure, subject: String, host: String, localizer: Localizer) {
        let name = Reporter.sanitized(subject, limit: 64)
        let host = Reporter.sanitized(host, limit: 80)
        switch failure {
        case .token(let error, nil):
            self = UserMessage(error, for: localizer(.tripSubject, name), localizer: localizer)
        case .token(let error, let refusal?):
            // The refusal is the cause: without it, no new token would be needed. So it comes first.
            let (cause, symptom) = (
                UserMessage(refusal, subject: subject, host: host, localizer: localizer),
                UserMessage(error, for: localizer(.tripSubject, name), localizer: localizer)
            )
            self.init(cause.short, localizer(.causeAndSymptom, cause.what, symptom.what), adviceOf: cause)
        case .transport(let error):
            self = Self.transport(error, host, localizer)
        case .refusedToken(_, let rule, _):
            let cause = localizer(rule.sentence).trimmingSuffix { ".。".contains($0) }
            let said = failure.detail.map { localizer(.saidDetail, Reporter.sanitized($0, limit: 120)) } ?? ""
            self = Self.service(
                failure,
                said: said + localizer(.becauseDetail, Reporter.sanitized(cause, limit: 200)),
                trip: name,
                host: host,
                wait: "",
                localizer
            )
            advice = rule.remedy.map { Reporter.sanitized(localizer($0), limit: 400) }
        case .service(_, let retryAfter):
            let said = failure.detail.map { localizer(.saidDetail, Reporter.sanitized($0, limit: 160)) } ?? ""
            let status = failure.httpStatus ?? 0
            if failure.isForeignRefusal {
                let answer = failure.status?.label ?? ""
                self.init(localizer, .serviceShort, .foreignRefusalWhat, .foreignRefusalAdvice, answer, host, said)
                setParty(failure.party, localizer)
                return
            }
            if status == 401 || status == 403, let message = failure.detail?.trimmingFullStop, !message.isEmpty {
                // The service's message is more specific than the standard text. It comes first, because a narrow panel
                // truncates the end.
                let text = Reporter.sanitized(message, limit: 240)
                let advice: StringKey = status == 401 ? .unauthorizedAdvice : Self.forbidden(failure)
                let answer = localizer.answer(of: failure)
                self.init(localizer, .serviceShort, .refusalSaid, advice, answer, host, name, text)
                setParty(failure.party, localizer)
                return
            }
            self = Self.service(
                failure,
                said: said,
                trip: name,
                host: host,
                wait: retryAfter.map { localizer(.quotaWait, localizer.span($0)) } ?? "",
                localizer
            )
        case .webPage(let status, let title):
            let titled = title.map { localizer(.webPageTitled, Reporter.sanitized($0, limit: 60)) } ?? ""
            self.init(localizer, .webPage, .webPageWhat, .webPageAdvice, String(status), host, titled)
        case .redirected(let status):
            self.init(localizer, .redirected, .redirectedWhat, .redirectedAdvice, String(status), host)
        case .unreadable:
            let reason = failure.detail.map { ": \(Reporter.sanitized($0, limit: 160))" } ?? ""
            self.init(localizer, .unreadable, .unreadableWhat, .unreadableAdvice, host, reason)
        case .anotherTrip(let other):
            let answered = Reporter.sanitized(other.rawValue, limit: 64)
            self.init(localizer, .otherTrip, .otherTripWhat, .otherTripAdvice, host, answered, name)
        case .afterAnswer(.service):
            let said = failure.detail.map { localizer(.saidDetail, Reporter.sanitized($0, limit: 160)) } ?? ""
            let answer = localizer.answer(of: failure)
            self.init(localizer, .serviceShort, .tripGoneWhat, .tripGoneAdvice, answer, host, name, said)
        case .afterAnswer(let symptom):
            let cause = UserMessage(symptom, subject: subject, host: host, localizer: localizer)
            let advice: StringKey = failure.party == .service ? .asksOn : .otherAnswererAdvice
            self.init(cause.short, cause.what, advice: advice, localizer)
        }
        setParty(failure.party, localizer)
    }

    private static func transport(_ error: HTTPTransportError, _ host: String, _ localizer: Localizer) -> UserMessage {
        func reason(_ text: String) -> String { Reporter.sanitized(text, limit: 160) }
        return switch error {
        case .invalidURL: UserMessage(localizer, .badURL, .badURLWhat, .badURLAdvice)
        case .refused: UserMessage(localizer, .refused, .refusedWhat, .refusedAdvice, host)
        case .unknownHost: UserMessage(localizer, .unknownHost, .unknownHostWhat, .unknownHostAdvice, host)
        case .tls(let text): UserMessage(localizer, .tls, .tlsWhat, .tlsAdvice, host, reason(text))
        case .wrongPort(let text): UserMessage(localizer, .tls, .tlsWhat, .notHTTPAdvice, host, reason(text))
        case .unusableProxy(let text), .proxyFailed(let text):
            UserMessage(localizer, .badProxy, .noProxyWhat, .badProxyAdvice, host, reason(text))
        case .timedOut: UserMessage(localizer, .timedOut, .timedOutWhat, .timedOutAdvice, host)
        case .connectionLost: UserMessage(localizer, .lost, .lostWhat, .asksOn, host)
        case .cutOff: UserMessage(localizer, .cutOff, .cutOffWhat, .asksOn, host)
        case .tooLarge(let limit):
            UserMessage(localizer, .tooLarge, .tooLargeWhat, .tooLargeAdvice, host, localizer.bytes(limit))
        case .malformed(let text): UserMessage(localizer, .notHTTP, .notHTTPWhat, .notHTTPAdvice, host, reason(text))
        case .cancelled: UserMessage(localizer, .cancelled, .cancelledWhat, nil, host)
        case .other(let text):
            UserMessage(localizer, .connectionFailed, .connectionFailedWhat, .asksOn, host, reason(text))
        }
    }

    private static func service(
        _ failure: PollFailure,
        said: String,
        trip: String,
        host: String,
        wait: String,
        _ localizer: Localizer
    ) -> UserMessage {
        func sentence(_ what: StringKey, _ advice: StringKey) -> UserMessage {
            UserMessage(
                localizer,
                .serviceShort,
                what,
                advice,
                localizer.answer(of: failure),
                host,
                trip,
                said,
                wait,
                failure.status?.label ?? ""
            )
        }
        return switch failure.httpStatus ?? 0 {
        case 304: sentence(.otherStatusWhat, .notModifiedAdvice)
        case 400: sentence(.badRequestWhat, .badRequestAdvice)
        case 401: sentence(.unauthorizedWhat, .unauthorizedAdvice)
        case 403: sentence(.forbiddenWhat, forbidden(failure))
        case 404: sentence(.notFoundWhat, .notFoundAdvice)
        case 429: sentence(.quotaWhat, .quotaAdvice)
        case 504: sentence(.deadlineWhat, .asksOn)
        default:
            failure.isTemporary
                ? sentence(.unavailableWhat, .asksOn) : sentence(.otherStatusWhat, .otherStatusAdvice)
        }
    }

    /// Returns the advice for a 403 that matches the service's answer.
    private static func forbidden(_ failure: PollFailure) -> StringKey {
        if let problem = failure.projectProblem { return problem.advice }
        return failure.detail?.lowercased().contains("scope") == true ? .forbiddenScope : .forbiddenAdvice
    }
}

extension ProjectProblem {
    /// What to do about it.
    var advice: StringKey {
        switch self {
        case .apiDisabled: .forbiddenAPI
        case .blocked: .forbiddenProject
        case .unknown: .forbiddenUnknownProject
        }
    }
}

extension Localizer {
    /// Returns the status of a refusal: `403 PERMISSION_DENIED` over REST, `PERMISSION_DENIED` over gRPC.
    func answer(of failure: PollFailure) -> String {
        switch failure.status {
        case .http(let status)?:
            "\(status) \(failure.code.hasPrefix("HTTP_") ? self(.errorWord) : failure.code)"
        case .grpc?, nil: failure.code
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
