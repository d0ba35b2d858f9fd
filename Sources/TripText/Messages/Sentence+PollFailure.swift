import FleetTokens
import Foundation
import HTTPTransport
package import TripFeed
package import TripModel

extension Sentence {
    /// Why a poll of a trip at a host brought no trip.
    package init(_ failure: PollFailure, trip: TripID, host: String, say: Wording = .english) {
        let name = Reporter.harmless(trip.rawValue, limit: 64)
        let host = Reporter.harmless(host, limit: 80)
        switch failure {
        case .token(let error, nil):
            self = Sentence(error, trip: trip, say: say)
        case .token(let error, let refusal?):
            // The refusal is what has to be cured; without it there would be no need of another token.
            let (cause, symptom) = (
                Sentence(refusal, trip: trip, host: host, say: say), Sentence(error, trip: trip, say: say)
            )
            self.init(cause.short, say(.causeAndSymptom, cause.what, symptom.what), adviceOf: cause)
        case .transport(let error):
            self = Self.transport(error, host, say)
        case .refusedToken(_, let rule, _):
            let cause = say(rule.sentence).trimmingSuffix { ".。".contains($0) }
            let said = failure.detail.map { say(.saidDetail, Reporter.harmless($0, limit: 120)) } ?? ""
            self = Self.service(
                failure.httpStatus ?? 0,
                code: failure.code,
                said: said + say(.becauseDetail, Reporter.harmless(cause, limit: 200)),
                trip: name,
                host: host,
                wait: "",
                say
            )
            advice = rule.remedy.map { Reporter.harmless(say($0), limit: 400) }
        case .service(_, let retryAfter):
            let said = failure.detail.map { say(.saidDetail, Reporter.harmless($0, limit: 160)) } ?? ""
            let status = failure.httpStatus ?? 0
            if status == 401 || status == 403, let message = failure.detail?.trimmingFullStop, !message.isEmpty {
                // Its own words say more than ours, and come first, where room is scarce.
                let text = Reporter.harmless(message, limit: 240)
                let code = failure.code.hasPrefix("HTTP_") ? say(.errorWord) : failure.code
                let advice: StringKey = status == 401 ? .unauthorizedAdvice : Self.forbidden(said)
                self.init(say, .serviceShort, .refusalSaid, advice, String(status), code, host, name, text)
                blame(failure.party, say)
                return
            }
            self = Self.service(
                failure.httpStatus ?? 0,
                code: failure.code,
                said: said,
                trip: name,
                host: host,
                wait: retryAfter.map { say(.quotaWait, say.span($0)) } ?? "",
                say
            )
        case .webPage(let status, let title):
            let titled = title.map { say(.webPageTitled, Reporter.harmless($0, limit: 60)) } ?? ""
            self.init(say, .webPage, .webPageWhat, .webPageAdvice, String(status), host, titled)
        case .redirected(let status):
            self.init(say, .redirected, .redirectedWhat, .redirectedAdvice, String(status), host)
        case .unreadable:
            let reason = failure.detail.map { ": \(Reporter.harmless($0, limit: 160))" } ?? ""
            self.init(say, .unreadable, .unreadableWhat, .unreadableAdvice, host, reason)
        case .anotherTrip(let other):
            let answered = Reporter.harmless(other.rawValue, limit: 64)
            self.init(say, .otherTrip, .otherTripWhat, .otherTripAdvice, host, answered, name)
        }
        blame(failure.party, say)
    }

    private static func transport(_ error: HTTPTransportError, _ host: String, _ say: Wording) -> Sentence {
        func reason(_ text: String) -> String { Reporter.harmless(text, limit: 160) }
        return switch error {
        case .invalidURL: Sentence(say, .badURL, .badURLWhat, .badURLAdvice)
        case .refused: Sentence(say, .refused, .refusedWhat, .refusedAdvice, host)
        case .unknownHost: Sentence(say, .unknownHost, .unknownHostWhat, .unknownHostAdvice, host)
        case .tls(let text): Sentence(say, .tls, .tlsWhat, .tlsAdvice, host, reason(text))
        case .unusableProxy(let text): Sentence(say, .badProxy, .noProxyWhat, .badProxyAdvice, host, reason(text))
        case .timedOut: Sentence(say, .timedOut, .timedOutWhat, .timedOutAdvice, host)
        case .connectionLost: Sentence(say, .lost, .lostWhat, .asksOn, host)
        case .cutOff: Sentence(say, .cutOff, .cutOffWhat, .asksOn, host)
        case .tooLarge(let limit): Sentence(say, .tooLarge, .tooLargeWhat, .tooLargeAdvice, host, say.bytes(limit))
        case .malformed(let text): Sentence(say, .notHTTP, .notHTTPWhat, .notHTTPAdvice, host, reason(text))
        case .cancelled: Sentence(say, .cancelled, .cancelledWhat, nil, host)
        case .other(let text): Sentence(say, .connectionFailed, .connectionFailedWhat, .asksOn, host, reason(text))
        }
    }

    private static func service(
        _ status: Int,
        code: String,
        said: String,
        trip: String,
        host: String,
        wait: String,
        _ say: Wording
    ) -> Sentence {
        func sentence(_ what: StringKey, _ advice: StringKey) -> Sentence {
            let name = code.hasPrefix("HTTP_") ? say(.errorWord) : code
            return Sentence(say, .serviceShort, what, advice, String(status), name, host, trip, said, wait)
        }
        return switch status {
        case 400: sentence(.badRequestWhat, .badRequestAdvice)
        case 401: sentence(.unauthorizedWhat, .unauthorizedAdvice)
        case 403: sentence(.forbiddenWhat, forbidden(said))
        case 404: sentence(.notFoundWhat, .notFoundAdvice)
        case 429: sentence(.quotaWhat, .quotaAdvice)
        case 504: sentence(.deadlineWhat, .asksOn)
        case 500...: sentence(.unavailableWhat, .asksOn)
        default: sentence(.otherStatusWhat, .otherStatusAdvice)
        }
    }

    /// The causes of a 403 that fit what the service said.
    private static func forbidden(_ said: String) -> StringKey {
        let words = said.lowercased()
        if words.contains("scope") { return .forbiddenScope }
        if words.contains("not been used") || words.contains("disabled") || words.contains("not enabled") {
            return .forbiddenAPI
        }
        return .forbiddenAdvice
    }
}

extension String {
    /// The text without white space around it and a full stop at its end.
    fileprivate var trimmingFullStop: String {
        let text = trimmingCharacters(in: .whitespacesAndNewlines)
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    /// The text without the characters at its end that fit.
    package func trimmingSuffix(while fits: (Character) -> Bool) -> String {
        String(self[..<(lastIndex { !fits($0) }.map(index(after:)) ?? startIndex)])
    }
}
