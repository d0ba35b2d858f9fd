import FleetWire
import Foundation
import Runtime
import TripModel

/// Reads message parts in the log's spelling: prefixed enum names, some different field names, lowercase keys.
enum LogFields {
    /// Returns the name after the last slash.
    static func lastPart(_ value: JSONValue?) -> String? {
        value?.string?.split(separator: "/").last.map(String.init)
    }

    static func date(_ value: JSONValue?) -> Date? {
        value?.string.flatMap(Timestamp.date)
    }

    static func duration(_ value: JSONValue?) -> Duration? {
        value?.string.flatMap(DurationText.duration)
    }

    static func distance(_ value: JSONValue?) -> Distance? {
        value?.logNumber.map { Distance(meters: $0) }
    }

    /// Returns a `LatLng`; one of the two numbers may be omitted because it is zero.
    static func coordinate(_ value: JSONValue?) -> Coordinate? {
        let latitude = value?["latitude"]?.logNumber
        let longitude = value?["longitude"]?.logNumber
        guard latitude != nil || longitude != nil else { return nil }
        let coordinate = Coordinate(latitude: latitude ?? 0, longitude: longitude ?? 0)
        return coordinate.isValid ? coordinate : nil
    }

    static func stop(_ value: JSONValue?) -> StopLocation? {
        coordinate(value?["point"]).map {
            StopLocation(coordinate: $0, time: date(value?["timestamp"]) ?? date(value?["stoptime"]))
        }
    }

    /// Returns the places of a list; one without coordinates is left out.
    static func stops(_ value: JSONValue?) -> [StopLocation] {
        value?.elements?.prefix(ElementLimits.maximum(of: .stops)).compactMap { stop($0) } ?? []
    }

    /// Returns the status; the log adds the prefix `TRIP_STATUS_` to the API name.
    static func status(_ trip: JSONValue) -> TripStatus {
        let name = enumName(trip["status"] ?? trip["tripstatus"], prefix: "TRIP_STATUS_")
        return TripStatus(name: name ?? "UNKNOWN_TRIP_STATUS")
    }

    /// Returns the type; the log uses `EXCLUSIVE_TRIP` instead of `EXCLUSIVE`.
    static func type(_ trip: JSONValue) -> TripType? {
        enumName(trip["triptype"] ?? trip["type"], prefix: "", suffix: "_TRIP").map(TripType.init(name:))
    }

    /// Returns the kind of a waypoint; the log uses `WAYPOINT_TYPE_PICKUP` instead of `PICKUP_WAYPOINT_TYPE`.
    static func waypointKind(_ waypoint: JSONValue) -> Waypoint.Kind? {
        let name = enumName(
            waypoint["type"] ?? waypoint["waypointtype"],
            prefix: "WAYPOINT_TYPE_",
            suffix: "_WAYPOINT_TYPE"
        )
        return name.map { Waypoint.Kind(name: $0 + "_WAYPOINT_TYPE") }
    }

    /// Returns the navigation status of a vehicle; the log adds the prefix `NAVIGATION_STATUS_` to the API name.
    static func navigation(_ vehicle: JSONValue?) -> String? {
        enumName(vehicle?["navstatus"] ?? vehicle?["navigationstatus"], prefix: "NAVIGATION_STATUS_")
    }

    /// Returns the trip of a waypoint, if the log contains it.
    static func waypointTrip(_ waypoint: JSONValue) -> TripID? {
        // An invalid ID counts as missing: the waypoint is still used.
        waypoint["tripid"]?.string.flatMap { try? TripID($0) }
    }

    /// Returns the position of a vehicle.
    static func location(_ value: JSONValue?) -> VehicleLocation? {
        guard let value, value.members?.isEmpty == false else { return nil }
        let raw = coordinate(value["rawlocation"])
        var location = VehicleLocation(coordinate: coordinate(value["location"]) ?? raw)
        location.heading = value["heading"]?.integer.flatMap { (0..<360).contains($0) ? $0 : nil }
        location.speed = value["speed"]?.logNumber ?? value["speedkmph"]?.logNumber.map { $0 / 3.6 }
        location.accuracy = (value["latlngaccuracy"] ?? value["horizontalaccuracy"])?.logNumber
        location.updateTime = date(value["updatetime"])
        location.serverTime = date(value["servertime"])
        location.sensor = enumName(value["locsensor"] ?? value["locationsensor"], prefix: "LOCATION_SENSOR_")
        location.isRoadSnapped = value["isroadsnapped"]?.bool
        location.rawCoordinate = raw
        location.rawTime = date(value["rawlocationtime"])
        return location
    }

    /// Returns traffic in the format of a trip's answer; `nil` without intervals.
    static func traffic(_ value: JSONValue?, paths: inout PathDecoder) -> Traffic? {
        guard let intervals = value?["speedreadinginterval"]?.elements, !intervals.isEmpty else { return nil }
        return Traffic(
            intervals: intervals.prefix(ElementLimits.maximum(of: .trafficIntervals)).map {
                Traffic.Interval(
                    start: max(0, $0["startpolylinepointindex"]?.integer ?? 0),
                    end: max(0, $0["endpolylinepointindex"]?.integer ?? 0),
                    speed: Traffic.Speed(name: enumName($0["speed"], prefix: "SPEED_LOG_") ?? "SPEED_UNSPECIFIED")
                )
            },
            path: paths.points(value?["encodedpathtowaypoint"])
        )
    }

    /// Returns an enum name without the log's prefix; truncated to 64 characters, because it may be displayed.
    static func enumName(_ value: JSONValue?, prefix: String, suffix: String = "") -> String? {
        guard var name = value?.string.map({ String($0.prefix(64)) }), !name.isEmpty else { return nil }
        if !prefix.isEmpty, name.hasPrefix(prefix), name != prefix { name.removeFirst(prefix.count) }
        if !suffix.isEmpty, name.hasSuffix(suffix), name != suffix { name.removeLast(suffix.count) }
        return name
    }
}
