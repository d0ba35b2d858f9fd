package import Foundation
package import TripModel

/// The body of CreateVehicle and UpdateVehicle: the fields that a provider or a driver sets.
package struct VehicleUpdate: Sendable, Equatable {
    /// Whether it takes trips.
    package var state: Vehicle.State?
    /// The kinds of trip that it takes.
    package var supportedTripTypes: [TripType]?
    /// Seats for riders.
    package var maximumCapacity: Int?
    /// The category of the vehicle's type, as the API names it.
    package var category: String?
    /// Whether it accepts a further trip while on one.
    package var backToBackEnabled: Bool?
    /// Where it is.
    package var lastLocation: VehicleLocation?
    /// The path to the next waypoint, decoded; an empty one where it could not be.
    package var route: [Coordinate]?
    /// Where that path ends.
    package var routeEnd: Waypoint?
    /// Traffic along it: stretches in metres from its start, with the class of traffic on each.
    package var roadStretches: [RoadStretch]?
    /// The way left, in metres.
    package var remainingDistance: Distance?
    /// The time left; wins over the ETA.
    package var remainingTime: Duration?
    /// When it reaches the next waypoint.
    package var etaToFirstWaypoint: Date?
    /// The state of the navigation, as the API names it.
    package var navigationStatus: String?
    /// What the vehicle has still to visit, in a new order.
    package var waypoints: [Waypoint]?
    /// The provider's own keys and values.
    package var attributes: [Attribute]?
    /// The licence plate.
    package var licensePlate: LicensePlate?
    /// Fixes that could not be sent in time, oldest first.
    package var pastLocations: [VehicleLocation] = []

    /// A stretch of road with slow traffic, as the Driver SDK tells of it.
    package struct RoadStretch: Sendable, Equatable {
        /// Where it begins, in metres along the path.
        package var offset: Double
        /// How long it is, in metres.
        package var length: Double
        /// The class of traffic.
        package var speed: Traffic.Speed
    }

    /// A body that sets nothing.
    package init() {}

    /// Reads a body; throws ``WireError``.
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
                throw .unexpected(path: "lastLocation.location", reason: "not a place on earth")
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
    }
}

/// A vehicle as requests carry it: the traffic has another shape than in answers.
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
}
