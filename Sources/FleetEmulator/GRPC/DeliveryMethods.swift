import FleetEngineProtos
import GRPCCore
import SwiftProtobuf

/// The gRPC service `DeliveryService`.
struct DeliveryMethods: Maps_Fleetengine_Delivery_V1_DeliveryService.ServiceProtocol {
    let calls: EngineCalls

    private static let (tasks, vehicles) = ("tasks", "deliveryVehicles")

    // MARK: Tasks

    func getTaskTrackingInfo(
        request: ServerRequest<Maps_Fleetengine_Delivery_V1_GetTaskTrackingInfoRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Maps_Fleetengine_Delivery_V1_TaskTrackingInfo> {
        try await calls.perform(request, context) { message throws(RPCError) in
            try RESTRequest("GET", resource: message.name, in: "taskTrackingInfo")
        }
    }

    func createTask(
        request: ServerRequest<Maps_Fleetengine_Delivery_V1_CreateTaskRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Maps_Fleetengine_Delivery_V1_Task> {
        try await calls.perform(request, context) { message throws(RPCError) in
            var rest = try RESTRequest("POST", collection: Self.tasks, of: message.parent, body: message.task)
            rest.add("taskId", message.taskID)
            return rest
        }
    }

    func batchCreateTasks(
        request: ServerRequest<Maps_Fleetengine_Delivery_V1_BatchCreateTasksRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Maps_Fleetengine_Delivery_V1_BatchCreateTasksResponse> {
        try await calls.perform(request, context) { message throws(RPCError) in
            try RESTRequest("POST", collection: Self.tasks, of: message.parent, verb: ":batchCreate", body: message)
        }
    }

    func getTask(
        request: ServerRequest<Maps_Fleetengine_Delivery_V1_GetTaskRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Maps_Fleetengine_Delivery_V1_Task> {
        try await calls.perform(request, context) { message throws(RPCError) in
            try RESTRequest("GET", resource: message.name, in: Self.tasks)
        }
    }

    func updateTask(
        request: ServerRequest<Maps_Fleetengine_Delivery_V1_UpdateTaskRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Maps_Fleetengine_Delivery_V1_Task> {
        try await calls.perform(request, context) { message throws(RPCError) in
            var rest = try RESTRequest("PATCH", resource: message.task.name, in: Self.tasks, body: message.task)
            rest.add("updateMask", message.updateMask)
            return rest
        }
    }

    func deleteTask(
        request: ServerRequest<Maps_Fleetengine_Delivery_V1_DeleteTaskRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Google_Protobuf_Empty> {
        try await calls.perform(request, context) { message throws(RPCError) in
            try RESTRequest("DELETE", resource: message.name, in: Self.tasks)
        }
    }

    func listTasks(
        request: ServerRequest<Maps_Fleetengine_Delivery_V1_ListTasksRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Maps_Fleetengine_Delivery_V1_ListTasksResponse> {
        try await calls.perform(request, context) { message throws(RPCError) in
            var rest = try RESTRequest("GET", collection: Self.tasks, of: message.parent)
            rest.add("pageSize", message.pageSize)
            rest.add("pageToken", message.pageToken)
            rest.add("filter", message.filter)
            return rest
        }
    }

    // MARK: Vehicles

    func createDeliveryVehicle(
        request: ServerRequest<Maps_Fleetengine_Delivery_V1_CreateDeliveryVehicleRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Maps_Fleetengine_Delivery_V1_DeliveryVehicle> {
        try await calls.perform(request, context) { message throws(RPCError) in
            var rest = try RESTRequest(
                "POST",
                collection: Self.vehicles,
                of: message.parent,
                body: message.deliveryVehicle
            )
            rest.add("deliveryVehicleId", message.deliveryVehicleID)
            return rest
        }
    }

    func getDeliveryVehicle(
        request: ServerRequest<Maps_Fleetengine_Delivery_V1_GetDeliveryVehicleRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Maps_Fleetengine_Delivery_V1_DeliveryVehicle> {
        try await calls.perform(request, context) { message throws(RPCError) in
            try RESTRequest("GET", resource: message.name, in: Self.vehicles)
        }
    }

    func updateDeliveryVehicle(
        request: ServerRequest<Maps_Fleetengine_Delivery_V1_UpdateDeliveryVehicleRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Maps_Fleetengine_Delivery_V1_DeliveryVehicle> {
        try await calls.perform(request, context) { message throws(RPCError) in
            let vehicle = message.deliveryVehicle
            var rest = try RESTRequest("PATCH", resource: vehicle.name, in: Self.vehicles, body: vehicle)
            rest.add("updateMask", message.updateMask)
            return rest
        }
    }

    func deleteDeliveryVehicle(
        request: ServerRequest<Maps_Fleetengine_Delivery_V1_DeleteDeliveryVehicleRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Google_Protobuf_Empty> {
        try await calls.perform(request, context) { message throws(RPCError) in
            try RESTRequest("DELETE", resource: message.name, in: Self.vehicles)
        }
    }

    func listDeliveryVehicles(
        request: ServerRequest<Maps_Fleetengine_Delivery_V1_ListDeliveryVehiclesRequest>,
        context: ServerContext
    ) async throws -> ServerResponse<Maps_Fleetengine_Delivery_V1_ListDeliveryVehiclesResponse> {
        try await calls.perform(request, context) { message throws(RPCError) in
            var rest = try RESTRequest("GET", collection: Self.vehicles, of: message.parent)
            rest.add("pageSize", message.pageSize)
            rest.add("pageToken", message.pageToken)
            rest.add("filter", message.filter)
            if message.hasViewport { rest.add(message.viewport) }
            return rest
        }
    }
}
