package import TripModel

/// JSON encoding of a vehicle.
package enum VehicleCoding {
    /// Decodes an answer to GetVehicle or UpdateVehicle; throws ``WireError``.
    package static func decode(_ body: [UInt8]) throws(WireError) -> Vehicle {
        try JSONBytes.decode(VehicleMessage.self, from: body).vehicle()
    }

    /// Encodes an answer; default values are omitted.
    package static func encode(_ vehicle: Vehicle) -> [UInt8] {
        JSONBytes.encode(VehicleMessage(vehicle))
    }
}

/// The message `maps.fleetengine.v1.Vehicle` with the fields used here.
struct VehicleMessage: Codable, Equatable {
    struct VehicleType: Codable, Equatable {
        var category: String?
    }

    var name: String?
    var vehicleState: String?
    var supportedTripTypes: BoundedList<String>?
    var currentTrips: BoundedList<String>?
    var lastLocation: LocationMessage?
    var maximumCapacity: Int32?
    var vehicleType: VehicleType?
    var backToBackEnabled: Bool?
    var waypoints: BoundedList<WaypointMessage>?
    var waypointsVersion: String?
    var remainingDistanceMeters: Int32?
    var etaToFirstWaypoint: String?
    var currentRouteSegment: EncodedPath?
    var currentRouteSegmentVersion: String?
    var navigationStatus: String?
    var attributes: BoundedList<AttributeMessage>?
    var licensePlate: LicensePlateMessage?
    var currentRouteSegmentEndPoint: WaypointMessage?
    var deviceSettings: DeviceSettingsMessage?
    var pastLocations: BoundedList<LocationMessage>?

    struct LicensePlateMessage: Codable, Equatable {
        var countryCode: String?
        var lastCharacter: String?

        var plate: LicensePlate? {
            countryCode.map { LicensePlate(country: $0.boundedName, lastCharacter: lastCharacter?.boundedName) }
        }
    }

    init(_ vehicle: Vehicle) {
        name = ResourceName.vehicle(vehicle.provider, vehicle.id).text
        vehicleState = vehicle.state.name == "UNKNOWN_VEHICLE_STATE" ? nil : vehicle.state.name
        supportedTripTypes = vehicle.supportedTripTypes.bounded(\.name)
        currentTrips = vehicle.currentTrips.bounded(\.rawValue)
        lastLocation = vehicle.lastLocation.map(LocationMessage.init)
        maximumCapacity = vehicle.maximumCapacity.map(Int32.init(clamping:))
        vehicleType = vehicle.category.map(VehicleType.init(category:))
        backToBackEnabled = vehicle.backToBackEnabled ? true : nil
        waypoints = vehicle.waypoints.bounded { WaypointMessage($0, format: .points) }
        waypointsVersion = vehicle.waypointsVersion?.rawValue
        remainingDistanceMeters = vehicle.remainingDistance?.wholeMeters
        etaToFirstWaypoint = vehicle.etaToFirstWaypoint.map(Timestamp.text)
        currentRouteSegment = vehicle.route.map { EncodedPath($0.points) }
        currentRouteSegmentVersion = vehicle.routeVersion?.rawValue
        navigationStatus = vehicle.navigationStatus
        attributes = vehicle.attributes.bounded { AttributeMessage($0, ofVehicle: true) }
        licensePlate = vehicle.licensePlate.map {
            LicensePlateMessage(countryCode: $0.country, lastCharacter: $0.lastCharacter)
        }
        currentRouteSegmentEndPoint = vehicle.routeEnd.map { WaypointMessage($0, format: .points) }
        deviceSettings = vehicle.deviceSettings.map(DeviceSettingsMessage.init)
        pastLocations = vehicle.pastLocations.bounded(LocationMessage.init)
    }

    func vehicle() throws(WireError) -> Vehicle {
        guard let name else { throw .unexpected(path: "name", reason: "missing") }
        guard case .vehicle(let provider, let id) = try ResourceName(name) else {
            throw .badName(name.bounded(to: 200))
        }
        var vehicle = Vehicle(
            id: id,
            provider: provider,
            state: Vehicle.State(name: vehicleState ?? "UNKNOWN_VEHICLE_STATE")
        )
        vehicle.supportedTripTypes = supportedTripTypes?.elements.map(TripType.init(name:)) ?? []
        // A trip with an invalid ID cannot be requested, so it is skipped.
        vehicle.currentTrips = currentTrips?.elements.compactMap { try? TripID($0) } ?? []
        vehicle.lastLocation = lastLocation?.vehicleLocation
        vehicle.maximumCapacity = maximumCapacity.map(Int.init)
        vehicle.category = vehicleType?.category?.boundedName
        vehicle.backToBackEnabled = backToBackEnabled ?? false
        vehicle.waypoints = waypoints?.elements.map(\.waypoint) ?? []
        vehicle.waypointsVersion = Version(outside: waypointsVersion)
        vehicle.remainingDistance = remainingDistanceMeters.map { Distance(meters: Double($0)) }
        vehicle.etaToFirstWaypoint = etaToFirstWaypoint.flatMap(Timestamp.date)
        vehicle.route = currentRouteSegment?.points.map { Route($0) }
        vehicle.routeVersion = Version(outside: currentRouteSegmentVersion)
        vehicle.navigationStatus = navigationStatus?.boundedName
        vehicle.attributes = attributes?.elements.compactMap(\.attribute) ?? []
        vehicle.licensePlate = licensePlate?.plate
        vehicle.routeEnd = currentRouteSegmentEndPoint?.waypoint
        vehicle.deviceSettings = deviceSettings?.settings
        vehicle.pastLocations = pastLocations?.elements.map(\.vehicleLocation) ?? []
        return vehicle
    }
}
