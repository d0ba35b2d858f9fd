import FleetEngineProtos
import FleetWire
import Foundation
import SwiftProtobuf
import TripModel

/// A stored vehicle as its message, with its trips and the way to their waypoints.
struct VehicleRecord: Sendable {
    /// The fields that CreateVehicle stores.
    private static let creatable = FieldMask([
        "vehicleState", "supportedTripTypes", "maximumCapacity", "vehicleType", "backToBackEnabled", "lastLocation",
        "attributes", "licensePlate", "deviceSettings",
    ])
    /// The mask fields of UpdateVehicle that a driver reports.
    static let reported: Set<String> = [
        "vehicleState", "lastLocation", "remainingTimeSeconds", "remainingDistanceMeters", "etaToFirstWaypoint",
        "currentRouteSegment", "currentRouteSegmentEndPoint", "currentRouteSegmentTraffic", "navigationStatus",
        "deviceSettings", "pastLocations",
    ]
    /// All accepted mask fields.
    static let updatable = reported.union(creatable.paths + ["waypoints"])
    /// The accepted mask fields whose values are stored as they are.
    private static let stored = Set(creatable.paths + ["navigationStatus"])

    /// What the provider and the driver have set.
    var vehicle: VehicleMessage
    /// The reported positions, which are not in answers.
    private var track: [LocationMessage] = []
    /// The assigned trips.
    var trips: [TripID] = []
    /// The waypoints and the way to the first one.
    var way = VehicleWay()
    /// The position in the order of creation.
    let number: Int
    /// When it was last created or updated.
    var updatedAt: Date
    /// The requested order of waypoints; those not in it come last.
    var order: [WaypointKey] = []

    /// Creates a vehicle from the body of CreateVehicle.
    init(_ body: VehicleMessage, named name: ResourceName, number: Int, at now: Date) {
        (vehicle, self.number, updatedAt) = (VehicleMessage(), number, now)
        vehicle.replace(Self.creatable, by: body)
        vehicle.name = name.text
        let last = body.hasLastLocation ? body.lastLocation.received(at: now) : nil
        addLocations(body.pastLocations, last: last, at: now)
    }

    /// The last position; `nil` without one.
    var location: VehicleLocation? { vehicle.hasLastLocation ? vehicle.lastLocation.model : nil }

    /// Applies an update.
    mutating func update(mask: FieldMask, _ body: VehicleMessage, at now: Date) throws(ServiceError) {
        if mask.contains("vehicleState"), body.vehicleState != .online, body.vehicleState != .offline {
            throw .invalidArgument("vehicle_state must be ONLINE or OFFLINE")
        }
        var last: LocationMessage?
        if mask.contains("lastLocation") {
            guard body.lastLocation.hasLocation else { throw .invalidArgument("last_location.location is missing") }
            last = try body.lastLocation.reported(at: now)
        }
        vehicle.replace(FieldMask(mask.paths.filter(Self.stored.contains)), by: body)
        if mask.contains("currentRouteSegment") {
            vehicle.replace(
                FieldMask(["currentRouteSegmentEndPoint"]),
                by: mask.contains("currentRouteSegmentEndPoint") ? body : VehicleMessage()
            )
        }
        addLocations(mask.contains("pastLocations") ? body.pastLocations : [], last: last, at: now)
        way.update(mask: mask, body, at: now)
    }

    private mutating func addLocations(_ past: [LocationMessage], last: LocationMessage?, at now: Date) {
        var newest = last ?? (vehicle.hasLastLocation ? vehicle.lastLocation : nil)
        track.add(past, last: &newest, isLastReported: last != nil, at: now)
        if let newest { vehicle.lastLocation = newest }
    }

    /// Replaces the waypoints.
    mutating func replan(_ places: [Waypoint], roads: Roads, at now: Date) {
        let isFirstNew = way.replan(places, from: location?.coordinate, roads: roads, at: now)
        if isFirstNew { vehicle.clearCurrentRouteSegmentEndPoint() }
    }

    /// The vehicle as answers have it: with its trips and its way, and without what only the driver's app sends.
    var answered: VehicleMessage {
        var vehicle = vehicle
        vehicle.clearDeviceSettings()
        vehicle.currentTrips = trips.map(\.rawValue)
        way.write(into: &vehicle)
        return vehicle
    }

    /// The vehicle with everything that was reported, also what the service's answers do not contain.
    var whole: VehicleMessage {
        var whole = answered
        if vehicle.hasDeviceSettings { whole.deviceSettings = vehicle.deviceSettings }
        whole.pastLocations = track
        return whole
    }
}

extension FieldMask {
    /// Throws INVALID_ARGUMENT for an empty mask, and for a field that can't be updated.
    func check(_ updatable: Set<String>) throws(ServiceError) {
        guard !paths.isEmpty else { throw .invalidArgument("update_mask is required") }
        for path in paths where !updatable.contains(path) {
            throw .invalidArgument("update_mask names \(path), which can't be updated")
        }
    }
}
