import TripModel

/// Determines the trips of waypoints: the log contains place and path, but usually neither trip nor kind.
struct WaypointMatcher {
    /// A remaining waypoint of a trip.
    private struct Expected {
        var tripID: TripID
        var kind: Waypoint.Kind
        var coordinate: Coordinate?
    }

    /// The maximum difference of equal places in degrees: the server rounds to 7 decimals.
    private static let tolerance = 2e-7
    /// The maximum number of other trips of the vehicle.
    private static let maximumOthers = 16

    private let trip: Trip
    private let own: [Expected]
    private let others: [Expected]

    /// Creates a matcher for a trip on a vehicle with other trips.
    init(trip: Trip, others: [Trip]) {
        self.trip = trip
        own = Self.expected(of: trip)
        self.others = others.prefix(Self.maximumOthers).filter { $0.id != trip.id }.flatMap(Self.expected)
    }

    /// Returns the waypoints up to the trip's own drop-off.
    func waypoints(_ waypoints: [Waypoint]) -> [Waypoint] {
        var left = own + others
        var result = waypoints.map { matched($0, left: &left) }
        let isUnknown = result.allSatisfy { $0.tripID == nil }
        if isUnknown, result.count == own.count {
            // No place matched, but the trip has the vehicle alone, so the order decides.
            for (index, expected) in own.enumerated() {
                result[index].tripID = expected.tripID
                result[index].kind = expected.kind
                result[index].coordinate = result[index].coordinate ?? expected.coordinate
            }
        }
        guard let end = result.lastIndex(where: { $0.tripID == trip.id && $0.kind == .dropoff }) else { return result }
        return Array(result[...end])
    }

    /// Returns the waypoint at the end of the route; missing values come from the remaining waypoints.
    func routeEnd(_ end: Waypoint?, among waypoints: [Waypoint]) -> Waypoint? {
        guard let end else { return nil }
        var left = own + others
        var result = matched(end, left: &left)
        let twin = waypoints.first { $0.tripID == result.tripID && $0.kind == result.kind }
        result.coordinate = result.coordinate ?? twin?.coordinate
        return result
    }

    /// Matches each expected waypoint once, so that a round trip retains both of its ends.
    private func matched(_ waypoint: Waypoint, left: inout [Expected]) -> Waypoint {
        guard let found = left.firstIndex(where: { Self.isSame($0.coordinate, waypoint.coordinate) }) else {
            return waypoint
        }
        let match = left.remove(at: found)
        var waypoint = waypoint
        waypoint.tripID = waypoint.tripID ?? match.tripID
        if case .unrecognized("UNKNOWN_WAYPOINT_TYPE") = waypoint.kind { waypoint.kind = match.kind }
        return waypoint
    }

    private static func isSame(_ one: Coordinate?, _ other: Coordinate?) -> Bool {
        guard let one, let other else { return false }
        return abs(one.latitude - other.latitude) <= tolerance && abs(one.longitude - other.longitude) <= tolerance
    }

    /// Returns the remaining waypoints of a trip; the departure removes a waypoint, not the arrival.
    private static func expected(of trip: Trip) -> [Expected] {
        let pickup = Expected(tripID: trip.id, kind: .pickup, coordinate: trip.pickup)
        let stops = trip.intermediateDestinations.dropFirst(trip.intermediateDestinationIndex).map {
            Expected(tripID: trip.id, kind: .intermediateDestination, coordinate: $0)
        }
        let dropoff = Expected(tripID: trip.id, kind: .dropoff, coordinate: trip.dropoff)
        switch trip.status {
        case .new, .enrouteToPickup, .arrivedAtPickup, .unrecognized: return [pickup] + stops + [dropoff]
        case .enrouteToIntermediateDestination, .arrivedAtIntermediateDestination: return stops + [dropoff]
        case .enrouteToDropoff: return [dropoff]
        case .complete, .canceled: return []
        }
    }
}
