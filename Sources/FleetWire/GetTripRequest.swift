package import TripModel

/// The parameters of GetTrip.
///
/// The versions say what the client has already: what was not modified after them is left out of the answer. A version
/// that is not named means "always send" (reference, section 2.1).
package struct GetTripRequest: Sendable, Hashable {
    /// The project that owns the trip.
    package var provider: ProviderID
    /// The trip.
    package var trip: TripID
    /// Guards `route` and `currentRouteSegment`.
    package var routeVersion: Version?
    /// Guards `currentRouteSegmentTraffic`.
    package var trafficVersion: Version?
    /// Guards the paths and the traffic inside the remaining waypoints.
    package var waypointsRouteVersion: Version?

    /// Asks for everything about a trip.
    package init(provider: ProviderID, trip: TripID) {
        self.provider = provider
        self.trip = trip
    }

    /// The path and query of the request, percent-encoded, with the leading slash.
    package var target: String {
        let query = [
            ("currentRouteSegmentVersion", routeVersion),
            ("currentRouteSegmentTrafficVersion", trafficVersion),
            ("remainingWaypointsRouteVersion", waypointsRouteVersion),
        ].compactMap { name, version in
            version.map { "\(name)=\(PercentEncoding.encode($0.rawValue))" }
        }
        let path = "/v1/" + ResourceName.trip(provider, trip).path
        return query.isEmpty ? path : path + "?" + query.joined(separator: "&")
    }
}
