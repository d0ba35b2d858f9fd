import FleetWire
import Foundation
import TripModel

/// A vehicle as the service keeps it, with the plan of its way.
struct VehicleRecord: Sendable {
    /// The fields of the mask of UpdateVehicle that a driver reports.
    static let reported: Set<String> = [
        "vehicleState", "lastLocation", "remainingTimeSeconds", "remainingDistanceMeters", "etaToFirstWaypoint",
        "currentRouteSegment", "currentRouteSegmentEndPoint", "currentRouteSegmentTraffic", "navigationStatus",
        "deviceSettings", "pastLocations",
    ]
    /// All fields of the mask that are taken (section 2.2).
    static let updatable = reported.union([
        "supportedTripTypes", "maximumCapacity", "vehicleType", "backToBackEnabled", "attributes", "licensePlate",
        "waypoints",
    ])

    var vehicle: Vehicle
    /// Its place in the order in which vehicles were created.
    let number: Int
    /// When it was last created or updated.
    var updatedAt: Date
    /// The order of the waypoints that somebody asked for; those that are not in it come after.
    var order: [WaypointKey] = []
    /// Traffic along the route, in the form of answers.
    private(set) var traffic: Traffic?
    private(set) var trafficVersion: Version?
    private(set) var waypointsRouteVersion: Version?

    init(vehicle: Vehicle, number: Int, at now: Date) {
        self.vehicle = vehicle
        self.number = number
        updatedAt = now
    }

    /// Takes in an update; the ETA is the service's time plus the driver's remaining time.
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
            guard location.sensor != "FLEET_ENGINE_LOCATION" else {
                throw .invalidArgument("FLEET_ENGINE_LOCATION is for the service alone")
            }
            vehicle.lastLocation = location.received(at: now)
        } else if mask.contains("pastLocations"), let last = body.pastLocations.last, last.coordinate != nil {
            // A backfill is older than what is known, unless it is the first that is heard for a while.
            let known = vehicle.lastLocation?.measuredTime
            if known.map({ $0 < last.measuredTime ?? .distantPast }) ?? true {
                vehicle.lastLocation = last.received(at: now)
            }
        }
        if mask.contains("currentRouteSegment") {
            vehicle.route = body.route.flatMap { $0.isEmpty ? nil : Route($0) }
            vehicle.routeEnd = mask.contains("currentRouteSegmentEndPoint") ? body.routeEnd : nil
            vehicle.routeVersion = Version(now)
            traffic = nil
        }
        if mask.contains("currentRouteSegmentTraffic") {
            traffic = vehicle.route.map { Traffic(stretches: body.roadStretches ?? [], along: $0) }
            trafficVersion = Version(now)
        }
        if mask.contains("remainingDistanceMeters") { vehicle.remainingDistance = body.remainingDistance }
        if mask.contains("remainingTimeSeconds"), let time = body.remainingTime {
            vehicle.etaToFirstWaypoint = now.addingTimeInterval(time.seconds)
        } else if mask.contains("etaToFirstWaypoint") {
            vehicle.etaToFirstWaypoint = body.etaToFirstWaypoint
        }
    }

    /// Takes on a list of waypoints; where the first one is new, the service makes its own estimate until the driver sends one.
    mutating func replan(_ places: [Waypoint], roads: Roads, at now: Date) {
        let old = vehicle.waypoints
        let isSame = old.count == places.count && zip(old, places).allSatisfy { $0.isSamePlace(as: $1) }
        if !isSame { vehicle.waypointsVersion = Version(now) }
        let isFirstNew = !places.isEmpty && old.first.map { !$0.isSamePlace(as: places[0]) } ?? true
        guard !places.isEmpty else {
            // The last ETA and distance stay, as they do in recordings of the real service.
            vehicle.waypoints = []
            return
        }
        if isFirstNew { estimateFirst(places[0], roads: roads, at: now) }
        if !isSame { waypointsRouteVersion = Version(now) }
        vehicle.waypoints = chained(places, roads: roads)
    }

    private mutating func estimateFirst(_ place: Waypoint, roads: Roads, at now: Date) {
        vehicle.route = nil
        vehicle.routeEnd = nil
        traffic = nil
        vehicle.routeVersion = Version(now)
        trafficVersion = Version(now)
        guard let start = vehicle.lastLocation?.coordinate, let end = place.coordinate else {
            vehicle.etaToFirstWaypoint = nil
            vehicle.remainingDistance = nil
            return
        }
        let drive = roads.drive(from: start, to: end)
        let route = Route(drive.path)
        vehicle.route = route
        traffic = Traffic(stretches: [], along: route)
        vehicle.etaToFirstWaypoint = now.addingTimeInterval(drive.duration.seconds)
        vehicle.remainingDistance = drive.distance
    }

    /// The waypoints with path, distance, duration and ETA, each from the one before it.
    private func chained(_ places: [Waypoint], roads: Roads) -> [Waypoint] {
        var result = places
        result[0].eta = vehicle.etaToFirstWaypoint
        for index in places.indices.dropFirst() {
            guard let start = places[index - 1].coordinate, let end = places[index].coordinate else { continue }
            let drive = roads.drive(from: start, to: end)
            result[index].path = drive.path
            result[index].distance = drive.distance
            result[index].duration = drive.duration
            result[index].eta = result[index - 1].eta?.addingTimeInterval(drive.duration.seconds)
        }
        return result
    }
}

extension Waypoint {
    /// Whether it is the same stop for the same trip, whatever is known about the way there.
    fileprivate func isSamePlace(as other: Waypoint) -> Bool {
        tripID == other.tripID && kind == other.kind && coordinate == other.coordinate
    }
}

extension Traffic {
    /// The driver's stretches of slow road in the form of answers: intervals over the points of the path, without gaps.
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
