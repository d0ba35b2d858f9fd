import FleetEngineProtos
import SwiftProtobuf

/// Answers with several tasks or delivery vehicles.
extension CollectionCoding {
    /// `BatchCreateTasksResponse`.
    package static func encode(
        created tasks: [TaskMessage],
        enums: EnumFormat = .names
    ) -> [UInt8] {
        MessageBytes.encode(enums) { _ in
            Maps_Fleetengine_Delivery_V1_BatchCreateTasksResponse.with { $0.tasks = tasks }
        }
    }

    /// `ListTasksResponse`.
    package static func encode(
        tasks: [TaskMessage],
        nextPageToken: String?,
        total: Int,
        enums: EnumFormat = .names
    ) -> [UInt8] {
        MessageBytes.encode(enums) { _ in
            Maps_Fleetengine_Delivery_V1_ListTasksResponse.with {
                $0.tasks = tasks
                $0.nextPageToken = nextPageToken ?? ""
                $0.totalSize = Int64(total)
            }
        }
    }

    /// `ListDeliveryVehiclesResponse`.
    package static func encode(
        deliveryVehicles vehicles: [DeliveryVehicleMessage],
        nextPageToken: String?,
        total: Int,
        enums: EnumFormat = .names
    ) -> [UInt8] {
        MessageBytes.encode(enums) { _ in
            Maps_Fleetengine_Delivery_V1_ListDeliveryVehiclesResponse.with {
                $0.deliveryVehicles = vehicles
                $0.nextPageToken = nextPageToken ?? ""
                $0.totalSize = Int64(total)
            }
        }
    }
}
