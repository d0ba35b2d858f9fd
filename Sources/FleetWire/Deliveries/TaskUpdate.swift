import FleetEngineProtos
package import Foundation
import SwiftProtobuf
package import TripModel

/// The body of CreateTask and UpdateTask: the fields that a provider sets.
package struct TaskUpdate: Sendable, Equatable {
    /// The names of the fields that the body sets, in camelCase.
    package var fields: Set<String> = []
    /// What happens.
    package var kind: DeliveryTask.Kind?
    /// Whether the task is to be done.
    package var state: DeliveryTask.State?
    /// The tracking ID of the shipment.
    package var trackingID: TrackingID?
    /// The planned place.
    package var plannedLocation: Coordinate?
    /// The time that the task takes.
    package var duration: Duration?
    /// The result of the attempt.
    package var outcome: DeliveryTask.Outcome?
    /// When the outcome was set.
    package var outcomeTime: Date?
    /// Where the outcome was set.
    package var outcomeLocation: Coordinate?
    /// The visibility of values for the recipient.
    package var trackingView: TrackingViewConfig?
    /// The promise to the customer.
    package var targetTimeWindow: TimeWindow?
    /// The provider's attributes.
    package var attributes: [Attribute]?

    /// Creates an empty update.
    package init() {}

    /// Parses a body; throws ``WireError``, also for an invalid ID, coordinate, time window or condition.
    package init(body: [UInt8]) throws(WireError) {
        self = try TaskUpdate(try RequestBody.decode(TaskMessage.self, from: body))
    }

    fileprivate init(_ message: TaskMessage) throws(WireError) {
        self = try RequestBody.read { reader throws(WireError) in try TaskUpdate(message, &reader) }
    }

    private init(_ message: TaskMessage, _ reader: inout MessageReader) throws(WireError) {
        fields = message.setFields
        kind = try EnumNames.taskType.nameIfSet(message.type).map(DeliveryTask.Kind.init(name:)).known("type")
        state = EnumNames.taskState.nameIfSet(message.state).map(DeliveryTask.State.init(name:))
        if case .unrecognized? = state { throw .unexpected(path: "state", reason: "OPEN or CLOSED is expected") }
        outcome = EnumNames.taskOutcome.nameIfSet(message.taskOutcome).map(DeliveryTask.Outcome.init(name:))
        if case .unrecognized? = outcome {
            throw .unexpected(path: "taskOutcome", reason: "SUCCEEDED or FAILED is expected")
        }
        trackingID = try message.trackingID.id("trackingId")
        plannedLocation = message.hasPlannedLocation ? try message.plannedLocation.checked("plannedLocation") : nil
        if message.hasTaskDuration {
            guard message.taskDuration.length >= .zero else {
                throw .unexpected(path: "taskDuration", reason: "negative")
            }
            duration = message.taskDuration.length
        }
        if message.hasTaskOutcomeTime { outcomeTime = message.taskOutcomeTime.time }
        outcomeLocation =
            message.hasTaskOutcomeLocation ? try message.taskOutcomeLocation.checked("taskOutcomeLocation") : nil
        if message.hasTaskTrackingViewConfig {
            trackingView = try TrackingViewConfig(message.taskTrackingViewConfig, checkedAt: "taskTrackingViewConfig")
        }
        if message.hasTargetTimeWindow { targetTimeWindow = try message.targetTimeWindow.checked("targetTimeWindow") }
        attributes =
            message.attributes.isEmpty
            ? nil : try reader.bounded(message.attributes, .attributes).checked("attributes")
    }
}

/// The body of BatchCreateTasks.
package struct TaskBatch: Sendable, Equatable {
    /// A task to create.
    package struct Item: Sendable, Equatable {
        /// The ID.
        package var id: TaskID
        /// The fields of the task.
        package var task: TaskUpdate
    }

    /// The maximum number of tasks.
    package static let maximumCount = 500

    /// The tasks, 1 … ``maximumCount`` with different IDs.
    package var items: [Item] = []

    /// Parses a body for a project; throws ``WireError``, also for a header or parent that differs from the outer one.
    package init(body: [UInt8], provider: ProviderID) throws(WireError) {
        let message = try RequestBody.decode(Maps_Fleetengine_Delivery_V1_BatchCreateTasksRequest.self, from: body)
        guard (1...Self.maximumCount).contains(message.requests.count) else {
            throw .unexpected(path: "requests", reason: "1 to \(Self.maximumCount) are expected")
        }
        var ids: Set<TaskID> = []
        for (index, request) in message.requests.enumerated() {
            let path = "requests[\(index)]"
            guard request.parent.isEmpty || request.parent.hasSameBytes(as: "providers/\(provider)") else {
                throw .unexpected(path: "\(path).parent", reason: "differs from the parent of the batch")
            }
            guard !request.hasHeader || request.header == message.header else {
                throw .unexpected(path: "\(path).header", reason: "differs from the header of the batch")
            }
            guard let id: TaskID = try request.taskID.id("\(path).taskId") else {
                throw .unexpected(path: "\(path).taskId", reason: "missing")
            }
            guard ids.insert(id).inserted else { throw .unexpected(path: "\(path).taskId", reason: "given twice") }
            do {
                items.append(Item(id: id, task: try TaskUpdate(request.task)))
            } catch {
                throw error.within("\(path).task")
            }
        }
    }
}

extension DeliveryTask.Kind? {
    /// Returns the kind of a request; throws for a number without a meaning.
    fileprivate func known(_ path: String) throws(WireError) -> Self {
        if case .unrecognized? = self {
            let names = DeliveryTask.Kind.known.map(\.name).joined(separator: ", ")
            throw .unexpected(path: path, reason: "one of \(names) is expected")
        }
        return self
    }
}

extension PlaceMessage {
    /// Returns the place of a request; throws ``WireError`` without valid coordinates.
    func checked(_ path: String) throws(WireError) -> Coordinate {
        guard let coordinate else { throw .unexpected(path: "\(path).point", reason: "not valid coordinates") }
        return coordinate
    }
}

extension WindowMessage {
    /// Returns the window of a request; throws ``WireError`` without both ends in order.
    fileprivate func checked(_ path: String) throws(WireError) -> TimeWindow {
        guard let window else { throw .unexpected(path: path, reason: "startTime and endTime are required") }
        guard window.start <= window.end else { throw .unexpected(path: path, reason: "ends before it starts") }
        return window
    }
}

extension WireError {
    /// Returns the error for a part of a message whose path is given.
    fileprivate func within(_ path: String) -> WireError {
        switch self {
        case .unexpected(let inner, let reason):
            .unexpected(path: inner.isEmpty ? path : "\(path).\(inner)", reason: reason)
        case .unknownName(let name, let inner):
            .unknownName(name, path: inner.isEmpty ? path : "\(path).\(inner)")
        case .notJSON, .badName: self
        }
    }
}
