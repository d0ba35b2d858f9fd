import FleetWire
import Runtime
import TripModel

/// The spelling of Cloud Logging, in which some fields and the names of enum values differ from the API's names.
///
/// Source: the published logs of Fleet Debugger. Fields and names that they do not contain have the API's spelling.
enum LogSpelling {
    /// How the log spells a field of the API.
    private struct Rule {
        /// The name of the field; `nil` if it is the same.
        var name: String?
        /// What the log puts before the names of enum values.
        var prefix = ""
        /// What the log puts after them.
        var suffix = ""
        /// What the API has at the start of the names, and the log does not.
        var apiPrefix = ""
        /// What the API has at the end of the names, and the log does not.
        var apiSuffix = ""

        func value(_ name: String) -> String {
            var name = Substring(name)
            if !apiPrefix.isEmpty, name.hasPrefix(apiPrefix) { name.removeFirst(apiPrefix.count) }
            if !apiSuffix.isEmpty, name.hasSuffix(apiSuffix) { name.removeLast(apiSuffix.count) }
            return prefix + name + suffix
        }
    }

    /// The rules by the field of the API, or by the field that contains it and the field.
    private static let rules: [String: Rule] = [
        "tripStatus": Rule(name: "status", prefix: "TRIP_STATUS_"),
        "tripType": Rule(suffix: "_TRIP"),
        "supportedTripTypes": Rule(name: "supportedTrips", suffix: "_TRIP"),
        "waypointType": Rule(name: "type", prefix: "WAYPOINT_TYPE_", apiSuffix: "_WAYPOINT_TYPE"),
        "vehicleState": Rule(name: "state", prefix: "VEHICLE_STATE_"),
        "navigationStatus": Rule(name: "navStatus", prefix: "NAVIGATION_STATUS_"),
        "locationSensor": Rule(name: "locSensor", prefix: "LOCATION_SENSOR_"),
        "rawLocationSensor": Rule(prefix: "LOCATION_SENSOR_"),
        "supplementalLocationSensor": Rule(prefix: "LOCATION_SENSOR_"),
        "vehicleType.category": Rule(name: "vehicleCategory"),
        "batteryStatus": Rule(prefix: "BATTERY_STATUS_LOG_", apiPrefix: "BATTERY_STATUS_"),
        "powerSource": Rule(prefix: "POWER_SOURCE_LOG_", apiPrefix: "POWER_SOURCE_"),
        "locationPowerSaveMode": Rule(prefix: "LOCATION_POWER_SAVE_MODE_LOG_", apiPrefix: "LOCATION_MODE_"),
        "header.platform": Rule(prefix: "PLATFORM_LOG_"), "header.sdkType": Rule(prefix: "SDK_TYPE_LOG_"),
        "task.type": taskType, "tasks.type": taskType,
        "task.state": taskState, "tasks.state": taskState, "taskTrackingInfo.state": taskState,
        "taskOutcome": Rule(prefix: "TASK_OUTCOME_LOG_"),
        "taskOutcomeLocationSource": Rule(prefix: "TASK_OUTCOME_LOCATION_SOURCE_LOG_"),
        "stop.state": Rule(prefix: "VEHICLE_STOP_STATE_LOG_"),
    ]
    private static let taskType = Rule(prefix: "TASK_TYPE_LOG_")
    private static let taskState = Rule(prefix: "TASK_STATE_LOG_")

    /// The paths, which the log always encodes.
    private static let paths = ["route": "currentRouteSegment", "pathToWaypoint": "encodedPathToWaypoint"]

    /// The versions of parts, which the log leaves out.
    private static let versions: Set<String> = [
        "currentRouteSegmentVersion", "currentRouteSegmentTrafficVersion", "remainingWaypointsVersion",
        "remainingWaypointsRouteVersion", "intermediateDestinationsVersion", "waypointsVersion",
    ]

    /// Returns a message of the API in the spelling of the log.
    ///
    /// - Parameters:
    ///   - value: The message.
    ///   - field: The field that contains it, such as `task`.
    /// - Returns: The message with the log's names.
    static func spelled(_ value: JSONValue, in field: String) -> JSONValue {
        switch value {
        case .object(let members):
            let known = Set(members.map { FieldMask.camelCase($0.key) })
            return .object(
                members.compactMap { member in
                    let name = FieldMask.camelCase(member.key)
                    if versions.contains(name) { return nil }
                    if let encoded = paths[name], let points = points(member.value) {
                        guard !known.contains(encoded), !points.isEmpty else { return nil }
                        return JSONValue.Member(key: encoded, value: .string(S2Polyline.encode(points)))
                    }
                    let rule = rules["\(field).\(name)"] ?? rules[name]
                    return JSONValue.Member(key: rule?.name ?? name, value: spelled(member.value, name, rule))
                }
            )
        case .array(let elements): return .array(elements.map { spelled($0, in: field) })
        default: return value
        }
    }

    private static func spelled(_ value: JSONValue, _ name: String, _ rule: Rule?) -> JSONValue {
        switch value {
        case .string(let text): rule.map { .string($0.value(text)) } ?? value
        case .array(let elements): .array(elements.map { spelled($0, name, rule) })
        default: spelled(value, in: name)
        }
    }

    /// Returns the points of a path; `nil` for another value.
    private static func points(_ value: JSONValue) -> [Coordinate]? {
        guard case .array(let elements) = value else { return nil }
        return elements.map {
            // A number that is zero may be left out.
            Coordinate(latitude: $0["latitude"]?.number ?? 0, longitude: $0["longitude"]?.number ?? 0)
        }
    }
}
