import FleetEngineProtos
package import TripModel

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
