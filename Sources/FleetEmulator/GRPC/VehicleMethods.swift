import FleetEngineProtos
import GRPCCore
import SwiftProtobuf

/// The gRPC service `VehicleService`.
struct VehicleMethods: Maps_Fleetengine_V1_VehicleService.ServiceProtocol {
    let calls: EngineCalls

    func createVehicle(
        request: ServerRequest<Maps_Fleetengine_V1_CreateVehicleRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Maps_Fleetengine_V1_Vehicle> {
        try await calls.perform(request, context) { message throws(RPCError) in
            var rest = try RESTRequest("POST", collection: "vehicles", of: message.parent, body: message.vehicle)
            rest.add("vehicleId", message.vehicleID)
            return rest
        }
    }

    func getVehicle(
        request: ServerRequest<Maps_Fleetengine_V1_GetVehicleRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Maps_Fleetengine_V1_Vehicle> {
        try await calls.perform(request, context) { message throws(RPCError) in
            var rest = try RESTRequest("GET", resource: message.name, in: "vehicles")
            try rest.add(
                "currentRouteSegmentVersion",
                text: message.hasCurrentRouteSegmentVersion ? message.currentRouteSegmentVersion : nil
            )
            try rest.add("waypointsVersion", text: message.hasWaypointsVersion ? message.waypointsVersion : nil)
            return rest
        }
    }

    func updateVehicle(
        request: ServerRequest<Maps_Fleetengine_V1_UpdateVehicleRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Maps_Fleetengine_V1_Vehicle> {
        try await calls.perform(request, context) { message throws(RPCError) in
            var rest = try RESTRequest("PUT", resource: message.name, in: "vehicles", body: message.vehicle)
            rest.add("updateMask", message.updateMask)
            return rest
        }
    }

    func deleteVehicle(
        request: ServerRequest<Maps_Fleetengine_V1_DeleteVehicleRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Google_Protobuf_Empty> {
        try await calls.perform(request, context) { message throws(RPCError) in
            try RESTRequest("DELETE", resource: message.name, in: "vehicles")
        }
    }

    func updateVehicleAttributes(
        request: ServerRequest<Maps_Fleetengine_V1_UpdateVehicleAttributesRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Maps_Fleetengine_V1_UpdateVehicleAttributesResponse> {
        try await calls.perform(request, context) { message throws(RPCError) in
            try RESTRequest("POST", resource: message.name, in: "vehicles", verb: ":updateAttributes", body: message)
        }
    }

    func listVehicles(
        request: ServerRequest<Maps_Fleetengine_V1_ListVehiclesRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Maps_Fleetengine_V1_ListVehiclesResponse> {
        try await calls.perform(request, context) { message throws(RPCError) in
            try RESTRequest(message)
        }
    }

    func searchVehicles(
        request: ServerRequest<Maps_Fleetengine_V1_SearchVehiclesRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Maps_Fleetengine_V1_SearchVehiclesResponse> {
        try await calls.perform(request, context) { message throws(RPCError) in
            try RESTRequest("POST", collection: "vehicles", of: message.parent, verb: ":search", body: message)
        }
    }
}

extension RESTRequest {
    /// Creates the request for a ListVehicles call.
    fileprivate init(_ message: Maps_Fleetengine_V1_ListVehiclesRequest) throws(RPCError) {
        try self.init("GET", collection: "vehicles", of: message.parent)
        add("pageSize", message.pageSize)
        add("pageToken", message.pageToken)
        // A wrapper message distinguishes zero from absence.
        if message.hasMinimumCapacity { add("minimumCapacity", String(message.minimumCapacity.value)) }
        for type in message.tripTypes { add("tripTypes", String(type.rawValue)) }
        try add("maximumStaleness", text: message.hasMaximumStaleness ? message.maximumStaleness : nil)
        for category in message.vehicleTypeCategories { add("vehicleTypeCategories", String(category.rawValue)) }
        for attribute in message.requiredAttributes { add("requiredAttributes", attribute) }
        for attributes in message.requiredOneOfAttributes { add("requiredOneOfAttributes", attributes) }
        for attributes in message.requiredOneOfAttributeSets { add("requiredOneOfAttributeSets", attributes) }
        add("vehicleState", message.vehicleState)
        if message.onTripOnly { add("onTripOnly", "true") }
        add("filter", message.filter)
        if message.hasViewport { add(message.viewport) }
    }
}
