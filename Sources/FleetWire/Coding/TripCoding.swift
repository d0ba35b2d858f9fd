package import FleetEngineProtos
package import TripModel

/// Trips as messages and as ProtoJSON.
package enum TripCoding {
    /// Decodes an answer to GetTrip or UpdateTrip.
    ///
    /// Unknown fields and unknown enum names are preserved, because the service may add some at any time. Lists are limited by
    /// ``ElementLimits``; ``Trip/omitted`` counts the rest. Throws ``WireError``.
    package static func decode(_ body: [UInt8]) throws(WireError) -> Trip {
        let answer = try MessageAnswer<TripMessage>(body)
        var reader = answer.reader
        var trip = try reader.trip(answer.message)
        trip.unknownFields = answer.unknownFields[""] ?? []
        trip.unreadable = answer.unreadable
        return trip
    }

    /// Returns the trip of a message; throws ``WireError`` for a missing or invalid name.
    package static func trip(_ message: Maps_Fleetengine_V1_Trip) throws(WireError) -> Trip {
        var reader = MessageReader()
        return try reader.trip(message)
    }

    /// Returns the message of a trip; enum names that the schema does not have are omitted.
    package static func message(_ trip: Trip, format: PathFormat = .points) -> Maps_Fleetengine_V1_Trip {
        var writer = MessageWriter(format: format)
        writer.unknown.isKept = false
        return writer.trip(trip)
    }

    /// Encodes an answer; default values are omitted.
    package static func encode(
        _ trip: Trip,
        format: PathFormat = .points,
        enums: EnumFormat = .names
    ) -> [UInt8] {
        MessageBytes.encode(enums) { writer in
            writer.format = format
            return writer.trip(trip)
        }
    }
}
