import TripModel

/// `google.type.LatLng`; zero values are omitted, so a point on the equator has no latitude.
struct LatLngMessage: Codable, Equatable {
    var latitude: Double?
    var longitude: Double?

    init(_ coordinate: Coordinate) {
        latitude = coordinate.latitude == 0 ? nil : coordinate.latitude
        longitude = coordinate.longitude == 0 ? nil : coordinate.longitude
    }

    /// The coordinate; `nil` if the numbers are out of range.
    var coordinate: Coordinate? {
        let coordinate = Coordinate(latitude: latitude ?? 0, longitude: longitude ?? 0)
        return coordinate.isValid ? coordinate : nil
    }
}

/// A planned pickup, stop or drop-off.
struct TerminalLocationMessage: Codable, Equatable {
    var point: LatLngMessage?

    init(_ coordinate: Coordinate) {
        point = LatLngMessage(coordinate)
    }
}

/// The place of an event.
struct StopLocationMessage: Codable, Equatable {
    var point: LatLngMessage?
    var timestamp: String?
    /// The deprecated name of `timestamp`.
    var stopTime: String?

    init(_ stop: StopLocation) {
        point = LatLngMessage(stop.coordinate)
        timestamp = stop.time.map(Timestamp.text)
    }

    var stop: StopLocation? {
        guard let coordinate = point?.coordinate else { return nil }
        return StopLocation(coordinate: coordinate, time: (timestamp ?? stopTime).flatMap(Timestamp.date))
    }
}

/// Traffic along a path.
struct TrafficMessage: Codable, Equatable {
    struct Interval: Codable, Equatable {
        var startPolylinePointIndex: Int32?
        var endPolylinePointIndex: Int32?
        var speed: EnumName?
    }

    var speedReadingInterval: BoundedList<Interval>?
    var encodedPathToWaypoint: EncodedPath?

    init(_ traffic: Traffic) {
        speedReadingInterval = BoundedList(
            traffic.intervals.map {
                Interval(
                    startPolylinePointIndex: $0.start == 0 ? nil : Int32(clamping: $0.start),
                    endPolylinePointIndex: $0.end == 0 ? nil : Int32(clamping: $0.end),
                    speed: EnumName($0.speed.name)
                )
            }
        )
        encodedPathToWaypoint = traffic.path.map(EncodedPath.init)
    }

    var traffic: Traffic {
        Traffic(
            intervals: (speedReadingInterval?.elements ?? []).map {
                Traffic.Interval(
                    start: Int($0.startPolylinePointIndex ?? 0),
                    end: Int($0.endPolylinePointIndex ?? 0),
                    speed: Traffic.Speed(name: $0.speed?.name(in: .trafficSpeed) ?? "SPEED_UNSPECIFIED")
                )
            },
            path: encodedPathToWaypoint?.points
        )
    }
}

/// A waypoint of a trip or a vehicle.
struct WaypointMessage: Codable, Equatable {
    var location: TerminalLocationMessage?
    var tripId: String?
    var waypointType: EnumName?
    var pathToWaypoint: BoundedList<LatLngMessage>?
    var encodedPathToWaypoint: EncodedPath?
    var distanceMeters: Int32?
    var eta: String?
    var duration: String?
    var trafficToWaypoint: TrafficMessage?

    init(_ waypoint: Waypoint, format: PathFormat) {
        location = waypoint.coordinate.map(TerminalLocationMessage.init)
        tripId = waypoint.tripID?.rawValue
        waypointType = waypoint.kind.name == "UNKNOWN_WAYPOINT_TYPE" ? nil : EnumName(waypoint.kind.name)
        switch format {
        case .points: pathToWaypoint = (waypoint.path?.map(LatLngMessage.init)).map(BoundedList.init)
        case .encoded: encodedPathToWaypoint = waypoint.path.map(EncodedPath.init)
        }
        distanceMeters = waypoint.distance?.wholeMeters
        eta = waypoint.eta.map(Timestamp.text)
        duration = waypoint.duration.map(DurationText.text)
        trafficToWaypoint = waypoint.traffic.map(TrafficMessage.init)
    }

    var waypoint: Waypoint {
        var waypoint = Waypoint(
            coordinate: location?.point?.coordinate,
            // An invalid ID counts as missing: the waypoint is still used.
            tripID: tripId.flatMap { try? TripID($0) },
            kind: Waypoint.Kind(name: waypointType?.name(in: .waypointType) ?? "UNKNOWN_WAYPOINT_TYPE")
        )
        waypoint.path = pathToWaypoint?.elements.compactMap(\.coordinate) ?? encodedPathToWaypoint?.points
        waypoint.distance = distanceMeters.map { Distance(meters: Double($0)) }
        waypoint.eta = eta.flatMap(Timestamp.date)
        waypoint.duration = duration.flatMap(DurationText.duration)
        waypoint.traffic = trafficToWaypoint?.traffic
        return waypoint
    }
}

