import FleetWire
import TripModel

/// The REST routes of DeliveryService.
extension FleetRoutes {
    /// The collections of DeliveryService.
    static let deliveryCollections: Set<String> = ["tasks", "deliveryVehicles", "taskTrackingInfo"]

    /// Returns the call for a collection; `nil` if it has no such method.
    func deliveryCall(
        _ collection: String,
        _ method: String,
        _ request: PlainRequest
    ) throws(ServiceError) -> DeliveryRequest? {
        switch (collection, method) {
        case ("tasks", "POST"):
            return .createTask(try parameterID("taskId", request), try body(request, TaskMessage.init))
        case ("tasks", "POST:batchCreate"):
            let provider = service.provider
            return .batchCreateTasks(
                try body(request) { bytes throws(WireError) in try TaskBatch(body: bytes, provider: provider) }
            )
        case ("tasks", "GET"): return .listTasks(try TaskList(request))
        case ("deliveryVehicles", "POST"):
            return .createVehicle(
                try parameterID("deliveryVehicleId", request),
                try body(request, DeliveryVehicleMessage.init)
            )
        case ("deliveryVehicles", "GET"): return .listVehicles(try DeliveryVehicleList(request))
        default: return nil
        }
    }

    /// Returns the call for a resource; `nil` if it has no such method.
    func deliveryCall(
        _ collection: String,
        _ id: String,
        _ method: String,
        _ request: PlainRequest
    ) throws(ServiceError) -> DeliveryRequest? {
        switch (collection, method) {
        case ("taskTrackingInfo", "GET"): return .getTaskTrackingInfo(try parse(id))
        case ("tasks", "GET"): return .getTask(try parse(id))
        case ("tasks", "PATCH"):
            return .updateTask(try parse(id), mask(request), try body(request, TaskMessage.init))
        case ("tasks", "DELETE"): return .deleteTask(try parse(id))
        case ("deliveryVehicles", "GET"): return .getVehicle(try parse(id))
        case ("deliveryVehicles", "PATCH"):
            return .updateVehicle(try parse(id), mask(request), try body(request, DeliveryVehicleMessage.init))
        case ("deliveryVehicles", "DELETE"): return .deleteVehicle(try parse(id))
        default: return nil
        }
    }

    /// Encodes an answer of DeliveryService.
    static func body(of response: DeliveryResponse, _ enums: EnumFormat) -> [UInt8] {
        switch response {
        case .trackingInfo(let info): TaskTrackingCoding.encode(info, enums: enums)
        case .task(let task): MessageBytes.encode(task, enums: enums)
        case .created(let answer): MessageBytes.encode(answer, enums: enums)
        case .tasks(let answer): MessageBytes.encode(answer, enums: enums)
        case .vehicle(let vehicle): MessageBytes.encode(vehicle, enums: enums)
        case .vehicles(let answer): MessageBytes.encode(answer, enums: enums)
        case .empty: CollectionCoding.empty
        }
    }
}

extension TaskList {
    init(_ request: PlainRequest) throws(ServiceError) {
        self.init()
        page = try PageRequest(request)
        do throws(WireError) {
            if let text = request.parameter("filter"), !text.isEmpty { filter = try TaskFilter(text) }
        } catch {
            throw ServiceError(error)
        }
    }
}

extension DeliveryVehicleList {
    init(_ request: PlainRequest) throws(ServiceError) {
        self.init()
        page = try PageRequest(request)
        do throws(WireError) {
            if let text = request.parameter("filter"), !text.isEmpty { filter = try AttributeFilter(text) }
        } catch {
            throw ServiceError(error)
        }
        viewport = try VehicleList.Viewport(request)
    }
}

extension PageRequest {
    fileprivate init(_ request: PlainRequest) throws(ServiceError) {
        let size = try request.number("pageSize")
        do throws(WireError) {
            try self.init(size: size, token: request.parameter("pageToken"))
        } catch {
            throw ServiceError(error)
        }
    }
}
