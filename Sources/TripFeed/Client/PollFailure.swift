package import Failures
package import FleetTokens
package import FleetWire
package import Foundation
package import TripModel

/// Why a poll returned no trip: the failure, what the service said, and what happened before.
package struct PollFailure: Error, Sendable, Equatable {
    /// Failed polls in a row.
    package struct Streak: Sendable, Equatable {
        /// The number of failed polls.
        package let count: Int
        /// The end of the first one, by the local clock.
        package let since: Date

        package init(count: Int, since: Date) { (self.count, self.since) = (count, since) }
    }

    /// What one kind of failure has and the others lack, outside of the value because failures are parts of many events.
    private final class Details: Sendable {
        let answer: ServiceError?
        let brokenRule: TokenFinding?
        let tokenError: TokenError?
        let retryAfter: Duration?
        let refusal: PollFailure?

        init(
            answer: ServiceError? = nil,
            brokenRule: TokenFinding? = nil,
            tokenError: TokenError? = nil,
            retryAfter: Duration? = nil,
            refusal: PollFailure? = nil
        ) {
            (self.answer, self.brokenRule, self.tokenError) = (answer, brokenRule, tokenError)
            (self.retryAfter, self.refusal) = (retryAfter, refusal)
        }

        static let none = Details()
    }

    /// What went wrong, with what was sent and what came back, without what is known about earlier answers.
    package private(set) var failure: Failure
    private let details: Details
    /// Whether it contradicts earlier answers: it can't come from the service at the URL, so that the URL is right, or it is the
    /// service's 404 about a trip that it knew.
    package private(set) var contradictsAnswers = false
    /// What happened before.
    package private(set) var history = History()
    /// How long polls have failed; `nil` if it is unknown.
    package internal(set) var streak: Streak?

    private init(_ failure: Failure, _ details: Details = .none) { (self.failure, self.details) = (failure, details) }

    /// The service's error, or a gateway's; `nil` if there was no answer or another one.
    package var answer: ServiceError? { details.answer }
    /// The rule that the refused token breaks; `nil` if no token was refused or it breaks none.
    package var brokenRule: TokenFinding? { details.brokenRule }
    /// Why there was no token; `nil` if a request was sent.
    package var tokenError: TokenError? { details.tokenError }
    /// The wait requested by the remote side or by the token provider; `nil` if there is none.
    package var retryAfter: Duration? { details.retryAfter }
    /// The refusal that made a new token necessary, if there was none; `nil` if this is the root cause.
    package var cause: PollFailure? { details.refusal }

    /// There was no token; `after` is the refusal that made a new token necessary.
    package static func token(_ error: TokenError, after refusal: PollFailure? = nil) -> PollFailure {
        PollFailure(
            error.failure,
            Details(tokenError: error, retryAfter: error.retryAfter, refusal: refusal)
        )
    }

    /// No complete answer was received.
    package static func transport(_ failure: Failure) -> PollFailure { PollFailure(failure) }

    /// The service answered with an error; `retryAfter` is the wait that it requests.
    package static func service(_ error: ServiceError, retryAfter: Duration?) -> PollFailure {
        PollFailure(Failure(error.failureCode), Details(answer: error, retryAfter: retryAfter))
    }

    /// The service refused the token because it breaks a rule.
    package static func refusedToken(
        _ error: ServiceError,
        because finding: TokenFinding,
        retryAfter: Duration?
    ) -> PollFailure {
        let code: FailureCode = error.httpStatus == 401 ? .unauthorized : .forbidden
        return PollFailure(Failure(code), Details(answer: error, brokenRule: finding, retryAfter: retryAfter))
    }

    /// A web page, so the answer is not from the service.
    package static func webPage(httpStatus: Int, title: String?) -> PollFailure {
        PollFailure(Failure(.webPage, ["status": .number(httpStatus)].with("said", title)))
    }

    /// The service redirected the request.
    ///
    /// The client does not follow, because the token must not go to another host.
    package static func redirected(httpStatus: Int) -> PollFailure {
        PollFailure(Failure(.redirected, ["status": .number(httpStatus)]))
    }

    /// The answer could not be parsed.
    package static func unreadable(_ error: WireError) -> PollFailure {
        PollFailure(Failure(.unreadable, [:].with("said", error.place)))
    }

    /// The answer contains another trip than the requested one.
    package static func anotherTrip(_ trip: TripID) -> PollFailure {
        PollFailure(Failure(.anotherTrip, ["answered": .text(trip.rawValue)]))
    }

    /// Returns the failure with its evidence; one that has evidence keeps it.
    package func with(_ exchange: Exchange?, tokens: Int? = nil) -> PollFailure {
        var failure = self
        failure.failure = self.failure.with(exchange)
        if let tokens { failure.history.tokens = tokens }
        return failure
    }

    /// Returns the failure as one after an answer of the service.
    package func followingAnswer() -> PollFailure {
        var failure = self
        failure.history.hasAnswer = true
        failure.contradictsAnswers = self.failure.code.row.afterAnswer != nil
        return failure
    }

    /// Compares everything but the evidence and the history, which differ for equal failures.
    package static func == (left: PollFailure, right: PollFailure) -> Bool {
        left.failure == right.failure && left.contradictsAnswers == right.contradictsAnswers
            && (left.details === right.details
                || left.answer == right.answer && left.brokenRule == right.brokenRule
                    && left.tokenError == right.tokenError && left.retryAfter == right.retryAfter
                    && left.cause == right.cause)
    }
}

