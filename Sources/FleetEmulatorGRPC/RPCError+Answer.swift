import FleetEngineProtos
import FleetWire
import GRPCCore
import HTTPTransport
import SwiftProtobuf

/// Errors of the REST service as gRPC errors.
extension RPCError {
    /// The metadata key of the serialized `google.rpc.Status`.
    private static let detailsKey = "grpc-status-details-bin"
    private static let messagePrefix = "type.googleapis.com/"

    /// Creates the error for an error answer; its details become `google.rpc.Status` in the trailing metadata.
    init(_ answer: HTTPTransportResponse) {
        let object = Self.errorObject(answer.body)
        let name = object?.fields["status"]?.stringValue
        let received = name.flatMap(StatusCode.init(name:)) ?? StatusCode(httpStatus: answer.status)
        let code = Status.Code(rawValue: received.rawValue).flatMap(Code.init) ?? .unknown
        var status = Self.status(object) ?? Google_Rpc_Status()
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
    init(_ error: HTTPTransportError) {
        switch error {
        case .cancelled: self.init(code: .cancelled, message: "The call was cancelled.")
        case .timedOut: self.init(code: .deadlineExceeded, message: "The answer took too long.")
        case .malformed: self.init(code: .invalidArgument, message: "The request is not valid.")
        default: self.init(code: .unavailable, message: "The connection was closed.")
        }
    }

    /// Returns the value of `error` in a body of Google's format.
    private static func errorObject(_ body: [UInt8]) -> Google_Protobuf_Struct? {
        // A body in another format is not an error: the HTTP status is sufficient.
        guard let wrapper = try? Google_Protobuf_Struct(jsonUTF8Bytes: body),
            case .structValue(let object)? = wrapper.fields["error"]?.kind
        else { return nil }
        return object
    }

    /// Returns the status with all details whose type is in the schema.
    private static func status(_ object: Google_Protobuf_Struct?) -> Google_Rpc_Status? {
        guard var object else { return nil }
        let details = object.fields.removeValue(forKey: "details")?.listValue.values ?? []
        var status = Google_Rpc_Status()
        status.message = object.fields["message"]?.stringValue ?? ""
        status.details = details.compactMap { detail in
            var fields = detail.structValue
            guard let type = fields.fields.removeValue(forKey: "@type")?.stringValue else { return nil }
            // A detail that the schema does not describe has no binary form.
            return try? any(fields, type)
        }
        return status
    }

    private static func any(_ fields: Google_Protobuf_Struct, _ type: String) throws -> Google_Protobuf_Any? {
        let known: [any Message.Type] = [
            Google_Rpc_ErrorInfo.self, Google_Rpc_RetryInfo.self, Google_Rpc_QuotaFailure.self, Google_Rpc_Help.self,
        ]
        guard let message = known.first(where: { messagePrefix + $0.protoMessageName == type }) else { return nil }
        var options = JSONDecodingOptions()
        options.ignoreUnknownFields = true
        let json: [UInt8] = try fields.jsonUTF8Bytes()
        return try Google_Protobuf_Any(message: message.init(jsonUTF8Bytes: json, options: options))
    }
}

extension Google_Protobuf_Any {
    fileprivate var isRetryInfo: Bool { isA(Google_Rpc_RetryInfo.self) }
}
