package import TripModel

/// Vehicles as messages and as ProtoJSON.
package enum VehicleCoding {
    /// Decodes an answer to GetVehicle or UpdateVehicle; throws ``WireError``.
    package static func decode(_ body: [UInt8]) throws(WireError) -> Vehicle {
        let answer = try MessageAnswer<VehicleMessage>(body)
        var reader = answer.reader
        return try reader.vehicle(answer.message)
    }

    /// Returns the vehicle of a message; throws ``WireError`` for a missing or invalid name.
    package static func vehicle(_ message: VehicleMessage) throws(WireError) -> Vehicle {
        var reader = MessageReader()
        return try reader.vehicle(message)
    }
}
