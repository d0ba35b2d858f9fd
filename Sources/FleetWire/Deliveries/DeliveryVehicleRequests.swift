import FleetEngineProtos
import SwiftProtobuf
package import TripModel

extension DeliveryVehicleMessage {
    /// Reads the body of CreateDeliveryVehicle or UpdateDeliveryVehicle; throws ``WireError``.
    package init(body: [UInt8]) throws(WireError) {
        let message = try RequestBody.decode(Self.self, from: body)
        self = try RequestBody.read { reader throws(WireError) in
            var vehicle = message
            try vehicle.check(&reader)
            return vehicle
        }
    }

    /// Checks a request; removes what the service does not store, and what it sets itself in stops.
    private mutating func check(_ reader: inout MessageReader) throws(WireError) {
        if hasLastLocation { lastLocation = try lastLocation.checked("lastLocation", reader) }
        if hasCurrentRouteSegmentEndPoint, currentRouteSegmentEndPoint.coordinate == nil {
            throw .unexpected(path: "currentRouteSegmentEndPoint", reason: "not valid coordinates")
        }
        if hasRemainingDistanceMeters, remainingDistanceMeters.value < 0 {
            throw .unexpected(path: "remainingDistanceMeters", reason: "negative")
        }
        if hasRemainingDuration {
            guard remainingDuration.length >= .zero else {
                throw .unexpected(path: "remainingDuration", reason: "negative")
            }
            remainingDuration = Google_Protobuf_Duration(remainingDuration.length)
        }
        var segments: [SegmentMessage] = []
        for (index, segment) in reader.bounded(remainingVehicleJourneySegments, .waypoints).enumerated() {
            var checked = SegmentMessage()
            checked.stop = try segment.stop.checked("remainingVehicleJourneySegments[\(index)].stop", &reader)
            segments.append(checked)
        }
        remainingVehicleJourneySegments = segments
        attributes = try reader.bounded(attributes, .attributes).checked("attributes")
            .map(DeliveryVehicleAttributeMessage.init)
        var past: [DeliveryLocationMessage] = []
        for (index, location) in reader.bounded(pastLocations, .pastLocations).enumerated() {
            past.append(try location.checked("pastLocations[\(index)]", reader))
        }
        pastLocations = past
    }
}

extension DeliveryLocationMessage {
    /// Returns the location of a request with the values that the service stores.
    fileprivate func checked(_ path: String, _ reader: MessageReader) throws(WireError) -> DeliveryLocationMessage {
        try locationOfTrips.check(path)
        var writer = MessageWriter()
        return writer.deliveryLocation(reader.location(self))
    }
}

extension DeliveryStopMessage {
    /// Returns the stop of a request; throws ``WireError`` without a place, and for an invalid task.
    fileprivate func checked(_ path: String, _ reader: inout MessageReader) throws(WireError) -> DeliveryStopMessage {
        guard hasPlannedLocation else { throw .unexpected(path: "\(path).plannedLocation", reason: "missing") }
        if case .UNRECOGNIZED = state {
            throw .unexpected(path: "\(path).state", reason: "NEW, ENROUTE or ARRIVED is expected")
        }
        var stop = DeliveryStopMessage()
        stop.plannedLocation = PlaceMessage(try plannedLocation.checked("\(path).plannedLocation"))
        // A stop without a state is new.
        stop.state = state == .unspecified ? .new : state
        for (index, task) in reader.bounded(tasks, .names).enumerated() {
            guard let id: TaskID = try task.taskID.id("\(path).tasks[\(index)].taskId") else {
                throw .unexpected(path: "\(path).tasks[\(index)].taskId", reason: "missing")
            }
            stop.tasks.append(.with { $0.taskID = id.rawValue })
        }
        return stop
    }
}

/// Delivery vehicles as messages and as ProtoJSON.
package enum DeliveryVehicleCoding {
    /// Decodes an answer to GetDeliveryVehicle or UpdateDeliveryVehicle; throws ``WireError``.
    package static func decode(_ body: [UInt8]) throws(WireError) -> DeliveryVehicle {
        let answer = try MessageAnswer<DeliveryVehicleMessage>(body)
        var reader = answer.reader
        return try reader.deliveryVehicle(answer.message)
    }

    /// Returns the vehicle of a message; throws ``WireError`` for a missing or invalid name.
    package static func vehicle(_ message: DeliveryVehicleMessage) throws(WireError) -> DeliveryVehicle {
        var reader = MessageReader()
        return try reader.deliveryVehicle(message)
    }
}
