import FleetEngineProtos
import FleetWire
import Foundation
import TripModel

/// The ways of a delivery vehicle to its stops, and when it arrives there.
struct JourneyPlan: Sendable {
    /// A way to the next stop that the driver's app has reported, decoded.
    struct Report: Sendable {
        /// The path; `nil` if it can't be decoded, because its format is not documented.
        let path: Route?
        let end: Coordinate?
        let distance: Distance?
        let duration: Duration?
        /// The position on the path at the time of the report, in meters from its start.
        let offset: Double
        let time: Date

        init(_ route: ReportedRoute, from position: Coordinate?, at now: Date) {
            let points = try? S2Polyline.decode(Data(route.bytes).base64EncodedString())
            let path = points.flatMap { $0.count > 1 ? Route($0) : nil }
            offset = position.flatMap { path?.nearest(to: $0)?.offset } ?? 0
            (end, distance, duration) = (
                route.end ?? path?.points.last, route.remainingDistance, route.remainingDuration
            )
            (self.path, time) = (path, now)
        }
    }

    /// The ends of a way between two stops.
    private struct Leg: Hashable {
        let start: Coordinate
        let end: Coordinate
    }

    /// How old a position and a reported way may be, in seconds, before the service replaces them by its own way.
    ///
    /// The documentation says that it does so, and not when.
    static let maximumAge = 300.0

    /// The last reported way; `nil` without one.
    var reported: Report?
    /// When the vehicle arrived at its first stop; `nil` if it is not there.
    var arrivedAt: Date?
    /// The time of the estimates.
    private(set) var time: Date
    /// The stops and the ways to them.
    private(set) var segments: [JourneySegment] = []
    /// Whether the first way is the reported one.
    private(set) var usesReport = false
    /// The ways between the stops, which do not depend on the vehicle's position.
    private var legs: [Leg: Roads.Drive] = [:]

    init(at now: Date) { time = now }

    /// Plans the ways to all stops of a vehicle.
    mutating func run(_ vehicle: DeliveryVehicleMessage, roads: Roads, at now: Date) {
        time = now
        usesReport = false
        segments = vehicle.remainingVehicleJourneySegments.map { JourneySegment(stop: $0.stop.planned) }
        var used: [Leg: Roads.Drive] = [:]
        for index in segments.indices {
            guard let end = segments[index].stop?.plannedLocation else { continue }
            guard index > 0 else {
                planFirst(vehicle, to: end, roads: roads, at: now)
                continue
            }
            guard let start = segments[index - 1].stop?.plannedLocation else { continue }
            let leg = Leg(start: start, end: end)
            let drive = legs[leg] ?? roads.drive(from: start, to: end)
            used[leg] = drive
            segments[index].apply(drive)
        }
        legs = used
    }

    private mutating func planFirst(
        _ vehicle: DeliveryVehicleMessage,
        to end: Coordinate,
        roads: Roads,
        at now: Date
    ) {
        if segments[0].stop?.state == .arrived {
            segments[0].apply(Roads.Drive(path: [], distance: Distance(meters: 0), duration: .zero))
        } else if let report = reported, isReportUsable(for: vehicle, at: now) {
            usesReport = true
            segments[0].apply(report, from: vehicle.position, to: end, roads: roads, at: now)
        } else if let position = vehicle.position {
            segments[0].apply(roads.drive(from: position, to: end))
        }
    }

    /// Returns whether the reported way leads to the next stop and is not stale.
    func isReportUsable(for vehicle: DeliveryVehicleMessage, at now: Date) -> Bool {
        guard let reported, let end = reported.end,
            let place = vehicle.remainingVehicleJourneySegments.first?.stop.plannedLocation.coordinate,
            vehicle.lastLocation.hasServerTime
        else { return false }
        return end.distance(to: place).meters <= Roads.tolerance
            && now.timeIntervalSince(reported.time) <= Self.maximumAge
            && now.timeIntervalSince(vehicle.lastLocation.serverTime.time) <= Self.maximumAge
    }
}

extension DeliveryVehicleMessage {
    /// The vehicle's position: on the road if the app has sent it, otherwise as measured.
    var position: Coordinate? { lastLocation.coordinate ?? lastLocation.rawCoordinate }
    /// The vehicle's position as measured, if the app has sent it.
    var rawPosition: Coordinate? { lastLocation.rawCoordinate ?? lastLocation.coordinate }
}

extension DeliveryLocationMessage {
    fileprivate var coordinate: Coordinate? { hasLocation ? location.coordinate : nil }
    fileprivate var rawCoordinate: Coordinate? { hasRawLocation ? rawLocation.coordinate : nil }
}

extension DeliveryStopMessage {
    /// The stop as the plan has it.
    fileprivate var planned: VehicleStop {
        let state: VehicleStop.State = state == .arrived ? .arrived : state == .enroute ? .enroute : .new
        var stop = VehicleStop(plannedLocation: plannedLocation.coordinate, state: state)
        stop.tasks = taskIDs.map { VehicleStop.TaskInfo(id: $0) }
        return stop
    }
}

extension JourneySegment {
    /// Sets the way.
    fileprivate mutating func apply(_ drive: Roads.Drive) {
        (distance, duration, path) = (drive.distance, drive.duration, drive.path)
    }

    /// Sets the way that the driver's app has reported, from the present position.
    fileprivate mutating func apply(
        _ report: JourneyPlan.Report,
        from position: Coordinate?,
        to end: Coordinate,
        roads: Roads,
        at now: Date
    ) {
        let here = position.flatMap { report.path?.nearest(to: $0) }
        let estimate = roads.drive(from: position ?? end, to: end)
        if let whole = report.path {
            path = here.map { whole.split(at: $0).remaining } ?? whole.points
        } else {
            path = estimate.path
        }
        let passed = max(0, (here?.offset ?? report.offset) - report.offset)
        distance =
            report.distance.map { Distance(meters: max(0, $0.meters - passed)) }
            ?? (report.path == nil ? estimate.distance : Route(path).length)
        // The promised time of arrival stays until the next report.
        duration =
            report.duration.map { max(.zero, $0 - .seconds(now.timeIntervalSince(report.time))) }
            ?? estimate.duration
    }
}
