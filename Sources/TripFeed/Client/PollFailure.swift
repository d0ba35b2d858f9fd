package import Failures
package import FleetTokens
package import FleetWire
package import Foundation
import HTTPTransport
package import TripModel

/// The reason why a poll returned no trip, with the evidence and what happened before.
///
/// Two failures are equal if they are of the same kind: the evidence about equal failures differs.
package struct PollFailure: Error, Sendable, Equatable {
    /// The kinds of failures.
    package indirect enum Kind: Sendable, Equatable {
        /// There was no token.
        ///
        /// `after` is the refusal that made a new token necessary.
        case token(TokenError, after: PollFailure?)
        /// No complete answer was received.
        case transport(Failure)
        /// The service answered with an error; `retryAfter` is the wait that it requests.
        case service(ServiceError, retryAfter: Duration?)
        /// The service refused the token because it breaks this rule.
        case refusedToken(ServiceError, because: TokenFinding, retryAfter: Duration?)
        /// A web page, so the answer is not from the service.
        case webPage(httpStatus: Int, title: String?)
        /// The service redirected the request.
        ///
        /// The client does not follow, because the token must not go to another host.
        case redirected(httpStatus: Int)
        /// The answer could not be parsed.
        case unreadable(WireError)
        /// The answer contains another trip than the requested one.
        case anotherTrip(TripID)
    }

    /// The kind.
    package let kind: Kind
    /// Whether it contradicts earlier answers: it can't come from the service at the URL, so that the URL is right, or it is the
    /// service's 404 about a trip that it knew.
    package private(set) var contradictsAnswers = false
    /// What was sent and what came back; `nil` if nothing was sent, or if the failure comes from a recording.
    package private(set) var exchange: Exchange?
    /// What happened before.
    package private(set) var history = History()

    /// How long polls have failed; `nil` if it is unknown.
    package internal(set) var streak: Streak?

    /// Failed polls in a row.
    package struct Streak: Sendable, Equatable {
        /// The number of failed polls.
        package let count: Int
        /// The end of the first one, by the local clock.
        package let since: Date

        package init(count: Int, since: Date) { (self.count, self.since) = (count, since) }
    }

    /// Whether a request was sent, which requires a token.
    package var hasRequest: Bool { if case .token = kind { false } else { true } }

    /// Creates a failure without evidence.
    package init(_ kind: Kind) { self.kind = kind }

    /// Returns the failure with its evidence; one that has evidence keeps it.
    package func with(_ exchange: Exchange?, tokens: Int? = nil) -> PollFailure {
        var failure = self
        failure.exchange = self.exchange ?? exchange
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

    /// Compares kinds.
    package static func == (left: PollFailure, right: PollFailure) -> Bool {
        left.kind == right.kind && left.contradictsAnswers == right.contradictsAnswers
    }

    /// There was no token; `after` is the refusal that made a new token necessary.
    package static func token(_ error: TokenError, after refusal: PollFailure? = nil) -> PollFailure {
        PollFailure(.token(error, after: refusal))
    }

    /// No complete answer was received.
    package static func transport(_ failure: Failure) -> PollFailure {
        PollFailure(.transport(failure)).with(failure.exchange)
    }

    /// The service answered with an error.
    package static func service(_ error: ServiceError, retryAfter: Duration?) -> PollFailure {
        PollFailure(.service(error, retryAfter: retryAfter))
    }

    /// The service refused the token because it breaks a rule.
    package static func refusedToken(
        _ error: ServiceError,
        because finding: TokenFinding,
        retryAfter: Duration?
    ) -> PollFailure {
        PollFailure(.refusedToken(error, because: finding, retryAfter: retryAfter))
    }

    /// A web page.
    package static func webPage(httpStatus: Int, title: String?) -> PollFailure {
        PollFailure(.webPage(httpStatus: httpStatus, title: title))
    }

    /// The service redirected the request.
    package static func redirected(httpStatus: Int) -> PollFailure { PollFailure(.redirected(httpStatus: httpStatus)) }

    /// The answer could not be parsed.
    package static func unreadable(_ error: WireError) -> PollFailure { PollFailure(.unreadable(error)) }

    /// The answer contains another trip.
    package static func anotherTrip(_ trip: TripID) -> PollFailure { PollFailure(.anotherTrip(trip)) }
}

extension PollFailure {
    /// The HTTP status of the answer; `nil` if there was none.
    package var httpStatus: Int? {
        switch kind {
        case .service(let error, _), .refusedToken(let error, _, _): error.httpStatus
        case .webPage(let status, _), .redirected(let status): status
        case .unreadable, .anotherTrip: 200
        case .token, .transport: nil
        }
    }

    /// The failure that caused this one; `nil` if this is the root cause.
    package var cause: PollFailure? {
        guard case .token(_, let refusal) = kind else { return nil }
        return refusal
    }

    /// The wait requested by the remote side; `nil` if there is none.
    package var retryAfter: Duration? {
        switch kind {
        case .token(let error, _): error.retryAfter
        case .service(_, let delay), .refusedToken(_, _, let delay): delay
        case .transport, .webPage, .redirected, .unreadable, .anotherTrip: nil
        }
    }

    /// Whether it is a 401, 403 or 404 of a gateway or a proxy: the answer is not in the form of the service's errors.
    package var isForeignRefusal: Bool {
        guard case .service(let error, _) = kind else { return false }
        return error.isForeign && [401, 403, 404].contains(error.httpStatus)
    }

    /// The problem of the Cloud project that the service reports; `nil` if it reports none.
    package var projectProblem: ProjectProblem? {
        if case .service(let error, _) = kind { error.projectProblem } else { nil }
    }

    /// Whether the service may answer the same request soon; see ``ServiceError/isTemporary``.
    package var isTemporary: Bool {
        switch kind {
        case .service(let error, _), .refusedToken(let error, _, _): error.isTemporary
        default: false
        }
    }

    /// The root cause, which must be fixed first.
    package var root: PollFailure { cause?.root ?? self }

    /// A stable name for programs: the gRPC status if the service sent one.
    package var code: String {
        switch kind {
        case .token(let error, _): "TOKEN_\(error.code.uppercased())"
        case .transport(let error): "TRANSPORT_\(error.name.uppercased())"
        case .service(let error, _), .refusedToken(let error, _, _): error.status ?? "HTTP_\(error.httpStatus)"
        case .webPage, .redirected, .unreadable, .anotherTrip: failure.name.uppercased()
        }
    }
}
