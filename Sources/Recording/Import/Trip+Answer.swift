import FleetWire
import TripModel

extension Trip {
    /// Creates the trip of an answer, which replaces the known state; without versions that matter.
    ///
    /// The other trips of its vehicle determine the owners of waypoints. The known state provides the traffic.
    init(
        _ answer: LogMessage<TripMessage>,
        _ id: TripID,
        in provider: ProviderID,
        known: Trip?,
        others: [Trip],
        paths: inout PathDecoder
    ) {
        self = answer.trip(id, in: provider, &paths)
        // It depends on the time of the request, and the stops of other trips are not updated.
        (remainingTime, vehicleWaypoints) = (nil, [])
        lastLocationSnappable = lastLocation?.coordinate != nil && route != nil
        traffic = traffic.flatMap { $0.along(route, known: known) }
        let matcher = WaypointMatcher(trip: self, others: others)
        remainingWaypoints = matcher.waypoints(remainingWaypoints)
        routeEnd = matcher.routeEnd(routeEnd, among: remainingWaypoints)
    }
}

extension Traffic {
    /// Returns the traffic along a route of a log.
    ///
    /// The service's point indices refer to a finer path than the route, which the log does not contain. Indices beyond the
    /// route are used only if they have a single class of traffic, because then no boundary is needed. Otherwise the previous
    /// traffic along the same route is retained.
    fileprivate func along(_ route: Route?, known: Trip?) -> Traffic? {
        guard let route, let speed = intervals.first?.speed else { return nil }
        let last = (path ?? route.points).count - 1
        if intervals.allSatisfy({ 0 <= $0.start && $0.start < $0.end && $0.end <= last }) { return self }
        guard last > 0, intervals.allSatisfy({ $0.speed == speed }) else {
            return known?.route == route ? known?.traffic : nil
        }
        return Traffic(intervals: [Interval(start: 0, end: last, speed: speed)], path: path)
    }
}
