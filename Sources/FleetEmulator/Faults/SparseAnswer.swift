package import FleetWire
import Runtime

/// Removes fields from answers: those that usually come and that a client must not rely on.
package enum SparseAnswer {
    /// The fields that are removed unless the fault names others.
    ///
    /// An answer retains the name, the status, the pickup, the drop-off and the bare position.
    package static let usual = FieldMask([
        "tripType", "numberOfPassengers", "pickupTime", "dropoffTime", "etaToFirstWaypoint",
        "remainingTimeToFirstWaypoint", "remainingDistanceMeters", "remainingWaypoints.eta",
        "remainingWaypoints.duration", "remainingWaypoints.distanceMeters", "remainingWaypointsVersion",
        "remainingWaypointsRouteVersion", "route", "currentRouteSegment", "currentRouteSegmentVersion",
        "currentRouteSegmentEndPoint", "currentRouteSegmentTraffic", "currentRouteSegmentTrafficVersion",
        "lastLocation.heading", "lastLocation.speed", "lastLocation.latlngAccuracy", "lastLocation.locationSensor",
        "lastLocation.isRoadSnapped", "lastLocationSnappable", "intermediateDestinationsVersion", "view",
    ])

    /// Returns an answer without some fields; a text that is not JSON is unchanged.
    package static func without(_ fields: FieldMask, _ body: [UInt8]) -> [UInt8] {
        guard var value = JSONValue(body) else { return body }
        for path in fields.paths { value.remove(path.split(separator: ".").map(String.init)[...]) }
        return JSONBytes.encode(value)
    }
}

extension JSONValue {
    /// Removes what is at a path of keys, from every element of a list on the way.
    fileprivate mutating func remove(_ path: ArraySlice<String>) {
        guard let key = path.first else { return }
        switch self {
        case .array(let values):
            self = .array(
                values.map { value in
                    var value = value
                    value.remove(path)
                    return value
                }
            )
        case .object(var members):
            if path.count == 1 {
                members.removeAll { $0.key == key }
            } else {
                for index in members.indices where members[index].key == key {
                    members[index].value.remove(path.dropFirst())
                }
            }
            self = .object(members)
        case .null, .bool, .number, .string: break
        }
    }
}
