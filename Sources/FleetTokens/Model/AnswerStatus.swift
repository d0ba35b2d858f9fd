package import Failures

/// The status of an answer of Fleet Engine in the terms of its protocol.
public enum AnswerStatus: Sendable, Hashable, Comparable {
    /// An HTTP status.
    case http(Int)
    /// The number of a gRPC status, as defined in google/rpc/code.proto.
    case grpc(Int)

    /// The number over REST, such as `404`; the name over gRPC, such as `NOT_FOUND`.
    public var name: String { grpcStatus == nil ? "\(httpStatus)" : code.name }

    /// The name, over REST after the name of the protocol, such as `HTTP 404`.
    public var label: String { grpcStatus == nil ? "HTTP \(name)" : name }

    /// Whether the call succeeded.
    public var isSuccess: Bool { httpStatus < 300 }

    /// The HTTP status; over gRPC, the status of the same answer over REST.
    package var httpStatus: Int { if case .http(let status) = self { status } else { code.httpStatus } }

    /// The number of the gRPC status; `nil` over REST.
    package var grpcStatus: Int? { if case .grpc(let number) = self { number } else { nil } }

    /// Creates a status from the HTTP status and, for an answer over gRPC, the number of its status.
    package init(httpStatus: Int, grpcStatus: Int?) {
        self = grpcStatus.map(AnswerStatus.grpc) ?? .http(httpStatus)
    }

    /// The gRPC status of the answer; an unknown number counts as UNKNOWN, by gRPC's rule.
    private var code: StatusCode {
        switch self {
        case .http(let status): StatusCode(httpStatus: status)
        case .grpc(let number): StatusCode(rawValue: number) ?? .unknown
        }
    }
}

/// A literal is an HTTP status, so that callers over REST write `status: 401`.
extension AnswerStatus: ExpressibleByIntegerLiteral {
    /// Creates an HTTP status.
    public init(integerLiteral status: Int) { self = .http(status) }
}

extension ServiceAnswer {
    /// The status in the terms of the protocol.
    package var answerStatus: AnswerStatus {
        AnswerStatus(httpStatus: httpStatus, grpcStatus: grpcStatus?.rawValue)
    }
}

extension Call {
    /// The status of the answer; `nil` without one.
    package var status: AnswerStatus? {
        guard let answer = self.answer else { return nil }
        return answer.status.map { AnswerStatus(httpStatus: $0, grpcStatus: answer.grpcStatus) }
    }
}
