import Foundation
import Runtime
import TripModel

/// The answer to a vehicle call, applied to the vehicle's trips.
struct VehicleAnswer {
    private let request: JSONValue
    private let response: JSONValue
    /// The IDs of the vehicle's trips.
    private let currentTrips: Set<String>

    init(request: JSONValue, response: JSONValue) {
        self.request = request
        self.response = response
        currentTrips = Set(response["currenttrips"]?.elements?.compactMap(\.string) ?? [])
    }

    /// Returns a trip after the answer, without new versions; `nil` if the answer does not concern it.
    ///
    /// Positions come from the answer, not from the request, because riders receive those.
    func applied(to trip: Trip, others: [Trip], paths: inout PathDecoder) -> Trip? {
        guard !trip.status.isTerminal else { return nil }
        let isServed = currentTrips.contains(trip.id.rawValue)
        guard isServed || trip.status == .new else { return nil }
        var updated = trip
        updated.unreadable = UnreadableLogValues.fields(of: response)
        updated.lastLocation = LogFields.location(response["lastlocation"]) ?? trip.lastLocation
        // Before the vehicle starts the trip, its route and times belong to other trips.
        if isServed { follow(&updated, others: others, paths: &paths) }
        updated.lastLocationSnappable = updated.lastLocation?.coordinate != nil && updated.route != nil
        return updated
    }

    private func follow(_ trip: inout Trip, others: [Trip], paths: inout PathDecoder) {
        let matcher = WaypointMatcher(trip: trip, others: others)
        trip.remainingWaypoints = matcher.waypoints(response["waypoints"]?.elements, paths: &paths)
        let end = response["currentroutesegmentendpoint"]
        let (endBefore, etaBefore) = (trip.routeEnd, trip.etaToFirstWaypoint)
        trip.routeEnd = matcher.routeEnd(end, among: trip.remainingWaypoints, paths: &paths)
        trip.etaToFirstWaypoint = LogFields.date(response["etatofirstwaypoint"])
        trip.remainingDistance = LogFields.distance(response["remainingdistancemeters"])
        estimate(&trip, endBefore, etaBefore)

        let route = paths.route(response["currentroutesegment"])
        let isSameRoute = route == trip.route
        trip.route = route
        if let traffic = sentTraffic(along: route) {
            trip.traffic = traffic
        } else if !isSameRoute {
            // The indices refer to the previous route.
            trip.traffic = nil
        }
    }

    /// Updates the expected pickup and drop-off times with the ETA of the trip's own next waypoint.
    ///
    /// What shifts the arrival at a stop shifts the drop-off, too. `endBefore` and `etaBefore` are the next waypoint and its
    /// ETA before the answer.
    private func estimate(_ trip: inout Trip, _ endBefore: Waypoint?, _ etaBefore: Date?) {
        guard let eta = trip.etaToFirstWaypoint, let end = trip.routeEnd, end.tripID == trip.id else { return }
        switch end.kind {
        case .dropoff:
            trip.dropoffTime = eta
        case .pickup:
            if let before = trip.pickupTime {
                trip.dropoffTime = trip.dropoffTime?.addingTimeInterval(eta.timeIntervalSince(before))
            }
            trip.pickupTime = eta
        case .intermediateDestination:
            guard let etaBefore, let endBefore, endBefore.tripID == end.tripID, endBefore.kind == end.kind,
                endBefore.coordinate == end.coordinate
            else { return }
            trip.dropoffTime = trip.dropoffTime?.addingTimeInterval(eta.timeIntervalSince(etaBefore))
        case .unrecognized: return
        }
    }

    /// Returns the traffic that the driver app sent in this request.
    ///
    /// A mask that names traffic without a value means normal traffic.
    private func sentTraffic(along route: Route?) -> Traffic? {
        guard let route else { return nil }
        let sent = (request["vehicle"] ?? request)["currentroutesegmenttraffic"]
        if let stretches = RoadStretches(sent) { return stretches.traffic(along: route) }
        let mask = request["updatemask"]?.string?.lowercased().replacingOccurrences(of: "_", with: "") ?? ""
        guard sent == nil, mask.split(separator: ",").contains("currentroutesegmenttraffic") else { return nil }
        return RoadStretches(.object([]))?.traffic(along: route)
    }
}
