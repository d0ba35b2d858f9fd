import FleetEngineProtos
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
    package static func vehicle(_ message: DeliveryVehicleMessage) throws(WireError) -> DeliveryVehicle {
        var reader = MessageReader()
        return try reader.deliveryVehicle(message)
    }
}
