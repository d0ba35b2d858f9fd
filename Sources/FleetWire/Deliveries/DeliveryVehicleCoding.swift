package import FleetEngineProtos
package import TripModel

/// Delivery vehicles as messages and as ProtoJSON.
package enum DeliveryVehicleCoding {
    /// Decodes an answer to GetDeliveryVehicle or UpdateDeliveryVehicle; throws ``WireError``.
    package static func decode(_ body: [UInt8]) throws(WireError) -> DeliveryVehicle {
        let answer = try MessageAnswer<DeliveryVehicleMessage>(body)
        var reader = answer.reader
        return try reader.deliveryVehicle(answer.message)
    }

    /// Returns the vehicle of a message; throws ``WireError`` for a missing or invalid name.
    package static func vehicle(
        _ message: Maps_Fleetengine_Delivery_V1_DeliveryVehicle
    ) throws(WireError) -> DeliveryVehicle {
        var reader = MessageReader()
        return try reader.deliveryVehicle(message)
    }

    /// Returns the message of a vehicle; enum names that the schema does not have are omitted.
    package static func message(_ vehicle: DeliveryVehicle) -> Maps_Fleetengine_Delivery_V1_DeliveryVehicle {
        var writer = MessageWriter()
        writer.unknown.isKept = false
        return writer.deliveryVehicle(vehicle)
    }

    /// Encodes an answer; default values are omitted.
    package static func encode(_ vehicle: DeliveryVehicle, enums: EnumFormat = .names) -> [UInt8] {
        MessageBytes.encode(enums) { $0.deliveryVehicle(vehicle) }
    }
}