extension PollFailure {
    /// What was sent and what came back; `nil` if nothing was sent, or if the failure comes from a recording.
    package var exchange: Exchange? { failure.exchange }

    /// Whether there was a request with a token; an injected fault may have prevented that it was sent.
    package var hasRequest: Bool { tokenError == nil }

    /// Whether a request was sent.
    package var isSent: Bool { hasRequest && injected?.isSent != false }

    /// The injected fault that explains it; `nil` if none does.
    package var injected: InjectedFault? { failure.injected }

    /// Whether an injected fault kept the request from being sent.
    package var isHeldBack: Bool { hasRequest && injected?.isSent == false }

    /// The root cause, which must be fixed first.
    package var root: PollFailure { cause?.root ?? self }

    /// Whether the only failure is that there is no token.
    package var isOnlyMissingToken: Bool { tokenError != nil && cause == nil }

    /// The HTTP status of the answer; `nil` if there was none.
    package var httpStatus: Int? {
        switch failure.code {
        case .webPage, .redirected: failure.number("status")
        case .unreadable, .anotherTrip: 200
        default: answer?.httpStatus
        }
    }

    /// The status of the answer if it is the failure; `nil` if there was no answer, or if its content is the failure.
    package var status: AnswerStatus? {
        switch failure.code {
        case .webPage, .redirected: failure.number("status").map(AnswerStatus.http)
        default: answer?.answerStatus
        }
    }

    /// The remote side's message or the parser's position; untrusted text, `nil` if there is none.
    package var detail: String? {
        guard tokenError == nil else { return nil }
        return answer.map(\.message) ?? failure.text("said") ?? failure.reason
    }

    /// Whether it is a 401, 403 or 404 of a gateway or a proxy: the answer is not in the form of the service's errors.
    package var isForeignRefusal: Bool {
        guard let answer, brokenRule == nil else { return false }
        return answer.isForeign && [401, 403, 404].contains(answer.httpStatus)
    }

    /// What the table says about it after an earlier answer; `nil` if that makes no difference.
    package var afterAnswer: FailureRow.AfterAnswer? {
        contradictsAnswers ? failure.code.row.afterAnswer : nil
    }

    /// The exit status of a program that ends with this failure.
    package var exitStatus: ExitStatus { cause?.exitStatus ?? afterAnswer?.exit ?? failure.exitStatus }

    /// A stable name for programs: the gRPC status if the service sent one.
    package var code: String {
        if let tokenError { return "TOKEN_\(tokenError.code.uppercased())" }
        if let answer { return answer.status ?? "HTTP_\(answer.httpStatus)" }
        return failure.code.nameInJSON
    }
}

extension [String: FailureValue] {
    /// Returns the values with a text, if there is one.
    fileprivate func with(_ name: String, _ text: String?) -> Self {
        merging(text.map { [name: .text($0)] } ?? [:]) { $1 }
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
