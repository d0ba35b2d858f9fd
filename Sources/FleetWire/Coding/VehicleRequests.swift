import FleetEngineProtos
import SwiftProtobuf
package import TripModel

extension VehicleMessage {
    /// Reads the body of CreateVehicle or UpdateVehicle; throws ``WireError``.
    package init(body: [UInt8]) throws(WireError) {
        let message = try RequestBody.decode(Self.self, from: body)
        self = try RequestBody.read { reader throws(WireError) in
            var vehicle = message
            try vehicle.check(&reader)
            return vehicle
        }
    }

    /// Checks a request; removes values without a meaning.
    private mutating func check(_ reader: inout MessageReader) throws(WireError) {
        var writer = MessageWriter()
        _ = reader.tripTypes(supportedTripTypes)
        if vehicleType.category.rawValue == 0 { clearVehicleType() }
        if hasLastLocation { lastLocation = try lastLocation.checked("lastLocation", reader) }
        _ = reader.path([], encoded: currentRouteSegment)
        if hasCurrentRouteSegmentEndPoint {
            currentRouteSegmentEndPoint = writer.waypoint(reader.waypoint(currentRouteSegmentEndPoint))
        }
        _ = reader.bounded(currentRouteSegmentTraffic.trafficRendering.roadStretch, .trafficIntervals)
        waypoints = writer.waypoints(reader.waypoints(waypoints))
        attributes = try reader.bounded(attributes, .attributes).checked("attributes").map(VehicleAttributeMessage.init)
        if let plate = licensePlate.plate {
            (licensePlate.countryCode, licensePlate.lastCharacter) = (plate.country, plate.lastCharacter ?? "")
        } else {
            clearLicensePlate()
        }
        var past: [LocationMessage] = []
        for (index, location) in reader.bounded(pastLocations, .pastLocations).enumerated() {
            past.append(try location.checked("pastLocations[\(index)]", reader))
        }
        pastLocations = past
        if hasDeviceSettings { deviceSettings = writer.deviceSettings(reader.deviceSettings(deviceSettings)) }
    }

    /// The supported trip types.
    package var tripTypes: [TripType] { supportedTripTypes.map { TripType(name: EnumNames.tripType.name($0)) } }
    /// The category of the vehicle type, by its API name; `nil` without one.
    package var category: String? { EnumNames.category.nameIfSet(vehicleType.category) }
    /// Whether the vehicle accepts trips.
    package var state: Vehicle.State { Vehicle.State(name: EnumNames.vehicleState.name(vehicleState)) }
}

extension LocationMessage {
    /// Returns the location of a request with the values that the service stores.
    fileprivate func checked(_ path: String, _ reader: MessageReader) throws(WireError) -> LocationMessage {
        try check(path)
        var writer = MessageWriter()
        return writer.location(reader.location(self))
    }

    /// The location as a value of the model.
    package var model: VehicleLocation { MessageReader().location(self) }
}

extension WaypointMessage {
    /// Creates a message of a waypoint.
    package init(_ waypoint: Waypoint) {
        var writer = MessageWriter()
        self = writer.waypoint(waypoint)
    }

    /// The waypoint as a value of the model.
    package var model: Waypoint {
        var reader = MessageReader()
        return reader.waypoint(self)
    }
}

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
