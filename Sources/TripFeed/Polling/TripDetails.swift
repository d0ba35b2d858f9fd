package import TripModel

/// When the parts of a trip that a search does not return were last received: the route, the waypoints and the ETA.
package struct TripDetails: Sendable {
    private var received: Duration?

    /// The time after which the details of a vehicle that moves are removed rather than shown as current.
    private static let longestAge = Duration.seconds(120)

    /// Creates details that were never received.
    package init() {}

    /// Notes that an answer had the details.
    package mutating func receive(at now: Duration) { received = now }

    /// Returns a listed trip with the details of the last answer.
    package func completed(_ found: Trip, known: Trip?, at now: Duration) -> Trip {
        guard let known, known.status == found.status, known.vehicleID == found.vehicleID,
            let received, now - received < Self.longestAge || known.lastLocation == found.lastLocation
        else { return found }
        var trip = found
        trip.remainingWaypoints = known.remainingWaypoints
        trip.remainingDistance = known.remainingDistance
        trip.etaToFirstWaypoint = known.etaToFirstWaypoint
        trip.remainingTime = known.remainingTime
        trip.route = known.route
        trip.routeVersion = known.routeVersion
        trip.routeEnd = known.routeEnd
        trip.traffic = known.traffic
        trip.trafficVersion = known.trafficVersion
        trip.remainingWaypointsVersion = known.remainingWaypointsVersion
        trip.remainingWaypointsRouteVersion = known.remainingWaypointsRouteVersion
        return trip
    }
}
