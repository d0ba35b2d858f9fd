/// A status code of gRPC, as defined in google/rpc/code.proto.
package enum StatusCode: Int, Sendable, Hashable, Comparable, CaseIterable {
    case ok = 0
    case cancelled, unknown, invalidArgument, deadlineExceeded, notFound, alreadyExists, permissionDenied
    case resourceExhausted, failedPrecondition, aborted, outOfRange, unimplemented, `internal`, unavailable, dataLoss
    case unauthenticated

    /// Returns the code with a name, such as `NOT_FOUND`; `nil` for an unknown name.
    package init?(name: String) {
        guard let code = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = code
    }

    /// Returns the code of an answer without a status name.
    package init(httpStatus: Int) {
        self =
            switch httpStatus {
            case 200..<300: .ok
            case 400: .invalidArgument
            case 401: .unauthenticated
            case 403: .permissionDenied
            case 404: .notFound
            case 408, 504: .deadlineExceeded
            case 409: .aborted
            case 429: .resourceExhausted
            case 499: .cancelled
            case 500: .internal
            case 501: .unimplemented
            case 502, 503: .unavailable
            default: .unknown
            }
    }

    /// The name, such as `NOT_FOUND`.
    package var name: String {
        switch self {
        case .ok: "OK"
        case .cancelled: "CANCELLED"
        case .unknown: "UNKNOWN"
        case .invalidArgument: "INVALID_ARGUMENT"
        case .deadlineExceeded: "DEADLINE_EXCEEDED"
        case .notFound: "NOT_FOUND"
        case .alreadyExists: "ALREADY_EXISTS"
        case .permissionDenied: "PERMISSION_DENIED"
        case .resourceExhausted: "RESOURCE_EXHAUSTED"
        case .failedPrecondition: "FAILED_PRECONDITION"
        case .aborted: "ABORTED"
        case .outOfRange: "OUT_OF_RANGE"
        case .unimplemented: "UNIMPLEMENTED"
        case .internal: "INTERNAL"
        case .unavailable: "UNAVAILABLE"
        case .dataLoss: "DATA_LOSS"
        case .unauthenticated: "UNAUTHENTICATED"
        }
    }

    /// The HTTP status of the same error over REST, by the HTTP mapping of google/rpc/code.proto.
    package var httpStatus: Int {
        switch self {
        case .ok: 200
        case .cancelled: 499
        case .unknown, .internal, .dataLoss: 500
        case .invalidArgument, .failedPrecondition, .outOfRange: 400
        case .deadlineExceeded: 504
        case .notFound: 404
        case .alreadyExists, .aborted: 409
        case .permissionDenied: 403
        case .resourceExhausted: 429
        case .unimplemented: 501
        case .unavailable: 503
        case .unauthenticated: 401
        }
    }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
