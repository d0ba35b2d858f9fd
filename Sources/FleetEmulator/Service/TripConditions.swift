package import FleetWire
import Runtime
package import TripModel

/// The conditional parameters of GetTrip: fields not modified after a version are omitted.
package struct TripConditions: Sendable, Equatable {
    /// The fields of an answer.
    package enum View: String, Sendable, Hashable {
        /// Unspecified: the same as ``sdk``.
        case unspecified = "TRIP_VIEW_UNSPECIFIED"
        /// All fields.
        case sdk = "SDK"
        /// The field set documented for servers.
        case journeySharing = "JOURNEY_SHARING_V1S"
    }

    /// The requested path format.
    package var format = PathFormat.points
    /// The requested field set.
    package var view = View.unspecified
    /// The condition for the route.
    package var routeVersion: Version?
    /// The condition for the traffic.
    package var trafficVersion: Version?
    /// The condition for the paths in the waypoints.
    package var waypointsRouteVersion: Version?

    /// Creates an empty set of conditions: everything is sent.
    package init() {}

    /// Returns the trip without the fields that the caller already has; versions are always sent.
    func applied(to trip: Trip) -> Trip {
        var trip = trip
        switch view {
        case .unspecified: break
        case .sdk: trip.view = view.rawValue
        case .journeySharing: return journeySharing(trip)
        }
        if Version.isCurrent(routeVersion, trip.routeVersion) { trip.route = nil }
        if Version.isCurrent(trafficVersion, trip.trafficVersion) { trip.traffic = nil }
        if Version.isCurrent(waypointsRouteVersion, trip.remainingWaypointsRouteVersion) {
            for index in trip.remainingWaypoints.indices {
                trip.remainingWaypoints[index].path = nil
                trip.remainingWaypoints[index].traffic = nil
            }
        }
        return trip
    }

    /// Returns the fixed field set; values omitted elsewhere are in the first waypoint, relative to the vehicle.
    private func journeySharing(_ trip: Trip) -> Trip {
        var view = Trip(id: trip.id, provider: trip.provider, status: trip.status)
        view.view = self.view.rawValue
        (view.vehicleID, view.type, view.passengers) = (trip.vehicleID, trip.type, trip.passengers)
        (view.pickup, view.actualPickup, view.pickupTime) = (trip.pickup, trip.actualPickup, trip.pickupTime)
        view.intermediateDestinations = trip.intermediateDestinations
        view.intermediateDestinationIndex = trip.intermediateDestinationIndex
        view.intermediateDestinationsVersion = trip.intermediateDestinationsVersion
        (view.dropoff, view.actualDropoff, view.dropoffTime) = (trip.dropoff, trip.actualDropoff, trip.dropoffTime)
        view.lastLocation = trip.lastLocation
        view.remainingWaypoints = trip.remainingWaypoints
        guard !view.remainingWaypoints.isEmpty else { return view }
        let first = view.remainingWaypoints[0]
        view.remainingWaypoints[0].eta = trip.etaToFirstWaypoint ?? first.eta
        view.remainingWaypoints[0].distance = trip.remainingDistance ?? first.distance
        view.remainingWaypoints[0].duration = trip.remainingTime.map { max($0, .zero) } ?? first.duration
        guard let route = trip.route else { return view }
        let here = trip.lastLocation?.coordinate
        let entry = here.flatMap { route.nearest(to: $0) }
        view.remainingWaypoints[0].path = entry.map { route.split(at: $0).remaining } ?? route.points
        view.remainingWaypoints[0].traffic = trip.traffic.map { traffic in
            // Traffic in a recording may have a path of its own, which its indices refer to.
            let road = traffic.path.map { Route($0) } ?? route
            return here.flatMap { road.nearest(to: $0) }.map { traffic.remaining(from: $0, of: road) } ?? traffic
        }
        return view
    }
}

extension Version {
    /// Returns whether nothing was modified after a version; the requested version is an exclusive minimum.
    static func isCurrent(_ known: Version?, _ version: Version?) -> Bool {
        guard let known = known.flatMap({ Timestamp.date($0.rawValue) }),
            let version = version.flatMap({ Timestamp.date($0.rawValue) })
        else { return false }
        return version <= known
    }
}
