import FleetEngineProtos
import SwiftProtobuf
package import TripModel

/// The parts of trips and vehicles.
extension MessageWriter {
    mutating func waypoints(_ waypoints: [Waypoint]) -> [WaypointMessage] { waypoints.map { waypoint($0) } }

    mutating func waypoint(_ waypoint: Waypoint) -> WaypointMessage {
        var message = WaypointMessage()
        message.set(\.location, waypoint.coordinate.map(TerminalMessage.init))
        message.tripID = waypoint.tripID?.rawValue ?? ""
        message.waypointType = EnumNames.waypointType.value(waypoint.kind.name, &unknown)
        switch format {
        case .points: message.pathToWaypoint = waypoint.path?.map(LatLngMessage.init) ?? []
        case .encoded: message.encodedPathToWaypoint = waypoint.path.map { S2Polyline.encode($0) } ?? ""
        }
        message.set(\.distanceMeters, waypoint.distance.map(Google_Protobuf_Int32Value.init))
        message.set(\.eta, waypoint.eta?.timestamp)
        message.set(\.duration, waypoint.duration.map(Google_Protobuf_Duration.init))
        if let traffic = waypoint.traffic { message.trafficToWaypoint = self.traffic(traffic) }
        return message
    }

    mutating func traffic(_ traffic: Traffic) -> TrafficMessage {
        var message = TrafficMessage()
        for interval in traffic.intervals {
            message.speedReadingInterval.append(
                .with {
                    $0.startPolylinePointIndex = Int32(clamping: interval.start)
                    $0.endPolylinePointIndex = Int32(clamping: interval.end)
                    $0.speed = EnumNames.trafficSpeed.value(interval.speed.name, &unknown)
                }
            )
        }
        message.encodedPathToWaypoint = traffic.path.map { S2Polyline.encode($0) } ?? ""
        return message
    }

    mutating func location(_ location: VehicleLocation) -> LocationMessage {
        var message = LocationMessage()
        message.set(\.location, location.coordinate.map(LatLngMessage.init))
        if let heading = location.heading { message.heading = Google_Protobuf_Int32Value(Int32(clamping: heading)) }
        message.set(\.speed, location.speed.map { Google_Protobuf_DoubleValue($0) })
        message.set(\.latlngAccuracy, location.accuracy.map { Google_Protobuf_DoubleValue($0) })
        message.set(\.updateTime, location.updateTime?.timestamp)
        message.set(\.serverTime, location.serverTime?.timestamp)
        message.locationSensor = EnumNames.sensor.value(location.sensor, &unknown)
        message.set(\.isRoadSnapped, location.isRoadSnapped.map { Google_Protobuf_BoolValue($0) })
        message.set(\.rawLocation, location.rawCoordinate.map(LatLngMessage.init))
        message.set(\.rawLocationTime, location.rawTime?.timestamp)
        message.set(\.rawLocationAccuracy, location.rawAccuracy.map { Google_Protobuf_DoubleValue($0) })
        message.rawLocationSensor = EnumNames.sensor.value(location.rawSensor, &unknown)
        message.set(\.headingAccuracy, location.headingAccuracy.map { Google_Protobuf_DoubleValue($0) })
        message.set(\.speedAccuracy, location.speedAccuracy.map { Google_Protobuf_DoubleValue($0) })
        message.set(\.altitude, location.altitude.map { Google_Protobuf_DoubleValue($0) })
        message.set(\.altitudeAccuracy, location.altitudeAccuracy.map { Google_Protobuf_DoubleValue($0) })
        if let fix = location.supplemental {
            message.supplementalLocation = LatLngMessage(fix.coordinate)
            message.set(\.supplementalLocationTime, fix.time?.timestamp)
            message.supplementalLocationSensor = EnumNames.sensor.value(fix.sensor, &unknown)
            message.set(\.supplementalLocationAccuracy, fix.accuracy.map { Google_Protobuf_DoubleValue($0) })
        }
        if let fix = location.fused {
            message.flpLocation = LatLngMessage(fix.coordinate)
            message.set(\.flpUpdateTime, fix.time?.timestamp)
            message.set(\.flpLatlngAccuracyMeters, fix.accuracy.map { Google_Protobuf_DoubleValue($0) })
            if let heading = fix.heading {
                message.flpHeadingDegrees = Google_Protobuf_Int32Value(Int32(clamping: heading))
            }
        }
        return message
    }

    mutating func deviceSettings(_ settings: DeviceSettings) -> DeviceSettingsMessage {
        var message = DeviceSettingsMessage()
        message.locationPowerSaveMode = EnumNames.powerSaveMode.value(settings.locationPowerSaveMode, &unknown)
        message.isPowerSaveMode = settings.isPowerSaveMode
        message.isInteractive = settings.isInteractive
        guard let battery = settings.battery else { return message }
        message.batteryInfo = Maps_Fleetengine_V1_BatteryInfo()
        message.batteryInfo.batteryStatus = EnumNames.batteryStatus.value(battery.status, &unknown)
        message.batteryInfo.powerSource = EnumNames.powerSource.value(battery.powerSource, &unknown)
        message.batteryInfo.batteryPercentage = Float(battery.percentage ?? 0)
        return message
    }
}

extension StopMessage {
    package init(_ stop: StopLocation) {
        self.init()
        point = LatLngMessage(stop.coordinate)
        if let time = stop.time { timestamp = Google_Protobuf_Timestamp(time) }
    }
}
