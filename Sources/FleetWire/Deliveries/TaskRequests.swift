package import FleetEngineProtos
import SwiftProtobuf
package import TripModel

extension TaskMessage {
    /// Reads the body of CreateTask or UpdateTask; throws ``WireError``, also for an invalid ID, coordinate, time window or
    /// condition.
    package init(body: [UInt8]) throws(WireError) {
        self = try RequestBody.decode(Self.self, from: body).checked()
    }

    /// Returns the task of a request as the service stores it: values without a meaning are removed, IDs are normalized.
    fileprivate func checked() throws(WireError) -> TaskMessage {
        try RequestBody.read { reader throws(WireError) in
            var task = self
            try task.check(&reader)
            return task
        }
    }

    private mutating func check(_ reader: inout MessageReader) throws(WireError) {
        if case .UNRECOGNIZED = type {
            let names = DeliveryTask.Kind.known.map(\.name).joined(separator: ", ")
            throw .unexpected(path: "type", reason: "one of \(names) is expected")
        }
        if case .UNRECOGNIZED = state { throw .unexpected(path: "state", reason: "OPEN or CLOSED is expected") }
        if case .UNRECOGNIZED = taskOutcome {
            throw .unexpected(path: "taskOutcome", reason: "SUCCEEDED or FAILED is expected")
        }
        let shipment: TrackingID? = try trackingID.id("trackingId")
        trackingID = shipment?.rawValue ?? ""
        if hasPlannedLocation { _ = try plannedLocation.checked("plannedLocation") }
        if hasTaskDuration {
            guard taskDuration.length >= .zero else { throw .unexpected(path: "taskDuration", reason: "negative") }
            taskDuration = Google_Protobuf_Duration(taskDuration.length)
        }
        if hasTaskOutcomeTime { taskOutcomeTime = taskOutcomeTime.time.timestamp }
        if hasTaskOutcomeLocation { _ = try taskOutcomeLocation.checked("taskOutcomeLocation") }
        if hasTaskTrackingViewConfig {
            taskTrackingViewConfig = ViewConfigMessage(
                try TrackingViewConfig(taskTrackingViewConfig, checkedAt: "taskTrackingViewConfig")
            )
        }
        if hasTargetTimeWindow { targetTimeWindow = WindowMessage(try targetTimeWindow.checked("targetTimeWindow")) }
        attributes = try reader.bounded(attributes, .attributes).checked("attributes").map(TaskAttributeMessage.init)
    }

    /// What happens.
    package var kind: DeliveryTask.Kind {
        get { DeliveryTask.Kind(name: EnumNames.taskType.name(type)) }
        set { type = EnumNames.taskType.value(newValue.name) }
    }

    /// The name of the outcome.
    package var outcomeName: String { EnumNames.taskOutcome.name(taskOutcome) }
}

/// The body of BatchCreateTasks.
package struct TaskBatch: Sendable, Equatable {
    /// A task to create.
    package struct Item: Sendable, Equatable {
        /// The ID.
        package var id: TaskID
        /// The task.
        package var task: TaskMessage
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
                items.append(Item(id: id, task: try request.task.checked()))
            } catch {
                throw error.within("\(path).task")
            }
        }
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

/// Tasks as messages and as ProtoJSON.
package enum DeliveryTaskCoding {
    /// Decodes an answer to CreateTask, GetTask or UpdateTask; throws ``WireError``.
    ///
    /// Unknown names of enum values are preserved. Lists are limited by ``ElementLimits``.
    package static func decode(_ body: [UInt8]) throws(WireError) -> DeliveryTask {
        let answer = try MessageAnswer<TaskMessage>(body)
        var reader = answer.reader
        return try reader.task(answer.message)
    }

    /// Returns the task of a message; throws ``WireError`` for a missing or invalid name.
    package static func task(_ message: TaskMessage) throws(WireError) -> DeliveryTask {
        var reader = MessageReader()
        return try reader.task(message)
    }
}

/// What the recipients of shipments see, as messages and as ProtoJSON.
package enum TaskTrackingCoding {
    /// Decodes an answer to GetTaskTrackingInfo; throws ``WireError``.
    ///
    /// Unknown fields and unknown enum names are preserved. Lists are limited by ``ElementLimits``;
    /// ``TaskTrackingInfo/omitted`` counts the rest.
    package static func decode(_ body: [UInt8]) throws(WireError) -> TaskTrackingInfo {
        let answer = try MessageAnswer<TrackingMessage>(body)
        var reader = answer.reader
        var info = try reader.trackingInfo(answer.message)
        info.unknownFields = answer.unknownFields[""] ?? []
        info.unreadable = answer.unreadable
        return info
    }

    /// Returns what a message shows; throws ``WireError`` for a missing or invalid name.
    package static func info(
        _ message: Maps_Fleetengine_Delivery_V1_TaskTrackingInfo
    ) throws(WireError) -> TaskTrackingInfo {
        var reader = MessageReader()
        return try reader.trackingInfo(message)
    }

    /// Returns the message; enum names that the schema does not have are omitted.
    package static func message(_ info: TaskTrackingInfo) -> Maps_Fleetengine_Delivery_V1_TaskTrackingInfo {
        var writer = MessageWriter()
        writer.unknown.isRetained = false
        return writer.trackingInfo(info)
    }

    /// Encodes an answer; default values are omitted.
    package static func encode(_ info: TaskTrackingInfo, enums: EnumFormat = .names) -> [UInt8] {
        MessageBytes.encode(enums) { $0.trackingInfo(info) }
    }
}
