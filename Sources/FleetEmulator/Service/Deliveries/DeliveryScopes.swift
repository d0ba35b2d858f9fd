import FleetWire
import TripModel

/// The claims of a token in `authorization` that are about deliveries; `*` covers all IDs.
package struct DeliveryClaims: Sendable, Equatable {
    /// The claim `trackingid`, for GetTaskTrackingInfo.
    package var trackingID: String?
    /// The claim `taskid`, for calls about one task.
    package var taskID: String?
    /// The claim `taskids`, for BatchCreateTasks; it has to be the only claim.
    package var taskIDs: [String]?
    /// The claim `deliveryvehicleid`, for calls about delivery vehicles.
    package var deliveryVehicleID: String?

    /// Creates claims that cover nothing.
    package init() {}
}

/// The scopes of tokens for deliveries.
extension Caller {
    /// Throws if the claims of the token do not cover a call.
    func checkScope(for request: DeliveryRequest) throws(ServiceError) {
        if let list = delivery.taskIDs { try checkBatchScope(list) }
        switch request {
        case .getTaskTrackingInfo(let id):
            try check(delivery.trackingID, covers: id.rawValue, "trackingid")
            // A recipient's token has this claim alone. Tokens of servers and fleet readers cover everything.
            guard delivery.trackingID == "*" || hasNoClaim(besides: \.trackingID) else {
                throw .permissionDenied("The token's trackingid must be the only claim")
            }
        case .createTask(let id, _), .getTask(let id), .updateTask(let id, _, _), .deleteTask(let id):
            try check(delivery.taskID, covers: id.rawValue, "taskid")
        case .batchCreateTasks(let batch):
            guard let list = delivery.taskIDs else { throw .permissionDenied("The token has no taskids") }
            guard list == ["*"] || batch.items.allSatisfy({ list.contains($0.id.rawValue) }) else {
                throw .permissionDenied("The token's taskids are not those of the tasks")
            }
        case .listTasks: try check(delivery.taskID, covers: "*", "taskid")
        case .createVehicle(let id, _), .getVehicle(let id), .updateVehicle(let id, _, _), .deleteVehicle(let id):
            try check(delivery.deliveryVehicleID, covers: id.rawValue, "deliveryvehicleid")
        case .listVehicles: try check(delivery.deliveryVehicleID, covers: "*", "deliveryvehicleid")
        }
    }

    private func check(_ claim: String?, covers id: String, _ name: String) throws(ServiceError) {
        guard Self.covers(claim, id) else {
            throw .permissionDenied(
                id == "*"
                    ? "The token's \(name) is not *, which a list needs"
                    : "The token's \(name) is not the requested one"
            )
        }
    }

    private func checkBatchScope(_ list: [String]) throws(ServiceError) {
        guard !list.isEmpty, !list.contains("*") || list.count == 1 else {
            throw .permissionDenied("The token's taskids must be a list of IDs, or * alone")
        }
        guard hasNoClaim(besides: \.taskIDs) else {
            throw .permissionDenied("The token's taskids must be the only claim")
        }
    }

    private func hasNoClaim<Claim>(besides claim: WritableKeyPath<DeliveryClaims, Claim?>) -> Bool {
        var others = delivery
        others[keyPath: claim] = nil
        return others == DeliveryClaims() && tripID == nil && vehicleID == nil
    }
}

extension DeliveryRequest {
    /// The IAM permissions for the call, without the prefix.
    var permissions: [String] {
        switch self {
        case .getTaskTrackingInfo: ["tasktrackinginfo.get"]
        case .createTask, .batchCreateTasks: ["tasks.create"]
        case .getTask: ["tasks.get"]
        case .updateTask: ["tasks.update"]
        case .deleteTask: ["tasks.delete"]
        case .listTasks: ["tasks.list"]
        case .createVehicle: ["deliveryvehicles.create"]
        case .getVehicle: ["deliveryvehicles.get"]
        case .updateVehicle(_, let mask, _): Self.permissions(toUpdate: mask)
        case .deleteVehicle: ["deliveryvehicles.delete"]
        case .listVehicles: ["deliveryvehicles.list"]
        }
    }

    /// Each group of fields needs a permission of its own.
    private static func permissions(toUpdate mask: FieldMask) -> [String] {
        let needed = mask.paths.map { path in
            if DeliveryVehicleRecord.reported.contains(path) { return "deliveryvehicles.updateLocation" }
            return path == DeliveryVehicleRecord.stops
                ? "deliveryvehicles.updateVehicleStops" : "deliveryvehicles.update"
        }
        return needed.isEmpty ? ["deliveryvehicles.updateLocation"] : Set(needed).sorted()
    }
}
