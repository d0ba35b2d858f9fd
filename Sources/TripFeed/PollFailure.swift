package import FleetTokens
package import FleetWire
package import HTTPTransport
package import TripModel

/// Why a poll brought no trip: evidence for a sentence, a colour and an exit code.
package enum PollFailure: Error, Sendable, Equatable {
    /// There was no token to ask with.
    case token(TokenError)
    /// No whole answer came.
    case transport(HTTPTransportError)
    /// The service answered with an error; `retryAfter` is what it asks us to wait.
    case service(ServiceError, retryAfter: Duration?)
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
        case .service(let error, _): error.httpStatus
        case .webPage(let status, _), .redirected(let status): status
        case .unreadable, .anotherTrip: 200
        case .token, .transport: nil
        }
    }

    /// A stable name for programs: the gRPC name where the service gave one.
    package var code: String {
        switch self {
        case .token(let error): "TOKEN_\(error.code.uppercased())"
        case .transport(let error): "TRANSPORT_\(error.code)"
        case .service(let error, _): error.status ?? "HTTP_\(error.httpStatus)"
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
