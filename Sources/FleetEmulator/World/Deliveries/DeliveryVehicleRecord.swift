import FleetEngineProtos
import FleetWire
import Foundation
import SwiftProtobuf
import TripModel

/// A stored delivery vehicle as its message, with the way to its stops.
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
    /// The values of a reported way besides its path.
    private static let routeValues = ["currentRouteSegmentEndPoint", "remainingDistanceMeters", "remainingDuration"]
    /// All accepted mask fields.
    static let updatable = reported.union([stops, "attributes", "type"])

    /// What the provider and the driver's app have set; the stops are without the ways to them.
    var vehicle: DeliveryVehicleMessage
    /// The reported positions, which are not in answers.
    private var track: [DeliveryLocationMessage] = []
    /// The position in the order of creation.
    let number: Int
    /// When it was last created or updated.
    var updatedAt: Date
    /// The way to the stops.
    var plan: JourneyPlan

    /// Creates a vehicle from the body of CreateDeliveryVehicle.
    init(_ body: DeliveryVehicleMessage, named name: ResourceName, number: Int, at now: Date) throws(ServiceError) {
        for field in body.setFields.sorted() where !Self.creatable.contains(field) {
            throw .invalidArgument("\(field) can't be set when a delivery vehicle is created")
        }
        (vehicle, self.number, updatedAt) = (body, number, now)
        vehicle.name = name.text
        plan = JourneyPlan(at: now)
        if body.hasLastLocation { try setLocations(FieldMask(["lastLocation"]), body, at: now) }
    }

    /// The IDs of the tasks in the stops.
    var taskIDs: [TaskID] { vehicle.remainingVehicleJourneySegments.flatMap(\.stop.taskIDs) }

    /// Returns the index of the stop with a task; `nil` if the vehicle does not serve it.
    func stopIndex(of task: TaskID) -> Int? {
        vehicle.remainingVehicleJourneySegments.firstIndex { $0.stop.tasks.contains { $0.taskID == task.rawValue } }
    }

    /// Applies the fields that a driver's app reports, the attributes and the type.
    mutating func update(mask: FieldMask, _ body: DeliveryVehicleMessage, at now: Date) throws(ServiceError) {
        try mask.check(Self.updatable)
        vehicle.replace(FieldMask(mask.paths.filter { $0 != Self.stops && $0 != "pastLocations" }), by: body)
        try setLocations(mask, body, at: now)
        reportRoute(mask: mask, at: now)
        updatedAt = now
    }

    /// Adds the reported positions to the track; throws INVALID_ARGUMENT for a last one without a coordinate.
    private mutating func setLocations(
        _ mask: FieldMask,
        _ body: DeliveryVehicleMessage,
        at now: Date
    ) throws(ServiceError) {
        var last = vehicle.hasLastLocation ? vehicle.lastLocation : nil
        let isLastReported = mask.contains("lastLocation")
        if isLastReported {
            guard body.position != nil else { throw .invalidArgument("last_location.location is missing") }
            last = try body.lastLocation.reported(at: now)
        }
        guard isLastReported || mask.contains("pastLocations") else { return }
        let past = mask.contains("pastLocations") ? body.pastLocations : []
        track.add(past, last: &last, isLastReported: isLastReported, at: now)
        if let last { vehicle.lastLocation = last }
    }

    /// Applies the way to the next stop; its end, distance and time are ignored without a path.
    private mutating func reportRoute(mask: FieldMask, at now: Date) {
        let (isNew, hasPath) = (mask.contains("currentRouteSegment"), !vehicle.currentRouteSegment.isEmpty)
        // A new path does not have the values of the one before.
        let isRetained = { (field: String) in hasPath && (!isNew || mask.contains(field)) }
        if !isRetained("currentRouteSegmentEndPoint") { vehicle.clearCurrentRouteSegmentEndPoint() }
        if !isRetained("remainingDistanceMeters") { vehicle.clearRemainingDistanceMeters() }
        if !isRetained("remainingDuration") { vehicle.clearRemainingDuration() }
        guard hasPath else {
            plan.reported = nil
            return
        }
        if isNew || Self.routeValues.contains(where: mask.contains) {
            plan.reported = vehicle.reportedRoute.map { JourneyPlan.Report($0, from: vehicle.position, at: now) }
        }
    }

    /// Replaces the stops; the ways to them are planned later.
    mutating func setStops(_ stops: some Collection<DeliveryStopMessage>, at now: Date) {
        let old = vehicle.remainingVehicleJourneySegments.first?.stop
        vehicle.remainingVehicleJourneySegments = stops.map { stop in .with { $0.stop = stop } }
        guard let first = stops.first, first.state == .arrived else {
            plan.arrivedAt = nil
            return
        }
        if old?.state != .arrived || old?.taskIDs != first.taskIDs { plan.arrivedAt = now }
    }

    /// Plans the way from the present position.
    mutating func replan(roads: Roads, at now: Date) {
        plan.run(vehicle, roads: roads, at: now)
    }

    /// Returns the vehicle as it is at a time: with a route computed by the service once the app's route is stale.
    func current(roads: Roads, at now: Date) -> DeliveryVehicleRecord {
        guard plan.usesReport, !plan.isReportUsable(for: vehicle, at: now) else { return self }
        var record = self
        record.replan(roads: roads, at: now)
        return record
    }

    /// The vehicle as answers have it: with the ways to its stops.
    var answered: DeliveryVehicleMessage {
        var vehicle = vehicle
        for (index, segment) in plan.segments.enumerated() {
            vehicle.remainingVehicleJourneySegments[index].setWay(segment)
        }
        return vehicle
    }
}

extension DeliveryStopMessage {
    /// The IDs of the tasks at the stop.
    var taskIDs: [TaskID] { tasks.compactMap { try? TaskID($0.taskID) } }
}

extension SegmentMessage {
    /// Sets the planned way to the stop.
    fileprivate mutating func setWay(_ way: JourneySegment) {
        if let distance = way.distance { drivingDistanceMeters = Google_Protobuf_Int32Value(distance) }
        if let duration = way.duration { drivingDuration = Google_Protobuf_Duration(duration) }
        path = way.path.map(LatLngMessage.init)
    }
}
