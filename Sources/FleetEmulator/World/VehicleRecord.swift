import FleetWire
import Foundation
import Runtime
import TripModel

/// A stored vehicle with its planned waypoints.
struct VehicleRecord: Sendable {
    /// The mask fields of UpdateVehicle that a driver reports.
    static let reported: Set<String> = [
        "vehicleState", "lastLocation", "remainingTimeSeconds", "remainingDistanceMeters", "etaToFirstWaypoint",
        "currentRouteSegment", "currentRouteSegmentEndPoint", "currentRouteSegmentTraffic", "navigationStatus",
        "deviceSettings", "pastLocations",
    ]
    /// All accepted mask fields.
    static let updatable = reported.union([
        "supportedTripTypes", "maximumCapacity", "vehicleType", "backToBackEnabled", "attributes", "licensePlate",
        "waypoints",
    ])

    var vehicle: Vehicle
    /// The position in the order of creation.
    let number: Int
    /// When it was last created or updated.
    var updatedAt: Date
    /// The requested order of waypoints; those not in it come last.
    var order: [WaypointKey] = []
    /// The traffic along the route in the format of answers.
    private(set) var traffic: Traffic?
    private(set) var trafficVersion: Version?
    private(set) var waypointsRouteVersion: Version?
    /// The values towards the first waypoint that the driver has not sent, so that the service estimates them.
    private var estimated: Set<Estimate> = []
    /// The position from which they were estimated; `nil` before the first one.
    private var estimateStart: Coordinate?

    /// A value towards the first waypoint.
    private enum Estimate: CaseIterable {
        case route, distance, eta
    }

    init(vehicle: Vehicle, number: Int, at now: Date) {
        self.vehicle = vehicle
        self.number = number
        updatedAt = now
    }

    /// Applies an update; the ETA is the service's time plus the driver's remaining time.
    mutating func update(mask: FieldMask, _ body: VehicleUpdate, at now: Date) throws(ServiceError) {
        if mask.contains("vehicleState") {
            guard let state = body.state, state == .online || state == .offline else {
                throw .invalidArgument("vehicle_state must be ONLINE or OFFLINE")
            }
            vehicle.state = state
        }
        if mask.contains("supportedTripTypes") { vehicle.supportedTripTypes = body.supportedTripTypes ?? [] }
        if mask.contains("maximumCapacity") { vehicle.maximumCapacity = body.maximumCapacity }
        if mask.contains("vehicleType") { vehicle.category = body.category }
        if mask.contains("backToBackEnabled") { vehicle.backToBackEnabled = body.backToBackEnabled ?? false }
        if mask.contains("navigationStatus") { vehicle.navigationStatus = body.navigationStatus }
        if mask.contains("attributes") { vehicle.attributes = body.attributes ?? [] }
        if mask.contains("licensePlate") { vehicle.licensePlate = body.licensePlate }
        if mask.contains("lastLocation") {
            guard let location = body.lastLocation, location.coordinate != nil else {
                throw .invalidArgument("last_location.location is missing")
            }
            vehicle.lastLocation = try location.reported(at: now)
        }
        setLocations(mask: mask, body, at: now)
        if mask.contains("deviceSettings") { vehicle.deviceSettings = body.deviceSettings }
        if mask.contains("currentRouteSegment") {
            vehicle.route = body.route.flatMap { $0.isEmpty ? nil : Route($0) }
            vehicle.routeEnd = mask.contains("currentRouteSegmentEndPoint") ? body.routeEnd : nil
            vehicle.routeVersion = Version(now)
            traffic = nil
            estimated.remove(.route)
        }
        if mask.contains("currentRouteSegmentTraffic") {
            traffic = vehicle.route.map { Traffic(stretches: body.roadStretches ?? [], along: $0) }
            trafficVersion = Version(now)
        }
        if mask.contains("remainingDistanceMeters") {
            vehicle.remainingDistance = body.remainingDistance
            estimated.remove(.distance)
        }
        if mask.contains("remainingTimeSeconds"), let time = body.remainingTime {
            vehicle.etaToFirstWaypoint = now.addingTimeInterval(time.seconds)
            estimated.remove(.eta)
        } else if mask.contains("etaToFirstWaypoint") {
            vehicle.etaToFirstWaypoint = body.etaToFirstWaypoint
            estimated.remove(.eta)
        }
    }

