import FleetEngineProtos
package import Foundation
import SwiftProtobuf
package import TripModel

/// The body of CreateVehicle and UpdateVehicle: the fields that a provider or a driver sets.
package struct VehicleUpdate: Sendable, Equatable {
    /// Whether the vehicle accepts trips.
    package var state: Vehicle.State?
    /// The supported trip types.
    package var supportedTripTypes: [TripType]?
    /// The number of seats for riders.
    package var maximumCapacity: Int?
    /// The category of the vehicle type, by its API name.
    package var category: String?
    /// Whether it accepts another trip during a trip.
    package var backToBackEnabled: Bool?
    /// The position.
    package var lastLocation: VehicleLocation?
    /// The decoded path to the next waypoint; empty if it could not be decoded.
    package var route: [Coordinate]?
    /// The waypoint at the end of the path.
    package var routeEnd: Waypoint?
    /// The traffic along the path: stretches in meters from its start, each with a class of traffic.
    package var roadStretches: [RoadStretch]?
    /// The remaining distance.
    package var remainingDistance: Distance?
    /// The remaining time; it takes precedence over the ETA.
    package var remainingTime: Duration?
    /// The ETA at the next waypoint.
    package var etaToFirstWaypoint: Date?
    /// The navigation status, by its API name.
    package var navigationStatus: String?
    /// The remaining waypoints in a new order.
    package var waypoints: [Waypoint]?
    /// The provider's attributes.
    package var attributes: [Attribute]?
    /// The license plate.
    package var licensePlate: LicensePlate?
    /// Earlier positions that could not be sent in time, oldest first.
    package var pastLocations: [VehicleLocation] = []
    /// The settings of the driver's phone.
    package var deviceSettings: DeviceSettings?

    /// A stretch of road with slow traffic, as reported by the Driver SDK.
    package struct RoadStretch: Sendable, Equatable {
        /// Its start in meters along the path.
        package var offset: Double
        /// Its length in meters.
        package var length: Double
        /// The class of traffic.
        package var speed: Traffic.Speed
    }

    /// Creates an empty update.
    package init() {}

    /// Parses a body; throws ``WireError``.
    package init(body: [UInt8]) throws(WireError) {
        let message = try RequestBody.decode(VehicleMessage.self, from: body)
        self = try RequestBody.read { reader throws(WireError) in try VehicleUpdate(message, &reader) }
    }

    private init(_ message: VehicleMessage, _ reader: inout MessageReader) throws(WireError) {
        state = EnumNames.vehicleState.nameIfSet(message.vehicleState).map(Vehicle.State.init(name:))
        supportedTripTypes = message.supportedTripTypes.nonEmpty.map { reader.tripTypes($0) }
        maximumCapacity = message.maximumCapacity == 0 ? nil : Int(message.maximumCapacity)
        category = EnumNames.category.nameIfSet(message.vehicleType.category)
        backToBackEnabled = message.backToBackEnabled
        if message.hasLastLocation {
            try message.lastLocation.check("lastLocation")
            lastLocation = reader.location(message.lastLocation)
        }
        route = message.currentRouteSegment.nonEmpty.map { reader.path([], encoded: $0) ?? [] }
        if message.hasCurrentRouteSegmentEndPoint { routeEnd = reader.waypoint(message.currentRouteSegmentEndPoint) }
        if message.hasCurrentRouteSegmentTraffic {
            let stretches = message.currentRouteSegmentTraffic.trafficRendering.roadStretch
            roadStretches = reader.bounded(stretches, .trafficIntervals).map {
                RoadStretch(
                    offset: Double($0.offsetMeters),
                    length: Double($0.lengthMeters),
                    speed: $0.style == .trafficJam ? .jam : .slow
                )
            }
        }
        if message.hasRemainingDistanceMeters {
            remainingDistance = Distance(meters: Double(message.remainingDistanceMeters.value))
        }
        if message.hasRemainingTimeSeconds { remainingTime = .seconds(message.remainingTimeSeconds.value) }
        if message.hasEtaToFirstWaypoint { etaToFirstWaypoint = message.etaToFirstWaypoint.time }
        navigationStatus = EnumNames.navigationStatus.nameIfSet(message.navigationStatus)
        waypoints = message.waypoints.nonEmpty.map { reader.waypoints($0) }
        attributes =
            message.attributes.isEmpty
            ? nil : try reader.bounded(message.attributes, .attributes).checked("attributes")
        licensePlate = message.licensePlate.plate
        for (index, location) in reader.bounded(message.pastLocations, .pastLocations).enumerated() {
            try location.check("pastLocations[\(index)]")
            pastLocations.append(reader.location(location))
        }
        if message.hasDeviceSettings { deviceSettings = reader.deviceSettings(message.deviceSettings) }
    }
}
