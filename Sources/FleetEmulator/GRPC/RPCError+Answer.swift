import Failures
import FleetEngineProtos
import FleetWire
import GRPCCore
import SwiftProtobuf

/// Errors of the REST service as gRPC errors.
extension RPCError {
    /// The metadata key of the serialized `google.rpc.Status`.
    private static let detailsKey = "grpc-status-details-bin"

    /// Creates the error for an error answer; its details become `google.rpc.Status` in the trailing metadata.
    init(_ answer: HTTPTransportResponse) {
        let error = ErrorAnswer(answer.body)
        let received = error?.status.flatMap(StatusCode.init(name:)) ?? StatusCode(httpStatus: answer.status)
        let code = Status.Code(rawValue: received.rawValue).flatMap(Code.init) ?? .unknown
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
        var metadata = Metadata(dateOf: answer)
        if let bytes { metadata.addBinary(bytes, forKey: Self.detailsKey) }
        self.init(code: code, message: status.message, metadata: metadata)
    }

    /// Creates the error for an answer that did not arrive.
    init(_ error: Failure) {
        switch error.code {
        case .cancelled: self.init(code: .cancelled, message: "The call was cancelled.")
        case .timedOut: self.init(code: .deadlineExceeded, message: "The answer took too long.")
        case .malformed: self.init(code: .invalidArgument, message: "The request is not valid.")
        default: self.init(code: .unavailable, message: "The connection was closed.")
        }
        if let fault = error.exchange?.fault { metadata.addString(fault.headerValue, forKey: InjectedFault.header) }
    }
}

extension Google_Protobuf_Any {
    fileprivate var isRetryInfo: Bool { isA(Google_Rpc_RetryInfo.self) }
}