/// A reported position.
struct LocationMessage: Codable, Equatable {
    var location: LatLngMessage?
    var heading: Int32?
    var speed: Double?
    var speedKmph: Int32?
    var latlngAccuracy: Double?
    var horizontalAccuracy: Double?
    var updateTime: String?
    var serverTime: String?
    var locationSensor: EnumName?
    var isRoadSnapped: Bool?
    var rawLocation: LatLngMessage?
    var rawLocationTime: String?
    var rawLocationAccuracy: Double?
    var rawLocationSensor: EnumName?
    var headingAccuracy: Double?
    var bearingAccuracy: Double?
    var speedAccuracy: Double?
    var altitude: Double?
    var altitudeAccuracy: Double?
    var verticalAccuracy: Double?
    var supplementalLocation: LatLngMessage?
    var supplementalLocationTime: String?
    var supplementalLocationSensor: EnumName?
    var supplementalLocationAccuracy: Double?
    var flpLocation: LatLngMessage?
    var flpUpdateTime: String?
    var flpLatlngAccuracyMeters: Double?
    var flpHeadingDegrees: Int32?

    init(_ location: VehicleLocation) {
        self.location = location.coordinate.map(LatLngMessage.init)
        heading = location.heading.map(Int32.init(clamping:))
        speed = location.speed
        latlngAccuracy = location.accuracy
        updateTime = location.updateTime.map(Timestamp.text)
        serverTime = location.serverTime.map(Timestamp.text)
        locationSensor = location.sensor.map(EnumName.init)
        isRoadSnapped = location.isRoadSnapped
        rawLocation = location.rawCoordinate.map(LatLngMessage.init)
        rawLocationTime = location.rawTime.map(Timestamp.text)
        rawLocationAccuracy = location.rawAccuracy
        rawLocationSensor = location.rawSensor.map(EnumName.init)
        headingAccuracy = location.headingAccuracy
        speedAccuracy = location.speedAccuracy
        altitude = location.altitude
        altitudeAccuracy = location.altitudeAccuracy
        supplementalLocation = location.supplemental.map { LatLngMessage($0.coordinate) }
        supplementalLocationTime = location.supplemental?.time.map(Timestamp.text)
        supplementalLocationSensor = (location.supplemental?.sensor).map(EnumName.init)
        supplementalLocationAccuracy = location.supplemental?.accuracy
        flpLocation = location.fused.map { LatLngMessage($0.coordinate) }
        flpUpdateTime = location.fused?.time.map(Timestamp.text)
        flpLatlngAccuracyMeters = location.fused?.accuracy
        flpHeadingDegrees = location.fused?.heading.map(Int32.init(clamping:))
    }

    var vehicleLocation: VehicleLocation {
        var result = VehicleLocation(coordinate: location?.coordinate)
        result.heading = heading.flatMap { (0..<360).contains($0) ? Int($0) : nil }
        result.speed = speed ?? speedKmph.map { Double($0) / 3.6 }
        result.accuracy = latlngAccuracy ?? horizontalAccuracy
        result.updateTime = updateTime.flatMap(Timestamp.date)
        result.serverTime = serverTime.flatMap(Timestamp.date)
        result.sensor = locationSensor?.name(in: .sensor).boundedName
        result.isRoadSnapped = isRoadSnapped
        result.rawCoordinate = rawLocation?.coordinate
        result.rawTime = rawLocationTime.flatMap(Timestamp.date)
        result.rawAccuracy = rawLocationAccuracy
        result.rawSensor = rawLocationSensor?.name(in: .sensor).boundedName
        result.headingAccuracy = headingAccuracy ?? bearingAccuracy
        result.speedAccuracy = speedAccuracy
        result.altitude = altitude
        result.altitudeAccuracy = altitudeAccuracy ?? verticalAccuracy
        result.supplemental = supplementalLocation?.coordinate.map {
            var fix = VehicleLocation.Fix(coordinate: $0)
            fix.time = supplementalLocationTime.flatMap(Timestamp.date)
            fix.sensor = supplementalLocationSensor?.name(in: .sensor).boundedName
            fix.accuracy = supplementalLocationAccuracy
            return fix
        }
        result.fused = flpLocation?.coordinate.map {
            var fix = VehicleLocation.Fix(coordinate: $0)
            fix.time = flpUpdateTime.flatMap(Timestamp.date)
            fix.accuracy = flpLatlngAccuracyMeters
            fix.heading = flpHeadingDegrees.map(Int.init)
            return fix
        }
        return result
    }
}

/// The encoding of a path.
package enum PathFormat: Sendable, Hashable {
    /// A list of points (`LAT_LNG_LIST_TYPE`, the default).
    case points
    /// An encoded string (`ENCODED_POLYLINE_TYPE`).
    case encoded
}

extension Distance {
    /// The length in whole meters, as an `int32`.
    var wholeMeters: Int32 {
        meters.isFinite ? Int32(min(max(meters.rounded(), -2_147_483_648), 2_147_483_647)) : 0
    }
}
