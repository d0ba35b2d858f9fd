import FleetEngineProtos
import FleetWire
import GRPCCore
import HTTPTransport
import SwiftProtobuf

/// Errors of the REST service as gRPC errors.
extension RPCError {
    /// The metadata key of the serialized `google.rpc.Status`.
    private static let detailsKey = "grpc-status-details-bin"

    /// Creates the error for an error answer; its details become `google.rpc.Status` in the trailing metadata.
    init(_ answer: HTTPTransportResponse) {
        let error = ErrorAnswer(answer.body)
        let code = error?.status.flatMap { Self.codes[$0] } ?? Self.code(ofHTTPStatus: answer.status)
        var status = Google_Rpc_Status()
        status.message = error?.message ?? ""
        status.details = error?.details.compactMap(\.packed) ?? []
        status.code = Int32(code.rawValue)
        if status.message.isEmpty { status.message = "The service answered with HTTP status \(answer.status)." }
        if let delay = answer.header("retry-after").flatMap(Int64.init), !status.details.contains(where: \.isRetryInfo)
        {
            let retry = Google_Rpc_RetryInfo.with { $0.retryDelay = Google_Protobuf_Duration(seconds: delay, nanos: 0) }
            // A message of this schema can always be packed.
            if let detail = try? Google_Protobuf_Any(message: retry) { status.details.append(detail) }
        }
        // The status line has the code and the message, too, so that losing the details is not losing the error.
        let bytes: [UInt8]? = try? status.serializedBytes()
        self.init(
            code: code,
            message: status.message,
            metadata: bytes.map { [Self.detailsKey: .binary($0)] } ?? [:]
        )
    }

    /// Creates the error for an answer that did not arrive.
    init(_ error: HTTPTransportError) {
        switch error {
        case .cancelled: self.init(code: .cancelled, message: "The call was cancelled.")
        case .timedOut: self.init(code: .deadlineExceeded, message: "The answer took too long.")
        case .malformed: self.init(code: .invalidArgument, message: "The request is not valid.")
        default: self.init(code: .unavailable, message: "The connection was closed.")
        }
    }

    /// The names of google/rpc/code.proto.
    private static let codes: [String: Code] = [
        "CANCELLED": .cancelled, "INVALID_ARGUMENT": .invalidArgument, "DEADLINE_EXCEEDED": .deadlineExceeded,
        "NOT_FOUND": .notFound, "ALREADY_EXISTS": .alreadyExists, "PERMISSION_DENIED": .permissionDenied,
        "RESOURCE_EXHAUSTED": .resourceExhausted, "FAILED_PRECONDITION": .failedPrecondition, "ABORTED": .aborted,
        "OUT_OF_RANGE": .outOfRange, "UNIMPLEMENTED": .unimplemented, "INTERNAL": .internalError,
        "UNAVAILABLE": .unavailable, "DATA_LOSS": .dataLoss, "UNAUTHENTICATED": .unauthenticated,
    ]

    /// Returns the code for an answer without a status name, by the HTTP mapping of google/rpc/code.proto.
    private static func code(ofHTTPStatus status: Int) -> Code {
        switch status {
        case 400: .invalidArgument
        case 401: .unauthenticated
        case 403: .permissionDenied
        case 404: .notFound
        case 408, 504: .deadlineExceeded
        case 409: .aborted
        case 429: .resourceExhausted
        case 499: .cancelled
        case 500: .internalError
        case 501: .unimplemented
        case 502, 503: .unavailable
        default: .unknown
        }
    }
}

extension Google_Protobuf_Any {
    fileprivate var isRetryInfo: Bool { isA(Google_Rpc_RetryInfo.self) }
}
