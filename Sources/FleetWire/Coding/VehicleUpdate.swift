package import Foundation
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
        let normalized = try RequestBody.normalized(body, as: ProtoShape.vehicle)
        let message = try RequestBody.decode(VehicleUpdateMessage.self, from: normalized)
        state = message.vehicleState.map(Vehicle.State.init(name:))
        supportedTripTypes = message.supportedTripTypes?.elements.map(TripType.init(name:))
        maximumCapacity = message.maximumCapacity.map(Int.init)
        category = message.vehicleType?.category?.boundedName
        backToBackEnabled = message.backToBackEnabled
        if let location = message.lastLocation {
            guard location.location == nil || location.location?.coordinate != nil else {
                throw .unexpected(path: "lastLocation.location", reason: "not valid coordinates")
            }
            lastLocation = location.vehicleLocation
        }
        route = message.currentRouteSegment.map { $0.points ?? [] }
        routeEnd = message.currentRouteSegmentEndPoint?.waypoint
        roadStretches = message.currentRouteSegmentTraffic?.trafficRendering?.roadStretch?.elements.map {
            RoadStretch(
                offset: Double($0.offsetMeters ?? 0),
                length: Double($0.lengthMeters ?? 0),
                speed: $0.style == "TRAFFIC_JAM" ? .jam : .slow
            )
        }
        remainingDistance = message.remainingDistanceMeters.map { Distance(meters: Double($0)) }
        remainingTime = message.remainingTimeSeconds.map { .seconds($0) }
        etaToFirstWaypoint = message.etaToFirstWaypoint.flatMap(Timestamp.date)
        navigationStatus = message.navigationStatus
        waypoints = message.waypoints?.elements.map(\.waypoint)
        attributes = try message.attributes?.elements.checked("attributes")
        licensePlate = message.licensePlate?.plate
        pastLocations = message.pastLocations?.elements.map(\.vehicleLocation) ?? []
        deviceSettings = message.deviceSettings?.settings
    }
}

/// A vehicle in a request: the traffic has another format than in answers.
private struct VehicleUpdateMessage: Decodable {
    struct TrafficData: Decodable {
        struct Rendering: Decodable {
            struct Stretch: BoundedElement {
                static var kind: ElementKind { .trafficIntervals }

                var style: String?
                var offsetMeters: Int32?
                var lengthMeters: Int32?
            }

            var roadStretch: BoundedList<Stretch>?
        }

        var trafficRendering: Rendering?
    }

    var vehicleState: String?
    var supportedTripTypes: BoundedList<String>?
    var maximumCapacity: Int32?
    var vehicleType: VehicleMessage.VehicleType?
    var backToBackEnabled: Bool?
    var lastLocation: LocationMessage?
    var currentRouteSegment: EncodedPath?
    var currentRouteSegmentEndPoint: WaypointMessage?
    var currentRouteSegmentTraffic: TrafficData?
    var remainingDistanceMeters: Int32?
    var remainingTimeSeconds: Int32?
    var etaToFirstWaypoint: String?
    var navigationStatus: String?
    var waypoints: BoundedList<WaypointMessage>?
    var attributes: BoundedList<AttributeMessage>?
    var licensePlate: VehicleMessage.LicensePlateMessage?
    var pastLocations: BoundedList<LocationMessage>?
    var deviceSettings: DeviceSettingsMessage?
}
