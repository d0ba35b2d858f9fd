import FleetEngineProtos
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
