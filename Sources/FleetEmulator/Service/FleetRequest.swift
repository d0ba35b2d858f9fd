package import FleetWire
package import TripModel

/// A call of the service, free of any transport.
package enum FleetRequest: Sendable {
    case createTrip(TripID, TripUpdate)
    case getTrip(TripID, TripConditions)
    case updateTrip(TripID, FieldMask, TripUpdate)
    case createVehicle(VehicleID, VehicleUpdate)
    case getVehicle(VehicleID)
    case updateVehicle(VehicleID, FieldMask, VehicleUpdate)
}

/// What a call brings back.
package enum FleetResponse: Sendable, Equatable {
    /// A trip and how its paths are to be written.
    case trip(Trip, PathFormat)
    case vehicle(Vehicle)
}

/// The conditional parameters of GetTrip: what was not modified after a version is left out (section 2.1).
package struct TripConditions: Sendable, Equatable {
    /// How paths are wanted.
    package var format = PathFormat.points
    /// Guards the route.
    package var routeVersion: Version?
    /// Guards the traffic.
    package var trafficVersion: Version?
    /// Guards the paths within the waypoints.
    package var waypointsRouteVersion: Version?

    /// No conditions: everything is sent.
    package init() {}

    /// The trip without what the caller has already; the versions themselves are sent all the same.
    func applied(to trip: Trip) -> Trip {
        var trip = trip
        if Self.isCurrent(routeVersion, trip.routeVersion) { trip.route = nil }
        if Self.isCurrent(trafficVersion, trip.trafficVersion) { trip.traffic = nil }
        if Self.isCurrent(waypointsRouteVersion, trip.remainingWaypointsRouteVersion) {
            for index in trip.remainingWaypoints.indices {
                trip.remainingWaypoints[index].path = nil
                trip.remainingWaypoints[index].traffic = nil
            }
        }
        return trip
    }

    /// Whether nothing was modified after a version: the version that is asked with is an exclusive minimum.
    private static func isCurrent(_ known: Version?, _ version: Version?) -> Bool {
        guard let known = known.flatMap({ Timestamp.date($0.rawValue) }),
            let version = version.flatMap({ Timestamp.date($0.rawValue) })
        else { return false }
        return version <= known
    }
}
