import FleetEngineProtos
import FleetWire
import Foundation
import SwiftProtobuf
import TripModel

/// A stored task as its message; the way of its vehicle is computed on request.
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

    var task: TaskMessage
    /// The ID, which is the end of the task's name.
    let id: TaskID
    /// The position in the order of creation.
    let number: Int
    /// When it was last created or updated.
    var updatedAt: Date

    /// The tracking ID of the shipment; `nil` without one.
    var trackingID: TrackingID? { TrackingID(stored: task.trackingID) }
    /// The vehicle to which the task is or was assigned.
    var vehicleID: DeliveryVehicleID? { DeliveryVehicleID(stored: task.deliveryVehicleID) }

    /// Returns the task for the body of CreateTask.
    static func task(_ id: TaskID, in provider: ProviderID, _ body: TaskMessage) throws(ServiceError) -> TaskMessage {
        for field in body.setFields.sorted() where !creatable.contains(field) {
            throw .invalidArgument("\(field) can't be set when a task is created")
        }
        guard body.type != .unspecified else { throw .invalidArgument("type is required") }
        guard body.state == .open else { throw .invalidArgument("state must be OPEN") }
        guard body.hasTaskDuration else { throw .invalidArgument("task_duration is required") }
        let kind = body.kind
        guard kind.hasShipment == !body.trackingID.isEmpty else {
            throw .invalidArgument(
                kind.hasShipment
                    ? "tracking_id is required for \(kind.name)" : "tracking_id is not allowed for \(kind.name)"
            )
        }
        guard body.hasPlannedLocation || kind == .unavailable else {
            throw .invalidArgument("planned_location is required for \(kind.name)")
        }
        var task = body
        task.name = ResourceName.task(provider, id).text
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
        _ body: TaskMessage,
        isAssigned: Bool,
        location: Coordinate?,
        at now: Date
    ) throws(ServiceError) {
        try mask.check(Self.updatable)
        let isFirstOutcome = mask.contains("taskOutcome") && task.taskOutcome == .unspecified
        if mask.contains("state") { try checkMove(to: body.state, isAssigned: isAssigned) }
        if mask.contains("taskOutcome") { try checkOutcome(body.taskOutcome) }
        task.replace(mask, by: body)
        for field in ["taskOutcomeTime", "taskOutcomeLocation"] where mask.contains(field) {
            guard task.taskOutcome != .unspecified else {
                throw .failedPrecondition("\(field) can't be set: task \(id) has no outcome")
            }
        }
        if mask.contains("taskOutcomeTime") ? !body.hasTaskOutcomeTime : isFirstOutcome {
            task.taskOutcomeTime = Google_Protobuf_Timestamp(now)
        }
        if isFirstOutcome || mask.contains("taskOutcomeLocation") {
            setOutcomeLocation(isGiven: mask.contains("taskOutcomeLocation"), vehicle: location)
        }
        updatedAt = now
    }

    private func checkMove(to state: TaskMessage.State, isAssigned: Bool) throws(ServiceError) {
        guard state != .unspecified else { throw .invalidArgument("state must be OPEN or CLOSED") }
        guard state != task.state else { return }
        guard state == .closed else { throw .failedPrecondition("Task \(id) is closed and can't be opened again") }
        guard !isAssigned else {
            throw .failedPrecondition(
                "Task \(id) is assigned to a delivery vehicle: it is closed by removing its stop"
            )
        }
    }

    /// Throws unless the outcome can be set, which is possible once.
    private func checkOutcome(_ outcome: TaskMessage.TaskOutcome) throws(ServiceError) {
        guard outcome != .unspecified else { throw .invalidArgument("task_outcome must be SUCCEEDED or FAILED") }
        guard task.taskOutcome == .unspecified || task.taskOutcome == outcome else {
            throw .failedPrecondition("Task \(id) has the outcome \(task.outcomeName), which can't be changed")
        }
    }

    /// Completes the place of the outcome: the provider's, otherwise the vehicle's.
    private mutating func setOutcomeLocation(isGiven: Bool, vehicle: Coordinate?) {
        guard !isGiven || !task.hasTaskOutcomeLocation else {
            task.taskOutcomeLocationSource = .provider
            return
        }
        task.clearTaskOutcomeLocation()
        task.taskOutcomeLocationSource = vehicle == nil ? .unspecified : .lastVehicleLocation
        if let vehicle { task.taskOutcomeLocation = PlaceMessage(vehicle) }
    }
}
