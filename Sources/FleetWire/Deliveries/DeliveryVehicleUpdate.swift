import FleetEngineProtos
import SwiftProtobuf
package import TripModel

/// The body of CreateDeliveryVehicle and UpdateDeliveryVehicle: the fields that a provider or a driver sets.
package struct DeliveryVehicleUpdate: Sendable, Equatable {
    /// The names of the fields that the body sets, in camelCase.
    package var fields: Set<String> = []
    /// The type, by its API name.
    package var type: String?
    /// The position.
    package var lastLocation: VehicleLocation?
    /// The navigation status, by its API name.
    package var navigationStatus: String?
    /// The encoded path to the next stop; `nil` clears it if the mask contains it.
    package var routeBytes: [UInt8]?
    /// The end of the path.
    package var routeEnd: Coordinate?
    /// The distance to the next stop.
    package var remainingDistance: Distance?
    /// The time to the next stop.
    package var remainingDuration: Duration?
    /// All stops that remain, in order; what the service sets in them is ignored.
    package var stops: [VehicleStop] = []
    /// The provider's attributes.
    package var attributes: [Attribute]?
    /// Earlier positions that could not be sent in time.
    package var pastLocations: [VehicleLocation] = []

    /// Creates an empty update.
    package init() {}

    /// Parses a body; throws ``WireError``.
    package init(body: [UInt8]) throws(WireError) {
        let message = try RequestBody.decode(DeliveryVehicleMessage.self, from: body)
        self = try RequestBody.read { reader throws(WireError) in try DeliveryVehicleUpdate(message, &reader) }
    }

    private init(_ message: DeliveryVehicleMessage, _ reader: inout MessageReader) throws(WireError) {
        fields = message.setFields
        type = EnumNames.deliveryVehicleType.nameIfSet(message.type)
        if message.hasLastLocation {
            try message.lastLocation.locationOfTrips.check("lastLocation")
            lastLocation = reader.location(message.lastLocation)
        }
        navigationStatus = EnumNames.navigationStatus.nameIfSet(message.navigationStatus)
        if !message.currentRouteSegment.isEmpty { routeBytes = Array(message.currentRouteSegment) }
        if message.hasCurrentRouteSegmentEndPoint {
            guard let end = message.currentRouteSegmentEndPoint.coordinate else {
                throw .unexpected(path: "currentRouteSegmentEndPoint", reason: "not valid coordinates")
            }
            routeEnd = end
        }
        if message.hasRemainingDistanceMeters {
            guard message.remainingDistanceMeters.value >= 0 else {
                throw .unexpected(path: "remainingDistanceMeters", reason: "negative")
            }
            remainingDistance = Distance(meters: Double(message.remainingDistanceMeters.value))
        }
        if message.hasRemainingDuration {
            guard message.remainingDuration.length >= .zero else {
                throw .unexpected(path: "remainingDuration", reason: "negative")
            }
            remainingDuration = message.remainingDuration.length
        }
        let segments = reader.bounded(message.remainingVehicleJourneySegments, .waypoints)
        for (index, segment) in segments.enumerated() {
            stops.append(try segment.stop.checked("remainingVehicleJourneySegments[\(index)].stop", &reader))
        }
        attributes =
            message.attributes.isEmpty
            ? nil : try reader.bounded(message.attributes, .attributes).checked("attributes")
        for (index, location) in reader.bounded(message.pastLocations, .pastLocations).enumerated() {
            try location.locationOfTrips.check("pastLocations[\(index)]")
            pastLocations.append(reader.location(location))
        }
    }
}

extension DeliveryStopMessage {
    /// Returns the stop of a request; throws ``WireError`` without a place, and for an invalid task.
    fileprivate func checked(_ path: String, _ reader: inout MessageReader) throws(WireError) -> VehicleStop {
        guard hasPlannedLocation else { throw .unexpected(path: "\(path).plannedLocation", reason: "missing") }
        // A stop without a state is new.
        let state = EnumNames.stopState.nameIfSet(state).map(VehicleStop.State.init(name:)) ?? .new
        if case .unrecognized = state {
            throw .unexpected(path: "\(path).state", reason: "NEW, ENROUTE or ARRIVED is expected")
        }
        var stop = VehicleStop(plannedLocation: try plannedLocation.checked("\(path).plannedLocation"), state: state)
        for (index, task) in reader.bounded(tasks, .names).enumerated() {
            guard let id: TaskID = try task.taskID.id("\(path).tasks[\(index)].taskId") else {
                throw .unexpected(path: "\(path).tasks[\(index)].taskId", reason: "missing")
            }
            stop.tasks.append(VehicleStop.TaskInfo(id: id))
        }
        return stop
    }
}
