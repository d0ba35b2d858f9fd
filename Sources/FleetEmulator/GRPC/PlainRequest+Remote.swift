import Failures
import FleetEngineProtos
import FleetWire
import GRPCCore
import NIOHPACK
import Runtime
import SwiftProtobuf

extension PlainRequest {
    /// The call over gRPC that a request was made from.
    struct Remote: Sendable {
        /// The service and the method, such as `maps.fleetengine.v1.TripService/GetTrip`.
        let method: String
        /// Why the message is no request; `nil` if it is one.
        let refusal: String?

        /// The name of the method, such as `GetTrip`.
        var methodName: String { method.split(separator: "/").last.map(String.init) ?? method }

        /// The headers in which it travels within the process; listeners do not read them.
        private static let (methodHeader, refusalHeader) = ("x-grpc-method", "x-grpc-refusal")

        /// Reads the headers of a request; `nil` if it was not made from a call over gRPC.
        init?(_ request: HTTPTransportRequest) {
            func value(_ name: String) -> String? { request.headers.first { $0.name == name }?.value }
            guard let method = value(Self.methodHeader) else { return nil }
            (self.method, refusal) = (method, value(Self.refusalHeader))
        }

        /// Creates a call to a method whose message is not read.
        fileprivate init(method: String) { (self.method, refusal) = (method, nil) }

        /// Returns the headers for a call.
        static func headers(of call: MethodDescriptor, refusal: RPCError?) -> [(name: String, value: String)] {
            [(methodHeader, call.fullyQualifiedMethod)] + (refusal.map { [(refusalHeader, $0.message)] } ?? [])
        }
    }

    /// Creates the request for a call that is refused by its first headers, or before its message is complete; `nil` if they
    /// name no method.
    init?(refused headers: HPACKHeaders, _ limits: ListenerLimits) {
        guard let path = headers.first(name: ":path").map({ String($0.prefix(limits.longestTarget)) }) else {
            return nil
        }
        var read = ["host": headers.first(name: ":authority") ?? ""]
        for name in Self.readHeaders { if let value = headers.first(name: name) { read[name] = value } }
        self.init(
            method: "POST",
            target: path,
            authorization: headers.first(name: "authorization"),
            body: [],
            headers: read
        )
        remote = Remote(method: String(path.dropFirst()))
    }
}

extension PlainResponse {
    /// Creates the answer over REST that means the same as an error over gRPC.
    init(_ error: RPCError) {
        let code = StatusCode(rawValue: error.code.rawValue) ?? .unknown
        self = .error(ServiceError(httpStatus: code.httpStatus, status: code.name, message: error.message))
    }
}

/// The REST request for a gRPC call.
struct RESTRequest: Sendable {
    /// The HTTP method.
    let method: String
    /// The path and the query, percent-encoded.
    private(set) var target: String
    /// The JSON body; empty for none.
    private(set) var body: [UInt8] = []

    /// A request for no method: the service answers 404, unless it refuses the token or a fault applies.
    static let ofNoMethod = RESTRequest(target: "/v1")

    private init(target: String) { (method, self.target) = ("GET", target) }

    /// Creates the request for a call with a message.
    ///
    /// Throws `INVALID_ARGUMENT` for a name of another form, and for a value that has no form in JSON.
    init(_ method: RESTMethod, _ message: any Message) throws(RPCError) {
        let parts = RequestParts(of: message, for: method)
        let verb = method.verb.split(separator: ":")
        self.method = String(verb[0])
        target = "/v1/" + (try Self.path(parts.name, of: method)) + verb.dropFirst().map { ":" + $0 }.joined()
        do {
            if let message = parts.body { body = try message.jsonUTF8Bytes() }
        } catch {
            // For example a timestamp out of range, which has no JSON form.
            throw RPCError(code: .invalidArgument, message: "The message has no valid JSON form.", cause: error)
        }
        do throws(RequestParts.InvalidValue) {
            let query = try parts.parameters().map { "\($0.name)=\(PercentEncoding.encode($0.value))" }
            if !query.isEmpty { target += "?" + query.joined(separator: "&") }
        } catch {
            throw RPCError(code: .invalidArgument, message: "Invalid value at '\(error.field)'.", cause: error.cause)
        }
    }

    /// Returns the path of a resource, such as `providers/p/trips/t`, or of the collection of a parent, such as `providers/p`.
    private static func path(_ name: String, of method: RESTMethod) throws(RPCError) -> String {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let isName =
            method.isOfResource ? parts.count == 4 && parts[2] == method.collection : parts.count == 2
        // A colon would begin a custom verb in the path.
        guard isName, parts[0] == "providers", parts.allSatisfy({ !$0.isEmpty && !$0.contains(":") }) else {
            let form = "providers/{provider}" + (method.isOfResource ? "/\(method.collection)/{id}" : "")
            let text = "Invalid name: \(name.prefix(200)) is not of the form \(form)."
            throw RPCError(code: .invalidArgument, message: text)
        }
        let path = method.isOfResource ? parts : parts + [method.collection]
        return path.map(PercentEncoding.encode).joined(separator: "/")
    }
}

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
