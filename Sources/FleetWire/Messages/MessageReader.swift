import FleetEngineProtos
import SwiftProtobuf
import TripModel

/// Converts messages to the types of the model, within the limits of one answer or request.
struct MessageReader {
    var budget = ElementBudget()
    /// The names of the enum values that the schema does not have.
    private(set) var unknown = UnknownNames()
    /// Whether IDs are normalized, as in requests; IDs in answers retain the service's spelling.
    var normalizesIDs = false
    /// The encoded paths of a log so far; `nil` to decode each path on its own.
    var paths: PathDecoder?
    /// Whether a location without a coordinate has its raw coordinate, as in the requests and answers of a log.
    var usesRawCoordinates = false

    // MARK: Paths and waypoints

    /// Returns the elements of a list within its limit.
    mutating func bounded<Element>(_ list: [Element], _ kind: ElementKind) -> ArraySlice<Element> {
        list.prefix(budget.reserve(list.count, of: kind))
    }

    /// Returns a path from its points, otherwise from its encoded form; `nil` without either.
    ///
    /// A path that cannot be decoded counts as missing, because Google does not support decoding.
    mutating func path(_ points: [LatLngMessage], encoded: String = "") -> [Coordinate]? {
        if !points.isEmpty { return bounded(points, .pathPoints).compactMap(\.coordinate) }
        guard !encoded.isEmpty else { return nil }
        if paths != nil { return known(encoded)?.points }
        var budget = budget
        defer { self.budget = budget }
        return try? S2Polyline.decode(encoded) { budget.reserve($0, of: .pathPoints) }
    }

    /// Returns a route, as ``path(_:encoded:)`` returns its points.
    mutating func route(_ points: [LatLngMessage], encoded: String) -> Route? {
        if points.isEmpty, !encoded.isEmpty, paths != nil { return known(encoded) }
        return path(points, encoded: encoded).map { Route($0) }
    }

    /// Returns a path of a log.
    private mutating func known(_ encoded: String) -> Route? {
        guard let route = paths?.route(encoded) else { return nil }
        let count = budget.reserve(route.points.count, of: .pathPoints)
        return count == route.points.count ? route : Route(Array(route.points.prefix(count)))
    }

    mutating func waypoints(_ messages: [WaypointMessage]) -> [Waypoint] {
        var result: [Waypoint] = []
        for message in bounded(messages, .waypoints) { result.append(waypoint(message)) }
        return result
    }

    mutating func waypoint(_ message: WaypointMessage) -> Waypoint {
        var waypoint = Waypoint(
            coordinate: message.hasLocation ? message.location.coordinate : nil,
            // An invalid ID counts as missing: the waypoint is still used.
            tripID: message.tripID.nonEmpty.flatMap { try? normalizesIDs ? .normalized($0) : TripID($0) },
            kind: Waypoint.Kind(name: EnumNames.waypointType.name(message.waypointType, unknown))
        )
        waypoint.path = path(message.pathToWaypoint, encoded: message.encodedPathToWaypoint)
        if message.hasDistanceMeters { waypoint.distance = Distance(meters: Double(message.distanceMeters.value)) }
        if message.hasEta { waypoint.eta = message.eta.time }
        if message.hasDuration { waypoint.duration = message.duration.length }
        if message.hasTrafficToWaypoint { waypoint.traffic = traffic(message.trafficToWaypoint) }
        return waypoint
    }

    mutating func traffic(_ message: TrafficMessage) -> Traffic {
        let intervals = bounded(message.speedReadingInterval, .trafficIntervals).map {
            Traffic.Interval(
                start: Int($0.startPolylinePointIndex),
                end: Int($0.endPolylinePointIndex),
                speed: Traffic.Speed(name: EnumNames.trafficSpeed.name($0.speed, unknown))
            )
        }
        return Traffic(intervals: intervals, path: path([], encoded: message.encodedPathToWaypoint))
    }

    mutating func stops(_ messages: [StopMessage]) -> [StopLocation] {
        bounded(messages, .stops).compactMap(\.stop)
    }

    // MARK: Locations

