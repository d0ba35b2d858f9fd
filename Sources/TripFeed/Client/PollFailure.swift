package import FleetTokens
package import FleetWire
package import HTTPTransport
package import TripModel

/// Why a poll brought no trip: evidence for a sentence, a colour and an exit code.
package indirect enum PollFailure: Error, Sendable, Equatable {
    /// There was no token to ask with; `after` is the refusal by the service for which another one was needed.
    case token(TokenError, after: PollFailure? = nil)
    /// No whole answer came.
    case transport(HTTPTransportError)
    /// The service answered with an error; `retryAfter` is what it asks us to wait.
    case service(ServiceError, retryAfter: Duration?)
    /// The service refused the token, and this rule that the token breaks explains why.
    case refusedToken(ServiceError, because: TokenFinding, retryAfter: Duration?)
    /// Something that is not the service answered with a web page.
    case webPage(httpStatus: Int, title: String?)
    /// The service sent us elsewhere, where a token must not follow.
    case redirected(httpStatus: Int)
    /// The answer can't be read.
    case unreadable(WireError)
    /// The answer is about another trip than the one asked for.
    case anotherTrip(TripID)

    /// The HTTP status of the answer, where there was one.
    package var httpStatus: Int? {
        switch self {
        case .service(let error, _), .refusedToken(let error, _, _): error.httpStatus
        case .webPage(let status, _), .redirected(let status): status
        case .unreadable, .anotherTrip: 200
        case .token, .transport: nil
        }
    }

    /// What it followed from; `nil` for a first cause.
    package var cause: PollFailure? {
        guard case .token(_, let refusal) = self else { return nil }
        return refusal
    }

    /// How long the other side asks us to wait; `nil` where it does not say.
    package var retryAfter: Duration? {
        switch self {
        case .token(let error, _): error.retryAfter
        case .service(_, let delay), .refusedToken(_, _, let delay): delay
        case .transport, .webPage, .redirected, .unreadable, .anotherTrip: nil
        }
    }

    /// The first cause: what has to be cured before anything else.
    package var root: PollFailure { cause?.root ?? self }

    /// A stable name for programs: the gRPC name where the service gave one.
    package var code: String {
        switch self {
        case .token(let error, _): "TOKEN_\(error.code.uppercased())"
        case .transport(let error): "TRANSPORT_\(error.code)"
        case .service(let error, _), .refusedToken(let error, _, _): error.status ?? "HTTP_\(error.httpStatus)"
        case .webPage: "WEB_PAGE"
        case .redirected: "REDIRECTED"
        case .unreadable: "UNREADABLE"
        case .anotherTrip: "ANOTHER_TRIP"
        }
    }
}

extension HTTPTransportError {
    fileprivate var code: String {
        switch self {
        case .invalidURL: "INVALID_URL"
        case .refused: "REFUSED"
        case .unknownHost: "UNKNOWN_HOST"
        case .tls: "TLS"
        case .unusableProxy: "UNUSABLE_PROXY"
        case .timedOut: "TIMED_OUT"
        case .connectionLost: "CONNECTION_LOST"
        case .cutOff: "CUT_OFF"
        case .tooLarge: "TOO_LARGE"
        case .malformed: "MALFORMED"
        case .cancelled: "CANCELLED"
        case .other: "OTHER"
        }
    }
}
