import FleetWire
import GRPCCore
import Transport

extension PlainRequest {
    /// A call over gRPC for which a request stands.
    struct Remote: Sendable {
        /// The service and the method, such as `maps.fleetengine.v1.TripService/GetTrip`.
        let method: String
        /// Why the message is no request; `nil` if it is one.
        let refusal: String?

        /// The name of the method, such as `GetTrip`.
        var methodName: String { method.split(separator: "/").last.map(String.init) ?? method }

        /// The headers in which it travels within the process; listeners do not read them.
        private static let (methodHeader, refusalHeader) = ("x-grpc-method", "x-grpc-refusal")

        /// Reads the headers of a request; `nil` if it stands for no call over gRPC.
        init?(_ request: HTTPTransportRequest) {
            func value(_ name: String) -> String? { request.headers.first { $0.name == name }?.value }
            guard let method = value(Self.methodHeader) else { return nil }
            (self.method, refusal) = (method, value(Self.refusalHeader))
        }

        /// Returns the headers for a call.
        static func headers(of call: MethodDescriptor, refusal: RPCError?) -> [(name: String, value: String)] {
            [(methodHeader, call.fullyQualifiedMethod)] + (refusal.map { [(refusalHeader, $0.message)] } ?? [])
        }
    }
}
