import Failures
import FleetWire
import GRPCCore
import NIOHPACK

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
