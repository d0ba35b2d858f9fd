import FleetWire
import Foundation
import TripModel

/// A stored delivery vehicle with the way to its stops.
struct DeliveryVehicleRecord: Sendable {
    /// The fields that CreateDeliveryVehicle accepts; the name is ignored.
    static let creatable: Set<String> = ["name", "type", "lastLocation", "attributes"]
    /// The mask fields of UpdateDeliveryVehicle that a driver's app reports.
    static let reported: Set<String> = [
        "lastLocation", "navigationStatus", "currentRouteSegment", "currentRouteSegmentEndPoint",
        "remainingDistanceMeters", "remainingDuration", "pastLocations",
    ]
    /// The mask field of the stops.
    static let stops = "remainingVehicleJourneySegments"
    /// All accepted mask fields.
    static let updatable = reported.union([stops, "attributes", "type"])

    var vehicle: DeliveryVehicle
    /// The position in the order of creation.
    let number: Int
    /// When it was last created or updated.
    var updatedAt: Date
    /// The way to the stops.
    var plan: JourneyPlan

    init(vehicle: DeliveryVehicle, number: Int, at now: Date) {
        (self.vehicle, self.number, updatedAt) = (vehicle, number, now)
        plan = JourneyPlan(at: now)
    }

    /// The vehicle's position: on the road if the app has sent it, otherwise as measured.
    var position: Coordinate? { vehicle.lastLocation.flatMap { $0.coordinate ?? $0.rawCoordinate } }
    /// The vehicle's position as measured, if the app has sent it.
    var rawPosition: Coordinate? { vehicle.lastLocation.flatMap { $0.rawCoordinate ?? $0.coordinate } }

    /// The IDs of the tasks in the stops.
    var taskIDs: [TaskID] { vehicle.segments.flatMap { $0.stop?.tasks.map(\.id) ?? [] } }

    /// Returns the index of the stop with a task; `nil` if the vehicle does not serve it.
    func stopIndex(of task: TaskID) -> Int? {
        vehicle.segments.firstIndex { $0.stop?.tasks.contains { $0.id == task } == true }
    }

    /// Applies the fields that a driver's app reports, the attributes and the type.
    mutating func update(mask: FieldMask, _ body: DeliveryVehicleUpdate, at now: Date) throws(ServiceError) {
        try mask.check(Self.updatable)
        if mask.contains("type") { vehicle.type = body.type }
        if mask.contains("attributes") { vehicle.attributes = body.attributes ?? [] }
        if mask.contains("navigationStatus") { vehicle.navigationStatus = body.navigationStatus }
        if mask.contains("lastLocation") { try setLocation(body.lastLocation, at: now) }
        if mask.contains("lastLocation") || mask.contains("pastLocations") {
            vehicle.pastLocations.add(
                mask.contains("pastLocations") ? body.pastLocations : [],
                last: &vehicle.lastLocation,
                isLastReported: mask.contains("lastLocation"),
                at: now
            )
        }
        reportRoute(mask: mask, body, at: now)
        updatedAt = now
    }

    /// Sets the position; throws INVALID_ARGUMENT without one.
    mutating func setLocation(_ location: VehicleLocation?, at now: Date) throws(ServiceError) {
        guard let location, location.coordinate != nil || location.rawCoordinate != nil else {
            throw .invalidArgument("last_location.location is missing")
        }
        try location.checkReported()
        vehicle.lastLocation = location.received(at: now)
    }

    /// Applies the way to the next stop; its end, distance and time are ignored without a path.
    private mutating func reportRoute(mask: FieldMask, _ body: DeliveryVehicleUpdate, at now: Date) {
        if mask.contains("currentRouteSegment") {
            vehicle.currentRoute = body.routeBytes.map { ReportedRoute(bytes: $0) }
        }
        let values = ["currentRouteSegmentEndPoint", "remainingDistanceMeters", "remainingDuration"]
        guard vehicle.currentRoute != nil else {
            plan.reported = nil
            return
        }
        if mask.contains("currentRouteSegmentEndPoint") { vehicle.currentRoute?.end = body.routeEnd }
        if mask.contains("remainingDistanceMeters") { vehicle.currentRoute?.remainingDistance = body.remainingDistance }
        if mask.contains("remainingDuration") { vehicle.currentRoute?.remainingDuration = body.remainingDuration }
        if mask.contains("currentRouteSegment") || values.contains(where: mask.contains) {
            plan.reported = vehicle.currentRoute.map { JourneyPlan.Report($0, from: position, at: now) }
        }
    }

    /// Replaces the stops; the ways to them are planned later.
    mutating func setStops(_ stops: [VehicleStop], at now: Date) {
        let old = vehicle.segments.first?.stop
        vehicle.segments = stops.map { JourneySegment(stop: $0) }
        guard let first = stops.first, first.state == .arrived else {
            plan.arrivedAt = nil
            return
        }
        if old?.state != .arrived || old?.tasks.map(\.id) != first.tasks.map(\.id) { plan.arrivedAt = now }
    }

    /// Plans the way from the present position.
    mutating func replan(roads: Roads, at now: Date) {
        plan.run(&vehicle, from: position, roads: roads, at: now)
    }

    /// Returns the vehicle as it is at a time: with a route computed by the service once the app's route is stale.
    func current(roads: Roads, at now: Date) -> DeliveryVehicleRecord {
        guard plan.usesReport, !plan.isReportUsable(for: vehicle, at: now) else { return self }
        var record = self
        record.replan(roads: roads, at: now)
        return record
    }

    /// The vehicle as answers have it: without what only the driver's app sends.
    var answered: DeliveryVehicle {
        var vehicle = vehicle
        vehicle.pastLocations = []
        return vehicle
    }
}
