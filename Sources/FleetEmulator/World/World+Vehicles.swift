package import FleetWire
package import Foundation
package import TripModel

extension World {
    /// CreateVehicle.
    package mutating func createVehicle(
        _ id: VehicleID,
        _ body: VehicleUpdate,
        at now: Date
    ) throws(ServiceError) -> Vehicle {
        guard vehicles[id] == nil else { throw .alreadyExists("Vehicle \(id) already exists") }
        guard let state = body.state, state == .online || state == .offline else {
            throw .invalidArgument("vehicle_state must be ONLINE or OFFLINE")
        }
        guard let types = body.supportedTripTypes, !types.isEmpty else {
            throw .invalidArgument("supported_trip_types is required")
        }
        guard let capacity = body.maximumCapacity, capacity >= 1 else {
            throw .invalidArgument("maximum_capacity must be at least 1")
        }
        guard let category = body.category else { throw .invalidArgument("vehicle_type is required") }
        var vehicle = Vehicle(id: id, provider: provider, state: state)
        vehicle.supportedTripTypes = types
        vehicle.maximumCapacity = capacity
        vehicle.category = category
        vehicle.backToBackEnabled = body.backToBackEnabled ?? false
        vehicle.lastLocation = body.lastLocation?.received(at: now)
        vehicle.attributes = body.attributes ?? []
        vehicle.licensePlate = body.licensePlate
        created += 1
        vehicle.deviceSettings = body.deviceSettings
        var record = VehicleRecord(vehicle: vehicle, number: created, at: now)
        let mask = FieldMask(body.lastLocation == nil ? ["pastLocations"] : ["lastLocation", "pastLocations"])
        record.setLocations(mask: mask, body, at: now)
        vehicles[id] = record
        return record.vehicle.answered
    }

    /// UpdateVehicle: applies the fields that the mask names.
    package mutating func updateVehicle(
        _ id: VehicleID,
        mask: FieldMask,
        _ body: VehicleUpdate,
        at now: Date
    ) throws(ServiceError) -> Vehicle {
        guard var record = vehicles[id] else { throw .notFound(id.rawValue) }
        try mask.check(VehicleRecord.updatable)
        try record.update(mask: mask, body, at: now)
        record.updatedAt = now
        let before = vehicles[id]
        vehicles[id] = record
        do {
            if mask.contains("waypoints") {
                try reorder(id, body.waypoints ?? [], at: now)
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
    package func vehicle(_ id: VehicleID) throws(ServiceError) -> Vehicle {
        guard let record = vehicles[id] else { throw .notFound(id.rawValue) }
        return record.vehicle.answered
    }

    /// Returns a vehicle with everything that was reported, also what the service's answers do not contain.
    package func reportedVehicle(_ id: VehicleID) throws(ServiceError) -> Vehicle {
        guard let record = vehicles[id] else { throw .notFound(id.rawValue) }
        return record.vehicle
    }

    /// DeleteVehicle: refused while the vehicle serves a trip.
    package mutating func deleteVehicle(_ id: VehicleID) throws(ServiceError) {
        guard let record = vehicles[id] else { throw .notFound(id.rawValue) }
        guard record.vehicle.currentTrips.isEmpty else {
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
            if let index = record.vehicle.attributes.firstIndex(where: { $0.key == attribute.key }) {
                record.vehicle.attributes[index] = attribute
            } else {
                record.vehicle.attributes.append(attribute)
            }
        }
        guard record.vehicle.attributes.count <= 100 else {
            throw .invalidArgument("A vehicle has at most 100 attributes")
        }
        record.updatedAt = now
        vehicles[id] = record
        return record.vehicle.attributes
    }
}
