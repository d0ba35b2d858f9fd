package import FleetEngineProtos
package import TripModel

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
        writer.unknown.isKept = false
        return writer.trackingInfo(info)
    }

    /// Encodes an answer; default values are omitted.
    package static func encode(_ info: TaskTrackingInfo, enums: EnumFormat = .names) -> [UInt8] {
        MessageBytes.encode(enums) { $0.trackingInfo(info) }
    }
}
