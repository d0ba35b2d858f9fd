package import Failures
import FleetWire

/// Sends a call to a Fleet Engine and returns the complete answer; a closure that abstracts REST and gRPC.
///
/// `withGRPCTransport` implements it over gRPC, ``rest(_:at:)`` over an ``HTTPTransport``.
package struct FleetTransport: Sendable {
    /// Sends a call with a value for `authorization`, `nil` for none; throws if no complete answer was received.
    ///
    /// A status other than OK is an answer, not an error. The answer must be received within ``FleetClient/deadline``.
    package var send: @Sendable (FleetCall, _ authorization: String?) async throws(Failure) -> FleetAnswer

    /// Returns a transport that sends REST requests.
    package static func rest(_ transport: HTTPTransport, at endpoint: ServiceEndpoint) -> FleetTransport {
        FleetTransport { call, authorization throws(Failure) in
            var request = HTTPTransportRequest(url: call.url(at: endpoint), timeout: FleetClient.deadline)
            if case .searchTrips(let search, _) = call {
                (request.method, request.body) = ("POST", search.body)
            }
            if let authorization { request.headers.append(("authorization", authorization)) }
            if let project = endpoint.quotaProject(for: authorization) {
                request.headers.append(("x-goog-user-project", project))
            }
            request.headers.append(("accept", "application/json"))
            if !request.body.isEmpty { request.headers.append(("content-type", "application/json")) }
            return FleetAnswer(try await transport.send(request))
        }
    }
}

/// The answer to a call.
package struct FleetAnswer: Sendable {
    /// What is known about an answer over gRPC only.
    package struct Remote: Sendable, Equatable {
        /// The status.
        package var status: StatusCode
        /// The size of the received message in bytes; `nil` without a message.
        package var messageBytes: Int?
        /// Why the answer has no readable message, so that it has no body; `nil` if it has one.
        package var problem: String?
    }

    /// The answer over REST, or the same answer in its form: ProtoJSON, Google's error format, and the HTTP status of the same
    /// error.
    package var response: HTTPTransportResponse
    /// The status of an answer over gRPC; `nil` over REST, and if the answer is not gRPC.
    package var remote: Remote?

    /// What was sent and what came back; `nil` if the transport does not describe it.
    package var exchange: Exchange? { response.exchange }

    package init(_ response: HTTPTransportResponse, remote: Remote? = nil) {
        (self.response, self.remote) = (response, remote)
    }
}
