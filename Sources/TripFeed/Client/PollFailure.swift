package import Failures
package import FleetTokens
package import FleetWire
import HTTPTransport
package import TripModel

/// The reason why a poll returned no trip.
package indirect enum PollFailure: Error, Sendable, Equatable {
    /// There was no token.
    ///
    /// `after` is the refusal that made a new token necessary.
    case token(TokenError, after: PollFailure? = nil)
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
    /// A failure that contradicts earlier answers: one that can't come from the service at the URL, so that the URL is right, or
    /// the service's 404 about a trip that it knew.
    case afterAnswer(PollFailure)

    /// The HTTP status of the answer; `nil` if there was none.
    package var httpStatus: Int? {
        switch self {
        case .service(let error, _), .refusedToken(let error, _, _): error.httpStatus
        case .webPage(let status, _), .redirected(let status): status
        case .unreadable, .anotherTrip: 200
        case .token, .transport: nil
        case .afterAnswer(let failure): failure.httpStatus
        }
    }

    /// The failure that caused this one; `nil` if this is the root cause.
    package var cause: PollFailure? {
        guard case .token(_, let refusal) = self else { return nil }
        return refusal
    }

    /// The failure without what is known about earlier answers.
    package var symptom: PollFailure { if case .afterAnswer(let failure) = self { failure } else { self } }

    /// The wait requested by the remote side; `nil` if there is none.
    package var retryAfter: Duration? {
        switch self {
        case .token(let error, _): error.retryAfter
        case .service(_, let delay), .refusedToken(_, _, let delay): delay
        case .afterAnswer(let failure): failure.retryAfter
        case .transport, .webPage, .redirected, .unreadable, .anotherTrip: nil
        }
    }

    /// Whether it is a 401, 403 or 404 of a gateway or a proxy: the answer is not in the form of the service's errors.
    package var isForeignRefusal: Bool {
        guard case .service(let error, _) = self else { return false }
        return error.isForeign && [401, 403, 404].contains(error.httpStatus)
    }

    /// The problem of the Cloud project that the service reports; `nil` if it reports none.
    package var projectProblem: ProjectProblem? {
        if case .service(let error, _) = self { error.projectProblem } else { nil }
    }

    /// Whether the service may answer the same request soon; see ``ServiceError/isTemporary``.
    package var isTemporary: Bool {
        switch self {
        case .service(let error, _), .refusedToken(let error, _, _): error.isTemporary
        default: false
        }
    }

    /// The root cause, which must be fixed first.
    package var root: PollFailure { cause?.root ?? self }

    /// A stable name for programs: the gRPC status if the service sent one.
    package var code: String {
        switch symptom {
        case .token(let error, _): "TOKEN_\(error.code.uppercased())"
        case .transport(let error): "TRANSPORT_\(error.name.uppercased())"
        case .service(let error, _), .refusedToken(let error, _, _): error.status ?? "HTTP_\(error.httpStatus)"
        case .webPage, .redirected, .unreadable, .anotherTrip, .afterAnswer: failure.name.uppercased()
        }
    }
}
