package import FleetWire
package import TripModel

/// The conditional parameters of GetTrip: what was not modified after a version is left out (section 2.1).
package struct TripConditions: Sendable, Equatable {
    /// Which fields an answer has.
    package enum View: String, Sendable, Hashable {
        /// Nothing said: the same as ``sdk``.
        case unspecified = "TRIP_VIEW_UNSPECIFIED"
        /// Everything.
        case sdk = "SDK"
        /// The documented set for servers (section 2.1.1).
        case journeySharing = "JOURNEY_SHARING_V1S"
    }

    /// How paths are wanted.
    package var format = PathFormat.points
    /// Which fields are wanted.
    package var view = View.unspecified
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

    /// The fixed set of fields; what is left out elsewhere stands in the first waypoint, counted from the vehicle.
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
        view.remainingWaypoints[0].eta = trip.etaToFirstWaypoint
        view.remainingWaypoints[0].distance = trip.remainingDistance
        view.remainingWaypoints[0].duration = trip.remainingTime.map { max($0, .zero) }
        if let route = trip.route {
            let entry = trip.lastLocation?.coordinate.flatMap { route.nearest(to: $0) }
            view.remainingWaypoints[0].path = entry.map { route.split(at: $0).remaining } ?? route.points
        }
        view.remainingWaypoints[0].traffic = trip.traffic
        return view
    }
}

extension Version {
    /// Whether nothing was modified after a version: the version that is asked with is an exclusive minimum.
    static func isCurrent(_ known: Version?, _ version: Version?) -> Bool {
        guard let known = known.flatMap({ Timestamp.date($0.rawValue) }),
            let version = version.flatMap({ Timestamp.date($0.rawValue) })
        else { return false }
        return version <= known
    }
}
