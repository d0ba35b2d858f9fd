package import FleetEngineProtos
package import FleetWire
package import TripModel

/// A call of the service, independent of the transport.
package enum FleetRequest: Sendable {
    case createTrip(TripID, TripMessage)
    case getTrip(TripID, TripConditions)
    case updateTrip(TripID, FieldMask, TripMessage)
    case deleteTrip(TripID)
    case searchTrips(TripSearch)
    case reportBillableTrip(TripID, BillableTripReport)
    case createVehicle(VehicleID, VehicleMessage)
    case getVehicle(VehicleID, VehicleConditions)
    case updateVehicle(VehicleID, FieldMask, VehicleMessage)
    case deleteVehicle(VehicleID)
    case updateVehicleAttributes(VehicleID, [Attribute])
    case listVehicles(VehicleList)
    case searchVehicles(VehicleSearch)
    case delivery(DeliveryRequest)
}

/// The result of a call.
package enum FleetResponse: Sendable, Equatable {
    /// A trip and the format of its paths.
    case trip(Trip, PathFormat)
    case trips([Trip], nextPageToken: String?)
    case vehicle(VehicleMessage)
    case vehicles(Maps_Fleetengine_V1_ListVehiclesResponse)
    case attributes([Attribute])
    case matches([VehicleMatch])
    case delivery(DeliveryResponse)
    case empty

    /// The trips in the result.
    var trips: [Trip] {
        switch self {
        case .trip(let trip, _): [trip]
        case .trips(let trips, _): trips
        case .vehicle, .vehicles, .attributes, .matches, .delivery, .empty: []
        }
    }
}

/// The filters of ListVehicles.
package struct VehicleList: Sendable, Equatable {
    /// A map rectangle.
    package struct Viewport: Sendable, Equatable {
        /// The south-west corner.
        package var low: Coordinate
        /// The north-east corner; it has the smaller longitude if the rectangle crosses the antimeridian.
        package var high: Coordinate

        func contains(_ point: Coordinate) -> Bool {
            guard (low.latitude...max(low.latitude, high.latitude)).contains(point.latitude) else { return false }
            return low.longitude <= high.longitude
                ? (low.longitude...high.longitude).contains(point.longitude)
                : point.longitude >= low.longitude || point.longitude <= high.longitude
        }
    }

    package var page = PageRequest()
    package var minimumCapacity: Int?
    package var tripTypes: [TripType] = []
    package var maximumStaleness: Duration?
    package var categories: [String] = []
    package var state: Vehicle.State?
    package var onTripOnly = false
    package var viewport: Viewport?
    package var attributes: AttributeRequirement
}

/// The conditional parameters of GetVehicle: fields not modified after a version are omitted.
package struct VehicleConditions: Sendable, Equatable {
    /// The condition for the route.
    package var routeVersion: Version?
    /// The condition for the waypoints.
    package var waypointsVersion: Version?

    /// Creates an empty set of conditions: everything is sent.
    package init() {}

    func applied(to vehicle: VehicleMessage) -> VehicleMessage {
        var vehicle = vehicle
        if vehicle.hasCurrentRouteSegmentVersion,
            Version.isCurrent(routeVersion, vehicle.currentRouteSegmentVersion.version)
        {
            vehicle.currentRouteSegment = ""
        }
        if vehicle.hasWaypointsVersion, Version.isCurrent(waypointsVersion, vehicle.waypointsVersion.version) {
            vehicle.waypoints = []
        }
        return vehicle
    }
}
