import FleetEngineProtos
import SwiftProtobuf
package import TripModel

/// Answers with several tasks or delivery vehicles.
extension CollectionCoding {
    /// `BatchCreateTasksResponse`.
    package static func encode(created tasks: [DeliveryTask], enums: EnumFormat = .names) -> [UInt8] {
        MessageBytes.encode(enums) { writer in
            var message = Maps_Fleetengine_Delivery_V1_BatchCreateTasksResponse()
            message.tasks = tasks.map { writer.task($0) }
            return message
        }
    }

    /// `ListTasksResponse`.
    package static func encode(
        tasks: [DeliveryTask],
        nextPageToken: String?,
        total: Int,
        enums: EnumFormat = .names
    ) -> [UInt8] {
        MessageBytes.encode(enums) { writer in
            var message = Maps_Fleetengine_Delivery_V1_ListTasksResponse()
            message.tasks = tasks.map { writer.task($0) }
            message.nextPageToken = nextPageToken ?? ""
            message.totalSize = Int64(total)
            return message
        }
    }

    /// `ListDeliveryVehiclesResponse`.
    package static func encode(
        deliveryVehicles vehicles: [DeliveryVehicle],
        nextPageToken: String?,
        total: Int,
        enums: EnumFormat = .names
    ) -> [UInt8] {
        MessageBytes.encode(enums) { writer in
            var message = Maps_Fleetengine_Delivery_V1_ListDeliveryVehiclesResponse()
            message.deliveryVehicles = vehicles.map { writer.deliveryVehicle($0) }
            message.nextPageToken = nextPageToken ?? ""
            message.totalSize = Int64(total)
            return message
        }
    }
}
