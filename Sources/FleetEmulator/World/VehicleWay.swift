import FleetEngineProtos
import FleetWire
import Foundation
import Runtime
import SwiftProtobuf
import TripModel

/// The waypoints of a vehicle, and the way to the first one: reported by the driver, otherwise estimated by the service.
struct VehicleWay: Sendable {
    private(set) var waypoints: [Waypoint] = []
    private(set) var waypointsVersion: TripModel.Version?
    private(set) var waypointsRouteVersion: TripModel.Version?
    private(set) var route: Route?
    private(set) var routeVersion: TripModel.Version?
    /// The traffic along the route in the format of answers.
    private(set) var traffic: Traffic?
    private(set) var trafficVersion: TripModel.Version?
    private(set) var remainingDistance: Distance?
    private(set) var etaToFirstWaypoint: Date?
    /// The values towards the first waypoint that the driver has not sent, so that the service estimates them.
    private var estimated: Set<Estimate> = []
    /// The position from which they were estimated; `nil` before the first one.
    private var estimateStart: Coordinate?

    /// A value towards the first waypoint.
    private enum Estimate: CaseIterable {
        case route, distance, eta
    }

    /// Applies an update; the ETA is the service's time plus the driver's remaining time.
    mutating func update(mask: FieldMask, _ body: VehicleMessage, at now: Date) {
        if mask.contains("currentRouteSegment") {
            // A path that cannot be decoded counts as missing, because Google does not support decoding.
            let points = try? S2Polyline.decode(body.currentRouteSegment)
            route = points.flatMap { $0.isEmpty ? nil : Route($0) }
            routeVersion = .init(now)
            traffic = nil
            estimated.remove(.route)
        }
        if mask.contains("currentRouteSegmentTraffic") {
            let stretches = body.currentRouteSegmentTraffic.trafficRendering.roadStretch
            traffic = route.map { Traffic(stretches: stretches, along: $0) }
            trafficVersion = .init(now)
        }
        if mask.contains("remainingDistanceMeters") {
            remainingDistance =
                body.hasRemainingDistanceMeters
                ? Distance(meters: Double(body.remainingDistanceMeters.value)) : nil
            estimated.remove(.distance)
        }
        if mask.contains("remainingTimeSeconds"), body.hasRemainingTimeSeconds {
            etaToFirstWaypoint = now.addingTimeInterval(Double(body.remainingTimeSeconds.value))
            estimated.remove(.eta)
        } else if mask.contains("etaToFirstWaypoint") {
            etaToFirstWaypoint = body.hasEtaToFirstWaypoint ? body.etaToFirstWaypoint.time : nil
            estimated.remove(.eta)
        }
    }

    /// Replaces the waypoints.
    ///
    /// If the first one is new, the service estimates the way to it from each position until the driver sends its own values.
    ///
    /// - Returns: Whether the first one is new, so that what is known of the way to the previous one is removed.
    mutating func replan(_ places: [Waypoint], from position: Coordinate?, roads: Roads, at now: Date) -> Bool {
        let old = waypoints
        let isSame = old.count == places.count && zip(old, places).allSatisfy { $0.isSamePlace(as: $1) }
        if !isSame { waypointsVersion = .init(now) }
        let isFirstNew = !places.isEmpty && old.first.map { !$0.isSamePlace(as: places[0]) } ?? true
        guard !places.isEmpty else {
            // The last ETA and distance remain, as in recordings of the real service.
            waypoints = []
            return false
        }
        if isFirstNew { forgetWay(at: now) }
        estimateFirst(places[0], from: position, roads: roads, at: now)
        if !isSame { waypointsRouteVersion = .init(now) }
        waypoints = chained(places, roads: roads)
        return isFirstNew
    }

    /// Removes what is known of the way to the previous first waypoint.
    private mutating func forgetWay(at now: Date) {
        (route, traffic) = (nil, nil)
        (routeVersion, trafficVersion) = (.init(now), .init(now))
        (remainingDistance, etaToFirstWaypoint) = (nil, nil)
        (estimated, estimateStart) = (Set(Estimate.allCases), nil)
    }

    /// Estimates what the driver has not sent, once per position.
    private mutating func estimateFirst(_ place: Waypoint, from position: Coordinate?, roads: Roads, at now: Date) {
        guard !estimated.isEmpty, let end = place.coordinate, let start = position, start != estimateStart else {
            return
        }
        estimateStart = start
        let drive = roads.drive(from: start, to: end)
        if estimated.contains(.route) {
            let path = Route(drive.path)
            route = path
            traffic = Traffic(stretches: [], along: path)
            (routeVersion, trafficVersion) = (.init(now), .init(now))
        }
        if estimated.contains(.distance) { remainingDistance = drive.distance }
        if estimated.contains(.eta) { etaToFirstWaypoint = now.addingTimeInterval(drive.duration.seconds) }
    }

    /// Returns the waypoints with path, distance, duration and ETA, each relative to the previous one.
    private func chained(_ places: [Waypoint], roads: Roads) -> [Waypoint] {
        var result = places
        result[0].eta = etaToFirstWaypoint
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

    /// Writes the way into the message of the vehicle.
    func write(into vehicle: inout VehicleMessage) {
        vehicle.waypoints = waypoints.map(WaypointMessage.init)
        if let time = waypointsVersion?.timestamp { vehicle.waypointsVersion = time }
        vehicle.currentRouteSegment = route.map { S2Polyline.encode($0.points) } ?? ""
        if let time = routeVersion?.timestamp { vehicle.currentRouteSegmentVersion = time }
        if let distance = remainingDistance { vehicle.remainingDistanceMeters = Google_Protobuf_Int32Value(distance) }
        if let eta = etaToFirstWaypoint { vehicle.etaToFirstWaypoint = Google_Protobuf_Timestamp(eta) }
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
    fileprivate init(stretches: [RoadStretchMessage], along route: Route) {
        var intervals: [Interval] = []
        for index in route.points.indices.dropLast() {
            let middle = (route.offsets[index] + route.offsets[index + 1]) / 2
            let stretch = stretches.last {
                let start = Double($0.offsetMeters)
                return start <= middle && middle < start + Double($0.lengthMeters)
            }
            let speed: Speed = stretch.map { $0.style == .trafficJam ? .jam : .slow } ?? .normal
            if intervals.last?.speed == speed {
                intervals[intervals.count - 1].end = index + 1
            } else {
                intervals.append(Interval(start: index, end: index + 1, speed: speed))
            }
        }
        self.init(intervals: intervals)
    }
}
