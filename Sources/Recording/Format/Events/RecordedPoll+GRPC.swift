import Failures
import FleetWire
import TripFeed

extension RecordedPoll {
    /// A request over gRPC.
    package struct RemoteRequest: Sendable, Equatable, Codable {
        /// The path of the method.
        package var method: String
        /// The host and the port.
        package var target: String
        /// The message as ProtoJSON.
        package var message: String
        /// `true` without TLS.
        package var isPlaintext: Bool?
        /// The file with the certificate that clients have to trust; `nil` for the system's.
        package var rootCertificate: String?

        /// Converts a request.
        init(_ call: RemoteCall) {
            method = call.method
            target = RecordedText.redacted(call.target)
            message = RecordedText.redacted(call.message, limit: 4000)
            isPlaintext = call.isPlaintext ? true : nil
            rootCertificate = call.options?[.cacert].map { RecordedText.redacted($0) }
        }
    }

    /// The request over gRPC as reported, sent or not; `nil` over REST.
    var remoteCall: RemoteCall? {
        guard let request = request ?? unsentRequest, let grpc = request.grpc else { return nil }
        return RemoteCall(
            method: grpc.method,
            target: grpc.target,
            isPlaintext: grpc.isPlaintext == true,
            message: grpc.message,
            routing: request.headers.first { $0.name == Self.routingHeader }?.value,
            options: request.options?.bounded ?? ConnectionOptions([.cacert: grpc.rootCertificate])
        )
    }

    /// The header that routes calls over gRPC.
    static let routingHeader = "x-goog-request-params"

    /// An answer over gRPC.
    package struct RemoteAnswer: Sendable, Equatable, Codable {
        /// The number of the status.
        package var code: Int
        /// The name of the status.
        package var status: String
        /// The size of the received message in bytes.
        package var messageBytes: Int?

        /// Converts an answer.
        init(_ code: StatusCode, bytes: Int?) {
            (self.code, status) = (code.rawValue, code.name)
            messageBytes = code == .ok ? bytes : nil
        }

        /// The answer; an unknown number counts as UNKNOWN.
        var remote: FleetAnswer.Remote {
            FleetAnswer.Remote(status: StatusCode(rawValue: code) ?? .unknown, messageBytes: messageBytes)
        }
    }
}
