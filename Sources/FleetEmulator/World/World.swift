package import FleetWire
package import Foundation
package import TripModel

/// Vehicles and trips and the rules of their lives: a value that knows no clock, no HTTP and no token.
///
/// The rules are section 3 of the reference. Every change takes the service's time of the call.
package struct World: Sendable {
    /// The project that owns everything in it.
    package let provider: ProviderID
    let roads: Roads
    private(set) var trips: [TripID: TripRecord] = [:]
    private(set) var vehicles: [VehicleID: VehicleRecord] = [:]

    /// An empty world.
    package init(provider: ProviderID, roads: Roads = Roads()) {
        self.provider = provider
        self.roads = roads
    }

    // MARK: Trips

    /// CreateTrip: always NEW, whatever status the body says.
    package mutating func createTrip(
        _ id: TripID,
        _ body: TripUpdate,
        at now: Date
    ) throws(ServiceError) -> Trip {
        guard trips[id] == nil else { throw .alreadyExists("Trip \(id) already exists") }
        guard let pickup = body.pickup else { throw .invalidArgument("pickup_point is required") }
        guard let type = body.type, type == .exclusive || type == .shared else {
            throw .invalidArgument("trip_type must be SHARED or EXCLUSIVE")
        }
        let stops = body.intermediateDestinations ?? []
        guard stops.isEmpty || type == .exclusive else {
            throw .invalidArgument("intermediate_destinations are for EXCLUSIVE trips only")
        }
        var trip = Trip(id: id, provider: provider, status: .new)
        trip.type = type
        trip.pickup = pickup
        trip.dropoff = body.dropoff
        trip.passengers = body.passengers
        trip.intermediateDestinations = stops
        if !stops.isEmpty { trip.intermediateDestinationsVersion = Version(now) }
        trips[id] = TripRecord(trip: trip)
        if let vehicle = body.vehicleID { try assign(vehicle, to: id, at: now) }
        return try view(of: id, at: now)
    }

    /// UpdateTrip: takes the fields that the mask names.
    package mutating func updateTrip(
        _ id: TripID,
        mask: FieldMask,
        _ body: TripUpdate,
        at now: Date
    ) throws(ServiceError) -> Trip {
        guard var record = trips[id] else { throw .notFound(id.rawValue) }
        guard !mask.paths.isEmpty else { throw .invalidArgument("update_mask is required") }
        for path in mask.paths where !TripRecord.updatable.contains(path) {
            throw .invalidArgument("update_mask names \(path), which can't be updated")
        }
        try record.checkVersion(body, mask: mask)
        if mask.contains("dropoffPoint") { record.trip.dropoff = body.dropoff }
        if mask.contains("numberOfPassengers") { record.trip.passengers = body.passengers }
        if mask.contains("intermediateDestinations") {
            record.trip.intermediateDestinations = body.intermediateDestinations ?? []
            record.trip.intermediateDestinationsVersion = Version(now)
        }
        if mask.contains("intermediateDestinationIndex") {
            let index = body.intermediateDestinationIndex ?? 0
            guard record.trip.intermediateDestinations.indices.contains(index) else {
                throw .invalidArgument("intermediate_destination_index is out of range")
            }
            record.trip.intermediateDestinationIndex = index
        }
        let before = trips
        trips[id] = record
        do {
            if mask.contains("vehicleId") { try assign(body.vehicleID, to: id, at: now) }
            if mask.contains("tripStatus") { try move(id, to: body.status, at: now) }
        } catch {
            trips = before
            throw error
        }
        if let vehicle = trips[id]?.trip.vehicleID { replan(vehicle, at: now) }
        return try view(of: id, at: now)
    }

    /// GetTrip without its conditional parameters.
    package func trip(_ id: TripID, at now: Date) throws(ServiceError) -> Trip {
        try view(of: id, at: now)
    }

    // MARK: Vehicles

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
        vehicles[id] = VehicleRecord(vehicle: vehicle)
        return vehicle
    }

    /// UpdateVehicle: takes the fields that the mask names.
    package mutating func updateVehicle(
        _ id: VehicleID,
        mask: FieldMask,
        _ body: VehicleUpdate,
        at now: Date
    ) throws(ServiceError) -> Vehicle {
        guard var record = vehicles[id] else { throw .notFound(id.rawValue) }
        guard !mask.paths.isEmpty else { throw .invalidArgument("update_mask is required") }
        for path in mask.paths where !VehicleRecord.updatable.contains(path) {
            throw .invalidArgument("update_mask names \(path), which can't be updated")
        }
        try record.update(mask: mask, body, at: now)
        vehicles[id] = record
        replan(id, at: now)
        return try vehicle(id)
    }

    /// GetVehicle.
    package func vehicle(_ id: VehicleID) throws(ServiceError) -> Vehicle {
        guard let record = vehicles[id] else { throw .notFound(id.rawValue) }
        return record.vehicle
    }

    // MARK: The rules between the two

    /// Gives a trip to a vehicle, or takes it away.
    private mutating func assign(_ vehicle: VehicleID?, to id: TripID, at now: Date) throws(ServiceError) {
        guard var record = trips[id] else { return }
        if let vehicle, vehicles[vehicle] == nil { throw .notFound(vehicle.rawValue) }
        guard !record.trip.status.isTerminal else { throw .failedPrecondition("Trip \(id) has ended") }
        if let old = record.trip.vehicleID, old != vehicle { release(id, from: old, at: now) }
        record.trip.vehicleID = vehicle
        trips[id] = record
        guard let vehicle, vehicles[vehicle]?.vehicle.currentTrips.contains(id) == false else { return }
        vehicles[vehicle]?.vehicle.currentTrips.append(id)
        replan(vehicle, at: now)
    }

    private mutating func release(_ trip: TripID, from vehicle: VehicleID, at now: Date) {
        vehicles[vehicle]?.vehicle.currentTrips.removeAll { $0 == trip }
        replan(vehicle, at: now)
    }

    /// Moves a trip to a status and lets happen what belongs to it (section 3.2).
    private mutating func move(_ id: TripID, to status: TripStatus?, at now: Date) throws(ServiceError) {
        guard var record = trips[id] else { return }
        guard let status else { throw .invalidArgument("trip_status is missing") }
        try record.checkMove(to: status)
        let location = record.trip.vehicleID.flatMap { vehicles[$0]?.vehicle.lastLocation }
        record.move(to: status, location: location, at: now)
        trips[id] = record
        if status.isTerminal, let vehicle = record.trip.vehicleID { release(id, from: vehicle, at: now) }
    }

    /// Makes the waypoints of a vehicle and the estimates of its trips anew after any change.
    private mutating func replan(_ id: VehicleID, at now: Date) {
        guard var record = vehicles[id] else { return }
        let waypoints = record.vehicle.currentTrips.flatMap { trips[$0]?.waypoints ?? [] }
        record.replan(waypoints, roads: roads, at: now)
        vehicles[id] = record
        for trip in record.vehicle.currentTrips { trips[trip]?.takeEstimates(from: record.vehicle) }
    }

    /// A trip as GetTrip tells of it at a time.
    private func view(of id: TripID, at now: Date) throws(ServiceError) -> Trip {
        guard let record = trips[id] else { throw .notFound(id.rawValue) }
        let vehicle = record.trip.vehicleID.flatMap { vehicles[$0] }
        return record.view(vehicle: vehicle, at: now)
    }
}