    /// Replaces the waypoints.
    ///
    /// If the first one is new, the service estimates the way to it from each position until the driver sends its own values.
    mutating func replan(_ places: [Waypoint], roads: Roads, at now: Date) {
        let old = vehicle.waypoints
        let isSame = old.count == places.count && zip(old, places).allSatisfy { $0.isSamePlace(as: $1) }
        if !isSame { vehicle.waypointsVersion = Version(now) }
        let isFirstNew = !places.isEmpty && old.first.map { !$0.isSamePlace(as: places[0]) } ?? true
        guard !places.isEmpty else {
            // The last ETA and distance remain, as in recordings of the real service.
            vehicle.waypoints = []
            return
        }
        if isFirstNew { forgetWay(at: now) }
        estimateFirst(places[0], roads: roads, at: now)
        if !isSame { waypointsRouteVersion = Version(now) }
        vehicle.waypoints = chained(places, roads: roads)
    }

    /// Removes what is known of the way to the previous first waypoint.
    private mutating func forgetWay(at now: Date) {
        (vehicle.route, vehicle.routeEnd, traffic) = (nil, nil, nil)
        (vehicle.routeVersion, trafficVersion) = (Version(now), Version(now))
        (vehicle.remainingDistance, vehicle.etaToFirstWaypoint) = (nil, nil)
        (estimated, estimateStart) = (Set(Estimate.allCases), nil)
    }

    /// Estimates what the driver has not sent, once per position.
    private mutating func estimateFirst(_ place: Waypoint, roads: Roads, at now: Date) {
        guard !estimated.isEmpty, let end = place.coordinate, let start = vehicle.lastLocation?.coordinate,
            start != estimateStart
        else { return }
        estimateStart = start
        let drive = roads.drive(from: start, to: end)
        if estimated.contains(.route) {
            let route = Route(drive.path)
            vehicle.route = route
            traffic = Traffic(stretches: [], along: route)
            (vehicle.routeVersion, trafficVersion) = (Version(now), Version(now))
        }
        if estimated.contains(.distance) { vehicle.remainingDistance = drive.distance }
        if estimated.contains(.eta) {
            vehicle.etaToFirstWaypoint = now.addingTimeInterval(drive.duration.seconds)
        }
    }

    /// Returns the waypoints with path, distance, duration and ETA, each relative to the previous one.
    private func chained(_ places: [Waypoint], roads: Roads) -> [Waypoint] {
        var result = places
        result[0].eta = vehicle.etaToFirstWaypoint
        for index in places.indices.dropFirst() {
            guard let start = places[index - 1].coordinate, let end = places[index].coordinate else { continue }
            let drive = roads.drive(from: start, to: end)
            result[index].path = drive.path
            result[index].traffic = drive.traffic
            result[index].distance = drive.distance
            result[index].duration = drive.duration
            result[index].eta = result[index - 1].eta?.addingTimeInterval(drive.duration.seconds)
        }
        return result
    }
}

extension Waypoint {
    /// Returns whether both are the same stop of the same trip, regardless of their estimates.
    fileprivate func isSamePlace(as other: Waypoint) -> Bool {
        tripID == other.tripID && kind == other.kind && coordinate == other.coordinate
    }
}

extension Traffic {
    /// Converts the driver's slow stretches to the format of answers: contiguous intervals over the points of the path.
    init(stretches: [VehicleUpdate.RoadStretch], along route: Route) {
        var intervals: [Interval] = []
        for index in route.points.indices.dropLast() {
            let middle = (route.offsets[index] + route.offsets[index + 1]) / 2
            let stretch = stretches.last { $0.offset <= middle && middle < $0.offset + $0.length }
            let speed = stretch?.speed ?? .normal
            if intervals.last?.speed == speed {
                intervals[intervals.count - 1].end = index + 1
            } else {
                intervals.append(Interval(start: index, end: index + 1, speed: speed))
            }
        }
        self.init(intervals: intervals)
    }
}
