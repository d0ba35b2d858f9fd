import Failures

/// A request that the emulator has answered, as its metrics count it.
package struct AnsweredRequest: Sendable, Hashable {
    /// The endpoint that answered.
    package enum Endpoint: String, Sendable, CaseIterable {
        /// The service, over REST or gRPC.
        case fleetEngine = "fleet_engine"
        /// The token endpoint.
        case tokens
        /// The certificates and the credential endpoints.
        case credentials

        /// Whose faults apply.
        var target: Fault.Target {
            switch self {
            case .fleetEngine: .engine
            case .tokens: .tokens
            case .credentials: .credentials
            }
        }

        /// Who answers.
        var party: Call.Party {
            switch self {
            case .fleetEngine: .service
            case .tokens: .tokens
            case .credentials: .credentials
            }
        }
    }

    /// The endpoint that answered.
    package var endpoint: Endpoint
    /// The HTTP method, `other` for an unusual one; over gRPC the method of the same call over REST.
    package var method: String
    /// The HTTP status; 0 if a fault closed the connection without an answer.
    package var status: Int

    private static let methods = Set<String>(["DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"])

    init(_ endpoint: Endpoint, _ request: PlainRequest, _ response: PlainResponse) {
        self.endpoint = endpoint
        method = Self.methods.contains(request.method) ? request.method : "other"
        status = response.delivery.share == nil ? 0 : response.status
    }
}
