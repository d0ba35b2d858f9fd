package import Failures
package import FleetWire
package import TripModel

/// The protocol of the calls to a Fleet Engine.
package enum ServiceProtocol: String, Sendable, Hashable, CaseIterable {
    /// JSON over HTTP.
    case rest
    /// gRPC, as Google's clients.
    case grpc
}

/// A call to the service, independent of the protocol.
package enum FleetCall: Sendable, Equatable {
    /// One trip.
    case getTrip(JourneyRequest)
    /// One shipment as its recipient sees it.
    case getTaskTrackingInfo(JourneyRequest)
    /// A page of the trips of a project.
    case searchTrips(TripSearch, in: ProviderID)

    /// Creates the call that reads a trip or a shipment.
    package init(_ request: JourneyRequest) {
        self = request.trip.kind == .trip ? .getTrip(request) : .getTaskTrackingInfo(request)
    }

    /// The request for one trip or shipment; `nil` for a search.
    package var journey: JourneyRequest? {
        switch self {
        case .getTrip(let request), .getTaskTrackingInfo(let request): request
        case .searchTrips: nil
        }
    }

    /// The path of the gRPC method.
    package var method: String {
        switch self {
        case .getTrip: "/maps.fleetengine.v1.TripService/GetTrip"
        case .getTaskTrackingInfo: "/maps.fleetengine.delivery.v1.DeliveryService/GetTaskTrackingInfo"
        case .searchTrips: "/maps.fleetengine.v1.TripService/SearchTrips"
        }
    }

    /// The message of the gRPC request as ProtoJSON.
    package var message: [UInt8] {
        switch self {
        case .getTrip(let request), .getTaskTrackingInfo(let request): request.message
        case .searchTrips(let search, let provider): search.message(in: provider)
        }
    }

    /// The value of the metadata `x-goog-request-params`; `nil` for a call without it.
    ///
    /// The routing rule of all methods is `{provider_id=providers/*}`. It matches the parent of a search but not the name of a
    /// trip or a shipment, so Google's clients send nothing with them.
    package var routing: String? {
        guard case .searchTrips(_, let provider) = self else { return nil }
        return "provider_id=providers/\(PercentEncoding.encode(provider.rawValue))"
    }

    /// Returns the URL of the request to a service.
    package func url(at endpoint: ServiceEndpoint) -> String {
        switch (endpoint.protocol, self) {
        case (.grpc, _): endpoint.baseURL + method
        case (.rest, .getTrip(let request)), (.rest, .getTaskTrackingInfo(let request)):
            endpoint.baseURL + request.target
        case (.rest, .searchTrips(_, let provider)): endpoint.baseURL + TripSearch.target(in: provider)
        }
    }

    /// Returns what a report holds about the gRPC request to a service; `nil` over REST.
    func remoteCall(at endpoint: ServiceEndpoint) -> RemoteCall? {
        guard endpoint.protocol == .grpc else { return nil }
        return RemoteCall(
            method: method,
            target: endpoint.target,
            isPlaintext: endpoint.isPlaintext,
            message: String(decoding: message, as: UTF8.self),
            routing: routing,
            options: endpoint.options
        )
    }
}

/// A gRPC request, without the token.
package struct RemoteCall: Sendable, Equatable {
    /// The path of the method, such as `/maps.fleetengine.v1.TripService/GetTrip`.
    package var method: String
    /// The host and the port.
    package var target: String
    /// Whether the connection has no TLS.
    package var isPlaintext: Bool
    /// The request's message as ProtoJSON.
    package var message: String
    /// The value of the metadata `x-goog-request-params`; `nil` without it.
    package var routing: String?
    /// The options of the commands that are shown; `nil` if they need none.
    package var options: ConnectionOptions?

    package init(
        method: String,
        target: String,
        isPlaintext: Bool,
        message: String,
        routing: String? = nil,
        options: ConnectionOptions? = nil
    ) {
        (self.method, self.target, self.isPlaintext) = (method, target, isPlaintext)
        (self.message, self.routing, self.options) = (message, routing, options)
    }
}
