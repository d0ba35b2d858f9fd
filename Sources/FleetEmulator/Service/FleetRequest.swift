package import FleetWire
package import TripModel

/// A call of the service, free of any transport.
package enum FleetRequest: Sendable {
    case createTrip(TripID, TripUpdate)
    case getTrip(TripID, TripConditions)
    case updateTrip(TripID, FieldMask, TripUpdate)
    case deleteTrip(TripID)
    case searchTrips(TripSearch)
    case reportBillableTrip(TripID, BillableTripReport)
    case createVehicle(VehicleID, VehicleUpdate)
    case getVehicle(VehicleID, VehicleConditions)
    case updateVehicle(VehicleID, FieldMask, VehicleUpdate)
    case deleteVehicle(VehicleID)
    case updateVehicleAttributes(VehicleID, [Attribute])
    case listVehicles(VehicleList)
    case searchVehicles(VehicleSearch)
}

/// What a call brings back.
package enum FleetResponse: Sendable, Equatable {
    /// A trip and how its paths are to be written.
    case trip(Trip, PathFormat)
    case trips([Trip], nextPageToken: String?)
    case vehicle(Vehicle)
    case vehicles([Vehicle], nextPageToken: String?, total: Int)
    case attributes([Attribute])
    case matches([VehicleMatch])
    case empty
}

/// ListVehicles: which vehicles (section 2.2).
package struct VehicleList: Sendable, Equatable {
    /// A rectangle of the map.
    package struct Viewport: Sendable, Equatable {
        /// The corner in the south-west.
        package var low: Coordinate
        /// The corner in the north-east; west of the other one where the rectangle crosses the date line.
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

    /// All vehicles that have certain attributes.
    package init(attributes: AttributeRequirement) {
        self.attributes = attributes
    }
}

/// The conditional parameters of GetVehicle: what was not modified after a version is left out.
package struct VehicleConditions: Sendable, Equatable {
    /// Guards the route.
    package var routeVersion: Version?
    /// Guards the waypoints.
    package var waypointsVersion: Version?

    /// No conditions: everything is sent.
    package init() {}

    func applied(to vehicle: Vehicle) -> Vehicle {
        var vehicle = vehicle
        if Version.isCurrent(routeVersion, vehicle.routeVersion) { vehicle.route = nil }
        if Version.isCurrent(waypointsVersion, vehicle.waypointsVersion) { vehicle.waypoints = [] }
        return vehicle
    }
}
