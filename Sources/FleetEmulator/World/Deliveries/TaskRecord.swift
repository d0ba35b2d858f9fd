import FleetWire
import Foundation
import TripModel

/// A stored task; the way of its vehicle is computed on request.
struct TaskRecord: Sendable {
    /// The fields that CreateTask accepts; the name is ignored.
    static let creatable: Set<String> = [
        "name", "type", "state", "trackingId", "plannedLocation", "taskDuration", "targetTimeWindow",
        "taskTrackingViewConfig", "attributes",
    ]
    /// The mask fields of UpdateTask that a provider may set.
    static let updatable: Set<String> = [
        "state", "taskOutcome", "taskOutcomeTime", "taskOutcomeLocation", "taskTrackingViewConfig",
        "targetTimeWindow", "attributes",
    ]

    var task: DeliveryTask
    /// The position in the order of creation.
    let number: Int
    /// When it was last created or updated.
    var updatedAt: Date

    /// Returns the task for the body of CreateTask.
    static func task(
        _ id: TaskID,
        in provider: ProviderID,
        _ body: TaskUpdate
    ) throws(ServiceError) -> DeliveryTask {
        for field in body.fields.sorted() where !creatable.contains(field) {
            throw .invalidArgument("\(field) can't be set when a task is created")
        }
        guard let kind = body.kind else { throw .invalidArgument("type is required") }
        guard body.state == .open else { throw .invalidArgument("state must be OPEN") }
        guard let duration = body.duration else { throw .invalidArgument("task_duration is required") }
        guard kind.hasShipment == (body.trackingID != nil) else {
            throw .invalidArgument(
                kind.hasShipment
                    ? "tracking_id is required for \(kind.name)" : "tracking_id is not allowed for \(kind.name)"
            )
        }
        guard body.plannedLocation != nil || kind == .unavailable else {
            throw .invalidArgument("planned_location is required for \(kind.name)")
        }
        var task = DeliveryTask(id: id, provider: provider, kind: kind, state: .open)
        task.trackingID = body.trackingID
        task.plannedLocation = body.plannedLocation
        task.duration = duration
        task.targetTimeWindow = body.targetTimeWindow
        task.trackingView = body.trackingView
        task.attributes = body.attributes ?? []
        return task
    }

    /// Applies an update.
    ///
    /// - Parameters:
    ///   - mask: The fields to change.
    ///   - body: Their values.
    ///   - isAssigned: Whether the task is in a stop of a vehicle.
    ///   - location: The last raw position of its vehicle.
    ///   - now: The time of the call.
    /// - Throws: INVALID_ARGUMENT and FAILED_PRECONDITION.
    mutating func update(
        mask: FieldMask,
        _ body: TaskUpdate,
        isAssigned: Bool,
        location: Coordinate?,
        at now: Date
    ) throws(ServiceError) {
        guard !mask.paths.isEmpty else { throw .invalidArgument("update_mask is required") }
        for path in mask.paths where !Self.updatable.contains(path) {
            throw .invalidArgument("update_mask names \(path), which can't be updated")
        }
        if mask.contains("state") { try move(to: body.state, isAssigned: isAssigned) }
        if mask.contains("taskOutcome") { try setOutcome(body.outcome, location: location, at: now) }
        try correctOutcome(mask: mask, body, location: location, at: now)
        if mask.contains("taskTrackingViewConfig") { task.trackingView = body.trackingView }
        if mask.contains("targetTimeWindow") { task.targetTimeWindow = body.targetTimeWindow }
        if mask.contains("attributes") { task.attributes = body.attributes ?? [] }
        updatedAt = now
    }

    private mutating func move(to state: DeliveryTask.State?, isAssigned: Bool) throws(ServiceError) {
        guard let state else { throw .invalidArgument("state must be OPEN or CLOSED") }
        guard state != task.state else { return }
        guard state == .closed else { throw .failedPrecondition("Task \(task.id) is closed and can't be opened again") }
        guard !isAssigned else {
            throw .failedPrecondition(
                "Task \(task.id) is assigned to a delivery vehicle: it is closed by removing its stop"
            )
        }
        task.state = .closed
    }

    /// Sets the outcome, which is possible once; the time and the place have defaults.
    private mutating func setOutcome(
        _ outcome: DeliveryTask.Outcome?,
        location: Coordinate?,
        at now: Date
    ) throws(ServiceError) {
        guard let outcome else { throw .invalidArgument("task_outcome must be SUCCEEDED or FAILED") }
        guard outcome != task.outcome else { return }
        if let known = task.outcome {
            throw .failedPrecondition("Task \(task.id) has the outcome \(known.name), which can't be changed")
        }
        task.outcome = outcome
        task.outcomeTime = now
        setOutcomeLocation(nil, vehicle: location)
    }

    private mutating func correctOutcome(
        mask: FieldMask,
        _ body: TaskUpdate,
        location: Coordinate?,
        at now: Date
    ) throws(ServiceError) {
        let fields = ["taskOutcomeTime", "taskOutcomeLocation"].filter(mask.contains)
        guard let field = fields.first else { return }
        guard task.outcome != nil else {
            throw .failedPrecondition("\(field) can't be set: task \(task.id) has no outcome")
        }
        if mask.contains("taskOutcomeTime") { task.outcomeTime = body.outcomeTime ?? now }
        if mask.contains("taskOutcomeLocation") { setOutcomeLocation(body.outcomeLocation, vehicle: location) }
    }

    private mutating func setOutcomeLocation(_ given: Coordinate?, vehicle: Coordinate?) {
        task.outcomeLocation = given ?? vehicle
        task.outcomeLocationSource =
            given != nil ? "PROVIDER" : vehicle != nil ? "LAST_VEHICLE_LOCATION" : nil
    }
}
