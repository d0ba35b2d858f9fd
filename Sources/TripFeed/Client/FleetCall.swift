import Failures
package import FleetWire
import Runtime
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
        self = request.journey.kind == .trip ? .getTrip(request) : .getTaskTrackingInfo(request)
    }

    /// The request for one trip or shipment; `nil` for a search.
    package var journey: JourneyRequest? {
        switch self {
        case .getTrip(let request), .getTaskTrackingInfo(let request): request
        case .searchTrips: nil
        }
    }

    /// The method of the service, with the types of its messages.
    package var serviceMethod: RESTMethod {
        switch self {
        case .getTrip: .getTrip
        case .getTaskTrackingInfo: .getTaskTrackingInfo
        case .searchTrips: .searchTrips
        }
    }

    /// The path of the gRPC method.
    package var method: String { "/\(serviceMethod.service)/\(serviceMethod.name)" }

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

    /// Returns the stored part of the request to a service.
    func request(at endpoint: ServiceEndpoint) -> Call.Request {
        let (url, options) = (url(at: endpoint), endpoint.options)
        switch (endpoint.protocol, self) {
        case (.grpc, _):
            let routing = routing.map { [HeaderField(name: Self.routingHeader, value: $0)] } ?? []
            let headers = [Call.Request.authorization] + routing
            return Call.Request(own: "POST", url, over: .grpc, headers: headers, body: message, options: options)
        case (.rest, .getTrip), (.rest, .getTaskTrackingInfo): return Call.Request(own: "GET", url, options: options)
        case (.rest, .searchTrips(let search, _)):
            let headers = Call.Request.ownHeaders + [HeaderField(name: "content-type", value: "application/json")]
            return Call.Request(own: "POST", url, headers: headers, body: search.body, options: options)
        }
    }

    /// The header that routes calls over gRPC.
    package static let routingHeader = "x-goog-request-params"

    /// What is asked for.
    var operation: Call.Operation {
        switch self {
        case .getTrip: .getTrip
        case .getTaskTrackingInfo: .getTaskTrackingInfo
        case .searchTrips: .searchTrips
        }
    }
}

extension FleetAnswer {
    /// Returns the answer as the session interprets, shows and records it: without tokens.
    ///
    /// A recording has no tokens, so a session that interpreted one would show something else than its replay. A body that is
    /// too large to be recorded completely stays as received; what is shown of it is redacted when it is drawn. So does an
    /// answer about a trip whose ID is part of the token, because it would be about another trip without it.
    ///
    /// - Returns: `nil` if it stays as received without being searched.
    func redacted(about id: JourneyID) -> FleetAnswer? {
        guard !response.body.isEmpty, response.body.count <= StoredBody.largest,
            AnswerText.redacted(id.rawValue) == id.rawValue
        else { return nil }
        var answer = self
        answer.response.body = AnswerText.redacted(response.body, isRefusal: response.status >= 300)
        return answer
    }
}
