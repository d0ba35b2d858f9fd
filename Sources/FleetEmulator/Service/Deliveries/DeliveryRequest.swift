package import FleetEngineProtos
package import FleetWire
import Foundation
import SwiftProtobuf
package import TripModel

/// A call of DeliveryService, independent of the transport.
package enum DeliveryRequest: Sendable {
    case getTaskTrackingInfo(TrackingID)
    case createTask(TaskID, TaskMessage)
    case batchCreateTasks(TaskBatch)
    case getTask(TaskID)
    case updateTask(TaskID, FieldMask, TaskMessage)
    case deleteTask(TaskID)
    case listTasks(TaskList)
    case createVehicle(DeliveryVehicleID, DeliveryVehicleMessage)
    case getVehicle(DeliveryVehicleID)
    case updateVehicle(DeliveryVehicleID, FieldMask, DeliveryVehicleMessage)
    case deleteVehicle(DeliveryVehicleID)
    case listVehicles(DeliveryVehicleList)
}

/// The result of a call of DeliveryService.
package enum DeliveryResponse: Sendable, Equatable {
    case trackingInfo(TaskTrackingInfo)
    case task(TaskMessage)
    case created(Maps_Fleetengine_Delivery_V1_BatchCreateTasksResponse)
    case tasks(Maps_Fleetengine_Delivery_V1_ListTasksResponse)
    case vehicle(DeliveryVehicleMessage)
    case vehicles(Maps_Fleetengine_Delivery_V1_ListDeliveryVehiclesResponse)
    case empty
}

extension DeliveryWorld {
    /// Performs a call at a time.
    mutating func perform(
        _ request: DeliveryRequest,
        at now: Date
    ) throws(ServiceError) -> DeliveryResponse {
        switch request {
        case .getTaskTrackingInfo(let id): return .trackingInfo(try trackingInfo(id, at: now))
        case .createTask(let id, let body): return .task(try createTask(id, body, at: now))
        case .batchCreateTasks(let batch):
            let tasks = try createTasks(batch, at: now)
            return .created(.with { $0.tasks = tasks })
        case .getTask(let id): return .task(try task(id, at: now))
        case .updateTask(let id, let mask, let body): return .task(try updateTask(id, mask: mask, body, at: now))
        case .deleteTask(let id):
            try deleteTask(id)
            return .empty
        case .listTasks(let list):
            let page = try listTasks(list, at: now)
            return .tasks(
                .with {
                    ($0.tasks, $0.nextPageToken, $0.totalSize) = (page.items, page.next ?? "", Int64(page.total))
                }
            )
        case .createVehicle(let id, let body): return .vehicle(try createVehicle(id, body, at: now))
        case .getVehicle(let id): return .vehicle(try vehicle(id, at: now))
        case .updateVehicle(let id, let mask, let body):
            return .vehicle(try updateVehicle(id, mask: mask, body, at: now))
        case .deleteVehicle(let id):
            try deleteVehicle(id)
            return .empty
        case .listVehicles(let list):
            let page = try listVehicles(list)
            return .vehicles(
                .with {
                    ($0.deliveryVehicles, $0.nextPageToken, $0.totalSize) = (
                        page.items, page.next ?? "", Int64(page.total)
                    )
                }
            )
        }
    }
}

/// The parameters of ListTasks.
package struct TaskList: Sendable, Equatable {
    package var page = PageRequest()
    /// The filter; `nil` for all tasks.
    package var filter: TaskFilter?

    /// Creates a request for all tasks.
    package init() {}
}

/// The parameters of ListDeliveryVehicles.
package struct DeliveryVehicleList: Sendable, Equatable {
    package var page = PageRequest()
    /// The filter on attributes; `nil` for all vehicles.
    package var filter: AttributeFilter?
    /// The rectangle of the last positions.
    package var viewport: VehicleList.Viewport?

    /// Creates a request for all vehicles.
    package init() {}
}
