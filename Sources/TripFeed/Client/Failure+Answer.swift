package import Failures
package import FleetTokens
package import FleetWire
package import TripModel

/// The failures of an answer that is no trip.
extension Failure {
    /// The service answered with an error; `retryAfter` is the wait that it requests.
    package static func service(_ answer: ServiceAnswer, retryAfter: Duration?) -> Failure {
        Failure(answer.failureCode, answer: answer, retryAfter: retryAfter)
    }

    /// The service refused the token because it breaks a rule.
    package static func refusedToken(
        _ answer: ServiceAnswer,
        because finding: TokenFinding,
        retryAfter: Duration?
    ) -> Failure {
        let code: FailureCode = answer.httpStatus == 401 ? .unauthorized : .forbidden
        return Failure(code, answer: answer, breaking: finding, retryAfter: retryAfter)
    }

    /// A web page, so the answer is not from the service.
    package static func webPage(httpStatus: Int, title: String?) -> Failure {
        Failure(.webPage).with(.status, httpStatus).with(.said, title)
    }

    /// The service redirected the request.
    ///
    /// The client does not follow, because the token must not go to another host.
    package static func redirected(httpStatus: Int) -> Failure { Failure(.redirected).with(.status, httpStatus) }

    /// The answer could not be parsed.
    package static func unreadable(_ error: WireError) -> Failure { Failure(.unreadable).with(.said, error.place) }

    /// The answer contains another trip than the requested one.
    package static func anotherTrip(_ id: JourneyID) -> Failure {
        Failure(.anotherTrip).with(.answered, id.rawValue)
    }
}

/// What a failed call shows of its answer.
extension Failure {
    /// The HTTP status of the answer; `nil` if there was none.
    package var httpStatus: Int? {
        switch code {
        case .webPage, .redirected: self[.status]
        case .unreadable, .anotherTrip: 200
        default: answer?.httpStatus
        }
    }

    /// The status of the answer if it is the failure; `nil` if there was no answer, or if its content is the failure.
    package var status: AnswerStatus? {
        switch code {
        case .webPage, .redirected: self[.status].map(AnswerStatus.http)
        default: answer?.answerStatus
        }
    }

    /// The remote side's message with the values that were wrong, or the parser's position; untrusted text, `nil` if there is none.
    package var detail: String? {
        guard !isMissingToken else { return nil }
        return answer.map(\.explanation) ?? self[.said] ?? reason
    }
}

extension WireError {
    /// The reason with its place in the message.
    fileprivate var place: String {
        switch self {
        case .notJSON(let reason): reason
        case .unexpected(let path, let reason): path.isEmpty ? reason : "\(path): \(reason)"
        case .badName(let name), .unknownName(let name, _): name
        }
    }
}
