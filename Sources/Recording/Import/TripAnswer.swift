import FleetWire
import Foundation
import Runtime
import TripModel

/// The answer to a trip call: the whole trip, which replaces the known state.
struct TripAnswer {
    private let value: JSONValue

    init(_ value: JSONValue) {
        self.value = value
    }

    /// Returns the trip without versions.
    ///
    /// `head` provides its names and status. The other trips of its vehicle determine the owners of waypoints. The known state
    /// provides the traffic.
    func trip(_ head: Trip, known: Trip?, others: [Trip], paths: inout PathDecoder) -> Trip {
        var trip = head
        trip.unreadable = UnreadableLogValues.fields(of: value)
        trip.type = LogFields.type(value)
        // An invalid ID counts as unknown.
        trip.vehicleID = value["vehicleid"]?.string.flatMap { try? VehicleID($0) }
        trip.passengers = value["numberofpassengers"]?.integer.flatMap { $0 >= 0 ? $0 : nil }
        trip.pickup = LogFields.coordinate(value["pickuppoint"]?["point"])
        trip.dropoff = LogFields.coordinate(value["dropoffpoint"]?["point"])
        trip.intermediateDestinations =
            value["intermediatedestinations"]?.elements?.prefix(ElementLimits.maximum(of: .stops))
            .compactMap { LogFields.coordinate($0["point"]) } ?? []
        trip.intermediateDestinationIndex = max(0, value["intermediatedestinationindex"]?.integer ?? 0)
        trip.pickupTime = LogFields.date(value["pickuptime"])
        trip.dropoffTime = LogFields.date(value["dropofftime"])
        trip.actualPickup = LogFields.stop(value["actualpickuppoint"])
        trip.actualDropoff = LogFields.stop(value["actualdropoffpoint"])
        trip.actualPickupArrival = LogFields.stop(value["actualpickuparrivalpoint"])
        trip.actualStopArrivals = LogFields.stops(value["actualintermediatedestinationarrivalpoints"])
        trip.actualStops = LogFields.stops(value["actualintermediatedestinations"])
        trip.etaToFirstWaypoint = LogFields.date(value["etatofirstwaypoint"])
        trip.remainingDistance = LogFields.distance(value["remainingdistancemeters"])
        trip.route = paths.route(value["currentroutesegment"])
        trip.traffic = traffic(along: trip.route, known: known, paths: &paths)
        trip.lastLocation = LogFields.location(value["lastlocation"])
        trip.lastLocationSnappable = trip.lastLocation?.coordinate != nil && trip.route != nil
        let matcher = WaypointMatcher(trip: trip, others: others)
        trip.remainingWaypoints = matcher.waypoints(value["remainingwaypoints"]?.elements, paths: &paths)
        trip.routeEnd = matcher.routeEnd(
            value["currentroutesegmentendpoint"],
            among: trip.remainingWaypoints,
            paths: &paths
        )
        return trip
    }

    /// Returns the traffic along the route.
    ///
    /// The service's point indices refer to a finer path than the route, which the log does not contain. Indices beyond the
    /// route are used only if they have a single class of traffic, because then no boundary is needed. Otherwise the previous
    /// traffic along the same route is retained.
    private func traffic(along route: Route?, known: Trip?, paths: inout PathDecoder) -> Traffic? {
        guard let route, var traffic = LogFields.traffic(value["currentroutesegmenttraffic"], paths: &paths) else {
            return nil
        }
        let last = (traffic.path ?? route.points).count - 1
        if traffic.intervals.allSatisfy({ $0.start < $0.end && $0.end <= last }) { return traffic }
        guard last > 0, let speed = traffic.intervals.first?.speed, traffic.intervals.allSatisfy({ $0.speed == speed })
        else {
            return known?.route == route ? known?.traffic : nil
        }
        traffic.intervals = [Traffic.Interval(start: 0, end: last, speed: speed)]
        return traffic
    }
}
