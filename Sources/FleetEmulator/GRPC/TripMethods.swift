import FleetEngineProtos
import GRPCCore
import SwiftProtobuf

/// The gRPC service `TripService`.
struct TripMethods: Maps_Fleetengine_V1_TripService.ServiceProtocol {
    let calls: EngineCalls

    func createTrip(
        request: ServerRequest<Maps_Fleetengine_V1_CreateTripRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Maps_Fleetengine_V1_Trip> {
        try await calls.perform(request, context) { message throws(RPCError) in
            var rest = try RESTRequest("POST", collection: "trips", of: message.parent, body: message.trip)
            rest.add("tripId", message.tripID)
            return rest
        }
    }

    func getTrip(
        request: ServerRequest<Maps_Fleetengine_V1_GetTripRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Maps_Fleetengine_V1_Trip> {
        try await calls.perform(request, context) { message throws(RPCError) in
            try RESTRequest(message)
        }
    }

    func updateTrip(
        request: ServerRequest<Maps_Fleetengine_V1_UpdateTripRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Maps_Fleetengine_V1_Trip> {
        try await calls.perform(request, context) { message throws(RPCError) in
            var rest = try RESTRequest("PUT", resource: message.name, in: "trips", body: message.trip)
            rest.add("updateMask", message.updateMask)
            return rest
        }
    }

    func deleteTrip(
        request: ServerRequest<Maps_Fleetengine_V1_DeleteTripRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Google_Protobuf_Empty> {
        try await calls.perform(request, context) { message throws(RPCError) in
            try RESTRequest("DELETE", resource: message.name, in: "trips")
        }
    }

    func searchTrips(
        request: ServerRequest<Maps_Fleetengine_V1_SearchTripsRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Maps_Fleetengine_V1_SearchTripsResponse> {
        try await calls.perform(request, context) { message throws(RPCError) in
            try RESTRequest("POST", collection: "trips", of: message.parent, verb: ":search", body: message)
        }
    }

    func reportBillableTrip(
        request: ServerRequest<Maps_Fleetengine_V1_ReportBillableTripRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Google_Protobuf_Empty> {
        try await calls.perform(request, context) { message throws(RPCError) in
            try RESTRequest("POST", resource: message.name, in: "billableTrips", verb: ":report", body: message)
        }
    }
}

extension RESTRequest {
    /// Creates the request for a GetTrip call.
    fileprivate init(_ message: Maps_Fleetengine_V1_GetTripRequest) throws(RPCError) {
        try self.init("GET", resource: message.name, in: "trips")
        add("routeFormatType", message.routeFormatType)
        add("view", message.view)
        try add(
            "currentRouteSegmentVersion",
            text: message.hasCurrentRouteSegmentVersion ? message.currentRouteSegmentVersion : nil
        )
        try add(
            "currentRouteSegmentTrafficVersion",
            text: message.hasCurrentRouteSegmentTrafficVersion ? message.currentRouteSegmentTrafficVersion : nil
        )
        try add(
            "remainingWaypointsRouteVersion",
            text: message.hasRemainingWaypointsRouteVersion ? message.remainingWaypointsRouteVersion : nil
        )
        try add(
            "remainingWaypointsVersion",
            text: message.hasRemainingWaypointsVersion ? message.remainingWaypointsVersion : nil
        )
    }
}
