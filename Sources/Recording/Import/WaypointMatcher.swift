import FleetWire
import Runtime
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
    func waypoints(_ values: [JSONValue]?, paths: inout PathDecoder) -> [Waypoint] {
        var left = own + others
        var result = (values ?? []).prefix(ElementLimits.maximum(of: .waypoints)).map {
            waypoint($0, left: &left, paths: &paths)
        }
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
    func routeEnd(_ value: JSONValue?, among waypoints: [Waypoint], paths: inout PathDecoder) -> Waypoint? {
        guard let value else { return nil }
        var left = own + others
        var end = waypoint(value, left: &left, paths: &paths)
        let twin = waypoints.first { $0.tripID == end.tripID && $0.kind == end.kind }
        end.coordinate = end.coordinate ?? twin?.coordinate
        return end
    }

    /// Matches each expected waypoint once, so that a round trip retains both of its ends.
    private func waypoint(_ value: JSONValue, left: inout [Expected], paths: inout PathDecoder) -> Waypoint {
        let coordinate = LogFields.coordinate(value["location"]?["point"] ?? value["location"])
        let found = left.firstIndex { Self.isSame($0.coordinate, coordinate) }
        let match = found.map { left.remove(at: $0) }
        var waypoint = Waypoint(
            coordinate: coordinate,
            tripID: LogFields.waypointTrip(value) ?? match?.tripID,
            kind: LogFields.waypointKind(value) ?? match?.kind ?? .unrecognized("UNKNOWN_WAYPOINT_TYPE")
        )
        waypoint.path = paths.points(value["encodedpathtowaypoint"])
        waypoint.distance = LogFields.distance(value["distancemeters"])
        waypoint.eta = LogFields.date(value["eta"])
        waypoint.duration = LogFields.duration(value["duration"])
        waypoint.traffic = LogFields.traffic(value["traffictowaypoint"], paths: &paths)
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
