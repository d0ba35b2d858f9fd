import FleetEngineProtos
import FleetWire
import Foundation
import Runtime
import SwiftProtobuf
import TripModel

/// Random trips and vehicles with the values that messages can hold; the same seed gives the same ones.
struct RandomModels {
    private var random: SeededGenerator
    /// Whether names of enum values may be unknown.
    var hasUnknownNames = false

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &random) }

    mutating func maybe<Value>(_ value: (inout Self) throws -> Value) rethrows -> Value? {
        roll(3) == 0 ? nil : try value(&self)
    }

    mutating func some<Value>(_ value: (inout Self) throws -> Value) rethrows -> [Value] {
        var list: [Value] = []
        for _ in 0..<roll(4) { list.append(try value(&self)) }
        return list
    }

    mutating func name(_ known: [String]) -> String {
        hasUnknownNames && roll(3) == 0 ? "NEWER_\(roll(4))" : known[roll(known.count)]
    }

    mutating func coordinate() -> Coordinate {
        Coordinate(
            latitude: roll(9) == 0 ? 0 : Double.random(in: -90...90, using: &random),
            longitude: roll(9) == 0 ? -180 : Double.random(in: -180...180, using: &random)
        )
    }

    /// A time in whole milliseconds, which a `Date` can hold.
    mutating func time() -> Date {
        Date(timeIntervalSince1970: Double(roll(4_000_000) * 1000) + Double(roll(8)) / 8)
    }

    private mutating func version() -> TripModel.Version {
        let fractions = ["", ".118", ".000001", ".123456789"]
        let day = "20\(10 + roll(80))-0\(1 + roll(9))-1\(roll(10))"
        return TripModel.Version("\(day)T08:17:0\(roll(10))\(fractions[roll(4)])Z")
    }

    mutating func duration() -> Duration { .milliseconds(roll(10_000_000) - 5_000_000) }

    private mutating func number() -> Double { Double.random(in: -1e6...1e6, using: &random) }

    mutating func text() -> String {
        ["a", "ä€😀", "\u{0}\u{1F}\"\\/", String(repeating: "x", count: 90), "1", "null", "\u{2028}"][roll(7)]
    }

    private mutating func traffic() -> Traffic {
        Traffic(
            intervals: some {
                Traffic.Interval(
                    start: $0.roll(50),
                    end: $0.roll(50),
                    speed: Traffic.Speed(name: $0.name(["NORMAL", "SLOW", "TRAFFIC_JAM", "SPEED_UNSPECIFIED"]))
                )
            }
        )
    }

    private mutating func waypoint() throws -> Waypoint {
        let kinds = [
            "PICKUP_WAYPOINT_TYPE", "DROP_OFF_WAYPOINT_TYPE", "INTERMEDIATE_DESTINATION_WAYPOINT_TYPE",
            "UNKNOWN_WAYPOINT_TYPE",
        ]
        var waypoint = Waypoint(
            coordinate: maybe { $0.coordinate() },
            tripID: try maybe { try TripID("t\($0.roll(9))") },
            kind: Waypoint.Kind(name: name(kinds))
        )
        waypoint.path = maybe { models in [models.coordinate()] + models.some { $0.coordinate() } }
        waypoint.distance = maybe { Distance(meters: Double($0.roll(99_999))) }
        waypoint.eta = maybe { $0.time() }
        waypoint.duration = maybe { $0.duration() }
        waypoint.traffic = maybe { $0.traffic() }
        return waypoint
    }

    private mutating func fix() -> VehicleLocation.Fix {
        var fix = VehicleLocation.Fix(coordinate: coordinate())
        fix.time = maybe { $0.time() }
        fix.accuracy = maybe { $0.number() }
        return fix
    }

    mutating func location() -> VehicleLocation {
        let sensors = ["GPS", "NETWORK", "FUSED_LOCATION_PROVIDER", "CORE_LOCATION"]
        var location = VehicleLocation(coordinate: maybe { $0.coordinate() })
        location.heading = maybe { $0.roll(360) }
        location.speed = maybe { $0.number() }
        location.accuracy = maybe { $0.number() }
        location.updateTime = maybe { $0.time() }
        location.serverTime = maybe { $0.time() }
        location.sensor = maybe { $0.name(sensors) }
        location.isRoadSnapped = maybe { $0.roll(2) == 0 }
        location.rawCoordinate = maybe { $0.coordinate() }
        location.rawTime = maybe { $0.time() }
        location.rawAccuracy = maybe { $0.number() }
        location.rawSensor = maybe { $0.name(sensors) }
        location.headingAccuracy = maybe { $0.number() }
        location.speedAccuracy = maybe { $0.number() }
        location.altitude = maybe { $0.number() }
        location.altitudeAccuracy = maybe { $0.number() }
        location.supplemental = maybe { $0.fix() }
        location.supplemental?.sensor = maybe { $0.name(sensors) }
        location.fused = maybe { $0.fix() }
        location.fused?.heading = maybe { $0.roll(360) }
        return location
    }

    mutating func attribute() -> Attribute {
        let value: Attribute.Value =
            switch roll(3) {
            case 0: .text(text())
            case 1: .flag(roll(2) == 0)
            default: .number(number())
            }
        return Attribute(key: "k\(roll(9))", value: value)
    }

    private mutating func stop() -> StopLocation { StopLocation(coordinate: coordinate(), time: maybe { $0.time() }) }

    mutating func trip() throws -> Trip {
        let statuses = TripStatus.known.map(\.name) + ["UNKNOWN_TRIP_STATUS"]
        var trip = Trip(
            id: try TripID("trip \(roll(99))"),
            provider: try ProviderID("p"),
            status: TripStatus(name: name(statuses))
        )
        trip.type = maybe { TripType(name: $0.name(["SHARED", "EXCLUSIVE"])) }
        trip.vehicleID = try maybe { try VehicleID("v\($0.roll(9))") }
        trip.passengers = maybe { 1 + $0.roll(6) }
        trip.pickup = maybe { $0.coordinate() }
        trip.dropoff = maybe { $0.coordinate() }
        trip.intermediateDestinations = some { $0.coordinate() }
        trip.intermediateDestinationIndex = roll(4)
        trip.intermediateDestinationsVersion = maybe { $0.version() }
        trip.pickupTime = maybe { $0.time() }
        trip.dropoffTime = maybe { $0.time() }
        trip.actualPickup = maybe { $0.stop() }
        trip.actualDropoff = maybe { $0.stop() }
        trip.actualPickupArrival = maybe { $0.stop() }
        trip.actualStopArrivals = some { $0.stop() }
        trip.actualStops = some { $0.stop() }
        trip.attributes = some { $0.attribute() }
        trip.etaToFirstWaypoint = maybe { $0.time() }
        trip.remainingTime = maybe { $0.duration() }
        trip.remainingDistance = maybe { Distance(meters: Double($0.roll(99_999))) }
        trip.remainingWaypoints = try some { try $0.waypoint() }
        trip.remainingWaypointsVersion = maybe { $0.version() }
        trip.remainingWaypointsRouteVersion = maybe { $0.version() }
        trip.vehicleWaypoints = try some { try $0.waypoint() }
        trip.route = maybe { models in Route([models.coordinate()] + models.some { $0.coordinate() }) }
        trip.routeVersion = maybe { $0.version() }
        trip.routeEnd = try maybe { try $0.waypoint() }
        trip.traffic = maybe { $0.traffic() }
        trip.trafficVersion = maybe { $0.version() }
        trip.lastLocation = maybe { $0.location() }
        trip.lastLocationSnappable = roll(2) == 0
        trip.view = maybe { $0.name(["SDK", "JOURNEY_SHARING_V1S"]) }
        return trip
    }

    /// A location in the message of a trip.
    private mutating func locationMessage() throws -> LocationMessage {
        var trip = Trip(id: try TripID("t"), provider: try ProviderID("p"), status: .new)
        trip.lastLocation = location()
        return TripCoding.message(trip).lastLocation
    }

    mutating func vehicle() throws -> VehicleMessage {
        var vehicle = VehicleMessage()
        vehicle.name = "providers/p/vehicles/v\(roll(99))"
        vehicle.vehicleState = .init(rawValue: roll(3)) ?? .init()
        vehicle.supportedTripTypes = some { $0.roll(2) == 0 ? .shared : .exclusive }
        vehicle.currentTrips = some { "t\($0.roll(9))" }
        vehicle.maximumCapacity = Int32(roll(7))
        if roll(3) > 0 { vehicle.vehicleType.category = .init(rawValue: roll(4)) ?? .init() }
        vehicle.backToBackEnabled = roll(2) == 0
        if let place = try maybe({ try $0.locationMessage() }) { vehicle.lastLocation = place }
        vehicle.waypoints = try some { WaypointMessage(try $0.waypoint()) }
        if let time = maybe({ $0.time() }) { vehicle.waypointsVersion = Google_Protobuf_Timestamp(time) }
        if let distance = maybe({ $0.roll(99_999) }) { vehicle.remainingDistanceMeters = .init(Int32(distance)) }
        if let time = maybe({ $0.time() }) { vehicle.etaToFirstWaypoint = Google_Protobuf_Timestamp(time) }
        if let time = maybe({ $0.time() }) { vehicle.currentRouteSegmentVersion = Google_Protobuf_Timestamp(time) }
        if let end = try maybe({ try $0.waypoint() }) { vehicle.currentRouteSegmentEndPoint = WaypointMessage(end) }
        vehicle.attributes = some { VehicleAttributeMessage($0.attribute()) }
        if roll(3) > 0 { vehicle.licensePlate = .with { $0.countryCode = "BE" } }
        vehicle.navigationStatus = .init(rawValue: roll(5)) ?? .init()
        if roll(3) > 0 {
            vehicle.deviceSettings.isPowerSaveMode = roll(2) == 0
            if roll(3) > 0 {
                vehicle.deviceSettings.batteryInfo.batteryStatus = .init(rawValue: roll(4)) ?? .init()
                vehicle.deviceSettings.batteryInfo.batteryPercentage = Float(1 + roll(200)) / 2
            }
        }
        vehicle.pastLocations = try some { try $0.locationMessage() }
        return vehicle
    }
}