    func location(_ message: LocationMessage) -> VehicleLocation {
        var result = VehicleLocation(coordinate: message.hasLocation ? message.location.coordinate : nil)
        if message.hasHeading, message.heading.isHeading { result.heading = Int(message.heading.value) }
        if message.hasSpeed {
            result.speed = message.speed.value.finite
        } else if message.hasSpeedKmph {
            result.speed = Double(message.speedKmph.value) / 3.6
        }
        result.accuracy =
            message.hasLatlngAccuracy
            ? message.latlngAccuracy.value.finite
            : message.hasHorizontalAccuracy ? message.horizontalAccuracy.value.finite : nil
        if message.hasUpdateTime { result.updateTime = message.updateTime.time }
        if message.hasServerTime { result.serverTime = message.serverTime.time }
        result.sensor = EnumNames.sensor.nameIfSet(message.locationSensor, unknown)
        if message.hasIsRoadSnapped { result.isRoadSnapped = message.isRoadSnapped.value }
        if message.hasRawLocation { result.rawCoordinate = message.rawLocation.coordinate }
        if usesRawCoordinates { result.coordinate = result.coordinate ?? result.rawCoordinate }
        if message.hasRawLocationTime { result.rawTime = message.rawLocationTime.time }
        if message.hasRawLocationAccuracy { result.rawAccuracy = message.rawLocationAccuracy.value.finite }
        result.rawSensor = EnumNames.sensor.nameIfSet(message.rawLocationSensor, unknown)
        result.headingAccuracy =
            message.hasHeadingAccuracy
            ? message.headingAccuracy.value.finite
            : message.hasBearingAccuracy ? message.bearingAccuracy.value.finite : nil
        if message.hasSpeedAccuracy { result.speedAccuracy = message.speedAccuracy.value.finite }
        if message.hasAltitude { result.altitude = message.altitude.value.finite }
        result.altitudeAccuracy =
            message.hasAltitudeAccuracy
            ? message.altitudeAccuracy.value.finite
            : message.hasVerticalAccuracy ? message.verticalAccuracy.value.finite : nil
        result.supplemental = supplemental(message)
        result.fused = fused(message)
        return result
    }

    private func supplemental(_ message: LocationMessage) -> VehicleLocation.Fix? {
        guard message.hasSupplementalLocation, let coordinate = message.supplementalLocation.coordinate else {
            return nil
        }
        var fix = VehicleLocation.Fix(coordinate: coordinate)
        if message.hasSupplementalLocationTime { fix.time = message.supplementalLocationTime.time }
        fix.sensor = EnumNames.sensor.nameIfSet(message.supplementalLocationSensor, unknown)
        if message.hasSupplementalLocationAccuracy { fix.accuracy = message.supplementalLocationAccuracy.value.finite }
        return fix
    }

    private func fused(_ message: LocationMessage) -> VehicleLocation.Fix? {
        guard message.hasFlpLocation, let coordinate = message.flpLocation.coordinate else { return nil }
        var fix = VehicleLocation.Fix(coordinate: coordinate)
        if message.hasFlpUpdateTime { fix.time = message.flpUpdateTime.time }
        if message.hasFlpLatlngAccuracyMeters { fix.accuracy = message.flpLatlngAccuracyMeters.value.finite }
        if message.hasFlpHeadingDegrees, message.flpHeadingDegrees.isHeading {
            fix.heading = Int(message.flpHeadingDegrees.value)
        }
        return fix
    }
}

extension LocationMessage {
    /// Checks the ranges of a location in a request.
    func check(_ path: String) throws(WireError) {
        guard !hasLocation || location.coordinate != nil else {
            throw .unexpected(path: "\(path).location", reason: "not valid coordinates")
        }
        guard !hasHeading || heading.isHeading else {
            throw .unexpected(path: "\(path).heading", reason: "0 to 359 degrees are expected")
        }
        guard !hasFlpHeadingDegrees || flpHeadingDegrees.isHeading else {
            throw .unexpected(path: "\(path).flpHeadingDegrees", reason: "0 to 359 degrees are expected")
        }
    }
}

extension Google_Protobuf_Int32Value {
    /// Whether the number is a direction in degrees: north is 0, and 360 is not valid.
    fileprivate var isHeading: Bool { (0..<360).contains(value) }
}

extension StopMessage {
    /// The place and the time; `nil` without a place.
    var stop: StopLocation? {
        guard hasPoint, let coordinate = point.coordinate else { return nil }
        return StopLocation(
            coordinate: coordinate,
            time: hasTimestamp ? timestamp.time : hasStopTime ? stopTime.time : nil
        )
    }
}

extension Double {
    /// The number; `nil` for NaN and the infinities, which ProtoJSON and binary messages may have.
    fileprivate var finite: Double? { isFinite ? self : nil }
}
