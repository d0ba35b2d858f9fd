import FleetEngineProtos
package import FleetWire
package import Foundation
package import TripModel

extension World {
    /// CreateVehicle.
    package mutating func createVehicle(
        _ id: VehicleID,
        _ body: VehicleMessage,
        at now: Date
    ) throws(ServiceError) -> VehicleMessage {
        guard vehicles[id] == nil else { throw .alreadyExists("Vehicle \(id) already exists") }
        guard body.vehicleState == .online || body.vehicleState == .offline else {
            throw .invalidArgument("vehicle_state must be ONLINE or OFFLINE")
        }
        guard !body.supportedTripTypes.isEmpty else { throw .invalidArgument("supported_trip_types is required") }
        guard body.maximumCapacity >= 1 else { throw .invalidArgument("maximum_capacity must be at least 1") }
        guard body.hasVehicleType else { throw .invalidArgument("vehicle_type is required") }
        created += 1
        let record = VehicleRecord(body, named: .vehicle(provider, id), number: created, at: now)
        vehicles[id] = record
        return record.answered
    }

    /// UpdateVehicle: applies the fields that the mask names.
    package mutating func updateVehicle(
        _ id: VehicleID,
        mask: FieldMask,
        _ body: VehicleMessage,
        at now: Date
    ) throws(ServiceError) -> VehicleMessage {
        guard var record = vehicles[id] else { throw .notFound(id.rawValue) }
        try mask.check(VehicleRecord.updatable)
        try record.update(mask: mask, body, at: now)
        record.updatedAt = now
        let before = vehicles[id]
        vehicles[id] = record
        do {
            if mask.contains("waypoints") {
                try reorder(id, body.waypoints.map(\.model), at: now)
            } else {
                replan(id, at: now)
            }
            return try vehicle(id)
        } catch {
            vehicles[id] = before
            throw error
        }
    }

    /// GetVehicle.
    package func vehicle(_ id: VehicleID) throws(ServiceError) -> VehicleMessage {
        guard let record = vehicles[id] else { throw .notFound(id.rawValue) }
        return record.answered
    }

    /// Returns a vehicle with everything that was reported, also what the service's answers do not contain.
    package func reportedVehicle(_ id: VehicleID) throws(ServiceError) -> VehicleMessage {
        guard let record = vehicles[id] else { throw .notFound(id.rawValue) }
        return record.whole
    }

    /// DeleteVehicle: refused while the vehicle serves a trip.
    package mutating func deleteVehicle(_ id: VehicleID) throws(ServiceError) {
        guard let record = vehicles[id] else { throw .notFound(id.rawValue) }
        guard record.trips.isEmpty else {
            throw .failedPrecondition("Vehicle \(id) has active trips")
        }
        vehicles[id] = nil
    }

    /// UpdateVehicleAttributes: changes the named attributes, returns all of them.
    package mutating func updateAttributes(
        of id: VehicleID,
        _ attributes: [Attribute],
        at now: Date
    ) throws(ServiceError) -> [Attribute] {
        guard var record = vehicles[id] else { throw .notFound(id.rawValue) }
        for attribute in attributes {
            let message = VehicleAttributeMessage(attribute)
            if let index = record.vehicle.attributes.firstIndex(where: { $0.key == attribute.key }) {
                record.vehicle.attributes[index] = message
            } else {
                record.vehicle.attributes.append(message)
            }
        }
        guard record.vehicle.attributes.count <= 100 else {
            throw .invalidArgument("A vehicle has at most 100 attributes")
        }
        record.updatedAt = now
        vehicles[id] = record
        return record.vehicle.attributes.compactMap(\.attribute)
    }
}

/// A trip that a provider has reported for billing.
package struct BillableTrip: Sendable, Equatable {
    /// The maximum number of reports that are stored.
    static let maximumCount = 10_000

    /// The ID in the report; the trip need not exist.
    package var id: TripID
    /// The report.
    package var report: BillableTripReport
    /// When it was received.
    package var time: Date
}
