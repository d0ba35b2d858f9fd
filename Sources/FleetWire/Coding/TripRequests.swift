package import FleetEngineProtos
import SwiftProtobuf
package import TripModel

extension TripMessage {
    /// Reads the body of CreateTrip or UpdateTrip; throws ``WireError``, also for an invalid ID or coordinate.
    package init(body: [UInt8]) throws(WireError) {
        let message = try RequestBody.decode(Self.self, from: body)
        self = try RequestBody.read { reader throws(WireError) in
            var trip = message
            try trip.check(&reader)
            return trip
        }
    }

    /// Checks a request; removes values without a meaning, and normalizes IDs.
    private mutating func check(_ reader: inout MessageReader) throws(WireError) {
        var writer = MessageWriter()
        let vehicle: VehicleID? = try vehicleID.id("vehicleId")
        vehicleID = vehicle?.rawValue ?? ""
        if hasPickupPoint { pickupPoint = TerminalMessage(try pickupPoint.checked("pickupPoint")) }
        if hasDropoffPoint { dropoffPoint = TerminalMessage(try dropoffPoint.checked("dropoffPoint")) }
        var stops: [TerminalMessage] = []
        for (index, stop) in reader.bounded(intermediateDestinations, .stops).enumerated() {
            stops.append(TerminalMessage(try stop.checked("intermediateDestinations[\(index)]")))
        }
        intermediateDestinations = stops
        vehicleWaypoints = writer.waypoints(reader.waypoints(vehicleWaypoints))
        if let stop = actualPickupPoint.stop {
            actualPickupPoint = StopMessage(stop)
        } else {
            clearActualPickupPoint()
        }
        if let stop = actualDropoffPoint.stop {
            actualDropoffPoint = StopMessage(stop)
        } else {
            clearActualDropoffPoint()
        }
        if let stop = actualPickupArrivalPoint.stop {
            actualPickupArrivalPoint = StopMessage(stop)
        } else {
            clearActualPickupArrivalPoint()
        }
        actualIntermediateDestinationArrivalPoints =
            reader.stops(actualIntermediateDestinationArrivalPoints).map(StopMessage.init)
        actualIntermediateDestinations = reader.stops(actualIntermediateDestinations).map(StopMessage.init)
        attributes = try reader.bounded(attributes, .attributes).checked("attributes").map(TripAttributeMessage.init)
    }

    /// The status; `nil` without one.
    package var status: TripStatus? {
        get { EnumNames.tripStatus.nameIfSet(tripStatus).map(TripStatus.init(name:)) }
        set { tripStatus = EnumNames.tripStatus.value(newValue?.name) }
    }
}

extension TerminalMessage {
    /// Returns the point of a location in a request.
    func checked(_ path: String) throws(WireError) -> Coordinate {
        guard let coordinate else { throw .unexpected(path: "\(path).point", reason: "not valid coordinates") }
        return coordinate
    }
}

extension String {
    /// Returns the ID in a request, normalized; `nil` if it is empty, which is the same as none.
    func id<Kind>(_ path: String) throws(WireError) -> ResourceID<Kind>? {
        guard !isEmpty else { return nil }
        do {
            return try ResourceID.normalized(self)
        } catch {
            throw .unexpected(path: path, reason: "not an ID")
        }
    }
}

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
        writer.unknown.isRetained = false
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
