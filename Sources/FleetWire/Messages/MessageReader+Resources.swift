import FleetEngineProtos
import SwiftProtobuf
import TripModel

/// Trips and vehicles.
extension MessageReader {
    /// Returns the trip of a message; throws ``WireError`` for a missing or invalid name.
    mutating func trip(_ message: TripMessage) throws(WireError) -> Trip {
        guard case .trip(let provider, let id) = try ResourceName(field: message.name) else {
            throw .badName(message.name.bounded(to: 200))
        }
        return trip(message, id, in: provider)
    }

    /// Returns the trip of a message with an ID, whatever its name is.
    mutating func trip(_ message: TripMessage, _ id: TripID, in provider: ProviderID) -> Trip {
        var trip = Trip(id: id, provider: provider, status: .new)
        for row in TripFieldRow.all { row.read(message, &self, &trip) }
        trip.omitted = budget.omittedElements
        return trip
    }

    /// Returns the vehicle of a message; throws ``WireError`` for a missing or invalid name.
    mutating func vehicle(_ message: VehicleMessage) throws(WireError) -> Vehicle {
        guard case .vehicle(let provider, let id) = try ResourceName(field: message.name) else {
            throw .badName(message.name.bounded(to: 200))
        }
        return vehicle(message, id, in: provider)
    }

    /// Returns the vehicle of a message with an ID, whatever its name is.
    mutating func vehicle(_ message: VehicleMessage, _ id: VehicleID, in provider: ProviderID) -> Vehicle {
        let state = Vehicle.State(name: EnumNames.vehicleState.name(message.vehicleState, unknown))
        var vehicle = Vehicle(id: id, provider: provider, state: state)
        vehicle.supportedTripTypes = tripTypes(message.supportedTripTypes)
        // A trip with an invalid ID cannot be requested, so it is skipped.
        vehicle.currentTrips = bounded(message.currentTrips, .names).compactMap { try? TripID($0) }
        if message.hasLastLocation { vehicle.lastLocation = location(message.lastLocation) }
        vehicle.maximumCapacity = message.maximumCapacity == 0 ? nil : Int(message.maximumCapacity)
        vehicle.category = EnumNames.category.nameIfSet(message.vehicleType.category, unknown)
        vehicle.backToBackEnabled = message.backToBackEnabled
        vehicle.waypoints = waypoints(message.waypoints)
        if message.hasWaypointsVersion { vehicle.waypointsVersion = message.waypointsVersion.version }
        if message.hasRemainingDistanceMeters {
            vehicle.remainingDistance = Distance(meters: Double(message.remainingDistanceMeters.value))
        }
        if message.hasEtaToFirstWaypoint { vehicle.etaToFirstWaypoint = message.etaToFirstWaypoint.time }
        vehicle.route = route([], encoded: message.currentRouteSegment)
        if message.hasCurrentRouteSegmentVersion { vehicle.routeVersion = message.currentRouteSegmentVersion.version }
        vehicle.navigationStatus = EnumNames.navigationStatus.nameIfSet(message.navigationStatus, unknown)
        vehicle.attributes = bounded(message.attributes, .attributes).compactMap(\.attribute)
        vehicle.licensePlate = message.licensePlate.plate
        if message.hasCurrentRouteSegmentEndPoint { vehicle.routeEnd = waypoint(message.currentRouteSegmentEndPoint) }
        if message.hasDeviceSettings { vehicle.deviceSettings = deviceSettings(message.deviceSettings) }
        vehicle.pastLocations = bounded(message.pastLocations, .pastLocations).map(location)
        return vehicle
    }

    mutating func tripTypes(_ types: [Maps_Fleetengine_V1_TripType]) -> [TripType] {
        bounded(types, .names).map { TripType(name: EnumNames.tripType.name($0, unknown)) }
    }

    func deviceSettings(_ message: DeviceSettingsMessage) -> DeviceSettings {
        var settings = DeviceSettings()
        settings.locationPowerSaveMode = EnumNames.powerSaveMode.nameIfSet(message.locationPowerSaveMode, unknown)
        settings.isPowerSaveMode = message.isPowerSaveMode
        settings.isInteractive = message.isInteractive
        guard message.hasBatteryInfo else { return settings }
        var battery = DeviceSettings.Battery()
        battery.status = EnumNames.batteryStatus.nameIfSet(message.batteryInfo.batteryStatus, unknown)
        battery.powerSource = EnumNames.powerSource.nameIfSet(message.batteryInfo.powerSource, unknown)
        battery.percentage =
            message.batteryInfo.batteryPercentage == 0 ? nil : Double(message.batteryInfo.batteryPercentage)
        settings.battery = battery
        return settings
    }
}

extension Maps_Fleetengine_V1_LicensePlate {
    /// The plate; `nil` without a country.
    var plate: LicensePlate? {
        countryCode.nonEmpty.map {
            LicensePlate(country: $0.boundedName, lastCharacter: lastCharacter.nonEmpty?.boundedName)
        }
    }
}
