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
        let status = TripStatus(name: EnumNames.tripStatus.name(message.tripStatus, unknown))
        var trip = Trip(id: id, provider: provider, status: status)
        trip.type = EnumNames.tripType.nameIfSet(message.tripType, unknown).map(TripType.init(name:))
        // An invalid ID counts as unknown.
        trip.vehicleID = message.vehicleID.nonEmpty.flatMap { try? VehicleID($0) }
        trip.passengers = message.numberOfPassengers == 0 ? nil : Int(message.numberOfPassengers)
        trip.pickup = message.hasPickupPoint ? message.pickupPoint.coordinate : nil
        trip.dropoff = message.hasDropoffPoint ? message.dropoffPoint.coordinate : nil
        trip.intermediateDestinations = bounded(message.intermediateDestinations, .stops).compactMap(\.coordinate)
        trip.intermediateDestinationIndex = Int(max(0, message.intermediateDestinationIndex))
        if message.hasIntermediateDestinationsVersion {
            trip.intermediateDestinationsVersion = message.intermediateDestinationsVersion.version
        }
        if message.hasPickupTime { trip.pickupTime = message.pickupTime.time }
        if message.hasDropoffTime { trip.dropoffTime = message.dropoffTime.time }
        trip.attributes = bounded(message.attributes, .attributes).compactMap(\.attribute)
        readStops(of: message, into: &trip)
        readWay(of: message, into: &trip)
        if message.hasLastLocation { trip.lastLocation = location(message.lastLocation) }
        trip.lastLocationSnappable = message.lastLocationSnappable
        trip.view = EnumNames.view.nameIfSet(message.view, unknown)
        trip.omitted = budget.omittedElements
        return trip
    }

    private mutating func readStops(of message: TripMessage, into trip: inout Trip) {
        if message.hasActualPickupPoint { trip.actualPickup = message.actualPickupPoint.stop }
        if message.hasActualDropoffPoint { trip.actualDropoff = message.actualDropoffPoint.stop }
        if message.hasActualPickupArrivalPoint { trip.actualPickupArrival = message.actualPickupArrivalPoint.stop }
        trip.actualStopArrivals = stops(message.actualIntermediateDestinationArrivalPoints)
        trip.actualStops = stops(message.actualIntermediateDestinations)
    }

    /// Reads the remaining waypoints, the route, and the traffic.
    private mutating func readWay(of message: TripMessage, into trip: inout Trip) {
        if message.hasEtaToFirstWaypoint { trip.etaToFirstWaypoint = message.etaToFirstWaypoint.time }
        if message.hasRemainingTimeToFirstWaypoint { trip.remainingTime = message.remainingTimeToFirstWaypoint.length }
        if message.hasRemainingDistanceMeters {
            trip.remainingDistance = Distance(meters: Double(message.remainingDistanceMeters.value))
        }
        trip.remainingWaypoints = waypoints(message.remainingWaypoints)
        trip.vehicleWaypoints = waypoints(message.vehicleWaypoints)
        if message.hasRemainingWaypointsVersion {
            trip.remainingWaypointsVersion = message.remainingWaypointsVersion.version
        }
        if message.hasRemainingWaypointsRouteVersion {
            trip.remainingWaypointsRouteVersion = message.remainingWaypointsRouteVersion.version
        }
        trip.route = route(message.route, encoded: message.currentRouteSegment)
        if message.hasCurrentRouteSegmentVersion { trip.routeVersion = message.currentRouteSegmentVersion.version }
        if message.hasCurrentRouteSegmentEndPoint { trip.routeEnd = waypoint(message.currentRouteSegmentEndPoint) }
        if message.hasCurrentRouteSegmentTraffic { trip.traffic = traffic(message.currentRouteSegmentTraffic) }
        if message.hasCurrentRouteSegmentTrafficVersion {
            trip.trafficVersion = message.currentRouteSegmentTrafficVersion.version
        }
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
