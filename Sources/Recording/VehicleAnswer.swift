import FleetWire
import Foundation
import TripModel

/// The answer to a call on a vehicle, as far as it tells of the trips that the vehicle serves.
struct VehicleAnswer {
    private let request: JSONValue
    private let response: JSONValue
    /// The bare IDs of the trips that the vehicle serves.
    private let currentTrips: Set<String>

    init(request: JSONValue, response: JSONValue) {
        self.request = request
        self.response = response
        currentTrips = Set(response["currenttrips"]?.elements?.compactMap(\.string) ?? [])
    }

    /// A trip after the answer, without new versions; `nil` where the answer has nothing to do with it.
    ///
    /// Places come from the answer and not from the request: that is what riders are told.
    func applied(to trip: Trip, others: [Trip], paths: inout PathDecoder) -> Trip? {
        guard !trip.status.isTerminal else { return nil }
        let isServed = currentTrips.contains(trip.id.rawValue)
        guard isServed || trip.status == .new else { return nil }
        var updated = trip
        updated.lastLocation = LogFields.location(response["lastlocation"]) ?? trip.lastLocation
        // Until the vehicle has taken the trip up, its route and its times are those of other trips.
        if isServed { follow(&updated, others: others, paths: &paths) }
        updated.lastLocationSnappable = updated.lastLocation?.coordinate != nil && updated.route != nil
        return updated
    }

    private func follow(_ trip: inout Trip, others: [Trip], paths: inout PathDecoder) {
        let matcher = WaypointMatcher(trip: trip, others: others)
        trip.remainingWaypoints = matcher.waypoints(response["waypoints"]?.elements, paths: &paths)
        let end = response["currentroutesegmentendpoint"]
        trip.routeEnd = matcher.routeEnd(end, among: trip.remainingWaypoints, paths: &paths)
        trip.etaToFirstWaypoint = LogFields.date(response["etatofirstwaypoint"])
        trip.remainingDistance = LogFields.distance(response["remainingdistancemeters"])
        estimate(&trip)

        let route = paths.route(response["currentroutesegment"])
        let isSameRoute = route == trip.route
        trip.route = route
        if let traffic = sentTraffic(along: route) {
            trip.traffic = traffic
        } else if !isSameRoute {
            // Its indices belong to the route before.
            trip.traffic = nil
        }
    }

    /// Moves the expected times of pickup and drop-off with the ETA of the trip's own next waypoint.
    private func estimate(_ trip: inout Trip) {
        guard let eta = trip.etaToFirstWaypoint, let end = trip.routeEnd, end.tripID == trip.id else { return }
        switch end.kind {
        case .dropoff:
            trip.dropoffTime = eta
        case .pickup:
            if let before = trip.pickupTime {
                trip.dropoffTime = trip.dropoffTime?.addingTimeInterval(eta.timeIntervalSince(before))
            }
            trip.pickupTime = eta
        case .intermediateDestination, .unrecognized:
            return
        }
    }

    /// The traffic that the driver's app has sent with this request; a mask that names it without any means no delay.
    private func sentTraffic(along route: Route?) -> Traffic? {
        guard let route else { return nil }
        let sent = (request["vehicle"] ?? request)["currentroutesegmenttraffic"]
        if let stretches = RoadStretches(sent) { return stretches.traffic(along: route) }
        let mask = request["updatemask"]?.string?.lowercased().replacingOccurrences(of: "_", with: "") ?? ""
        guard sent == nil, mask.split(separator: ",").contains("currentroutesegmenttraffic") else { return nil }
        return RoadStretches(.object([]))?.traffic(along: route)
    }
}
