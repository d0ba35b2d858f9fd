import FleetWire
import Foundation
import Runtime
import TripModel

/// The answer to a vehicle call, applied to the vehicle's trips.
struct VehicleAnswer {
    private let vehicle: Vehicle
    private let unreadable: [UnknownField]
    /// The IDs of the vehicle's trips.
    private let currentTrips: Set<TripID>
    /// The traffic that the driver app sent in the request.
    private let traffic: Traffic?

    /// Reads the answer to the call of an entry; `nil` for another call and for a refused one.
    init?(_ entry: LogEntry, _ id: VehicleID, in provider: ProviderID, paths: inout PathDecoder) {
        guard case .vehicle(let answer, let sent)? = entry.answer else { return nil }
        vehicle = answer.vehicle(id, in: provider, &paths)
        unreadable = answer.unreadable
        currentTrips = Set(vehicle.currentTrips)
        traffic = vehicle.route.flatMap { Self.traffic(along: $0, sent, in: entry.request) }
    }

    /// Returns the traffic that the driver app sent.
    ///
    /// A mask that names traffic without a value means normal traffic.
    private static func traffic(
        along route: Route,
        _ sent: LogMessage<VehicleMessage>,
        in request: JSONValue
    ) -> Traffic? {
        if let value = (request["vehicle"] ?? request)["currentroutesegmenttraffic"] {
            // What has intervals is in the format of the service, which no driver app sends.
            guard value.members != nil, value["speedreadinginterval"] == nil else { return nil }
        } else {
            let mask = request["updatemask"]?.string?.lowercased().replacingOccurrences(of: "_", with: "") ?? ""
            guard mask.split(separator: ",").contains("currentroutesegmenttraffic") else { return nil }
        }
        return Traffic(stretches: sent.slowStretches, along: route)
    }

    /// Returns a trip after the answer, without new versions; `nil` if the answer does not concern it.
    ///
    /// Positions come from the answer, not from the request, because riders receive those.
    func applied(to trip: Trip, others: [Trip]) -> Trip? {
        guard !trip.status.isTerminal else { return nil }
        let isServed = currentTrips.contains(trip.id)
        guard isServed || trip.status == .new else { return nil }
        var updated = trip
        updated.unreadable = unreadable
        updated.lastLocation = vehicle.lastLocation ?? trip.lastLocation
        // Before the vehicle starts the trip, its route and times belong to other trips.
        if isServed { follow(&updated, others: others) }
        updated.lastLocationSnappable = updated.lastLocation?.coordinate != nil && updated.route != nil
        return updated
    }

    private func follow(_ trip: inout Trip, others: [Trip]) {
        let matcher = WaypointMatcher(trip: trip, others: others)
        trip.remainingWaypoints = matcher.waypoints(vehicle.waypoints)
        let (endBefore, etaBefore) = (trip.routeEnd, trip.etaToFirstWaypoint)
        trip.routeEnd = matcher.routeEnd(vehicle.routeEnd, among: trip.remainingWaypoints)
        trip.etaToFirstWaypoint = vehicle.etaToFirstWaypoint
        trip.remainingDistance = vehicle.remainingDistance
        estimate(&trip, endBefore, etaBefore)

        let isSameRoute = vehicle.route == trip.route
        trip.route = vehicle.route
        if let traffic {
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
}
