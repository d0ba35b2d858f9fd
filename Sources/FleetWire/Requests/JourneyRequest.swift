import Runtime
package import TripModel

/// The parameters of GetTrip, or of GetTaskTrackingInfo, which has no versions.
///
/// The versions are those that the client already has: parts not modified after them are omitted from the answer. Without a
/// version, a part is always sent.
package struct JourneyRequest: Sendable, Hashable {
    /// The project that owns the trip or the shipment.
    package var provider: ProviderID
    /// The journey or the shipment.
    package var journey: JourneyID
    /// The condition for `route` and `currentRouteSegment`.
    package var routeVersion: Version?
    /// The condition for `currentRouteSegmentTraffic`.
    package var trafficVersion: Version?
    /// The condition for paths and traffic in the remaining waypoints.
    package var waypointsRouteVersion: Version?

    /// The percent-encoded path and query of the request, with a leading slash.
    package var target: String {
        let path = "/v1/" + ResourceName(provider, journey).path
        guard journey.kind == .trip else { return path }
        let query = [
            ("currentRouteSegmentVersion", routeVersion),
            ("currentRouteSegmentTrafficVersion", trafficVersion),
            ("remainingWaypointsRouteVersion", waypointsRouteVersion),
        ].compactMap { name, version in
            version.map { "\(name)=\(PercentEncoding.encode($0.rawValue))" }
        }
        return query.isEmpty ? path : path + "?" + query.joined(separator: "&")
    }
}
