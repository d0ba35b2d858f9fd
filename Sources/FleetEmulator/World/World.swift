package import DequeModule
import FleetEngineProtos
package import FleetWire
package import Foundation
package import TripModel

/// The vehicles and trips and their rules, as a value without clock, HTTP or tokens.
///
/// Every change gets the service's time of the call.
package struct World: Sendable {
    /// The project that owns all resources.
    package let provider: ProviderID
    let roads: Roads
    var trips: [TripID: TripRecord] = [:]
    var vehicles: [VehicleID: VehicleRecord] = [:]
    /// The trips reported by ReportBillableTrip in the order of their first reports.
    package private(set) var billableTrips: Deque<BillableTrip> = []
    /// The tasks and delivery vehicles, which have nothing to do with trips.
    package var deliveries: DeliveryWorld
    /// The number of trips and vehicles ever created.
    var created = 0
    /// The time of the last removal of old records.
    var swept = Date.distantPast

    /// Creates an empty world.
    package init(provider: ProviderID, roads: Roads = Roads()) {
        self.provider = provider
        self.roads = roads
        deliveries = DeliveryWorld(provider: provider, roads: roads)
    }

    // MARK: Trips

    /// CreateTrip: the status is always NEW, regardless of the body.
    package mutating func createTrip(
        _ id: TripID,
        _ body: TripMessage,
        at now: Date
    ) throws(ServiceError) -> Trip {
        guard trips[id] == nil else { throw .alreadyExists("Trip \(id) already exists") }
        guard body.hasPickupPoint else { throw .invalidArgument("pickup_point is required") }
        guard body.tripType == .exclusive || body.tripType == .shared else {
            throw .invalidArgument("trip_type must be SHARED or EXCLUSIVE")
        }
        guard body.numberOfPassengers >= 0 else {
            throw .invalidArgument("number_of_passengers must not be negative")
        }
        guard body.intermediateDestinations.isEmpty || body.tripType == .exclusive else {
            throw .invalidArgument("intermediate_destinations are for EXCLUSIVE trips only")
        }
        created += 1
        let record = TripRecord(body, id, in: provider, number: created, at: now)
        let vehicle = VehicleID(stored: body.vehicleID)
        return try undoing(changesOf: id, serving: [vehicle]) { world throws(ServiceError) in
            world.trips[id] = record
            if let vehicle {
                try world.assign(vehicle, to: id, at: now)
                if !body.vehicleWaypoints.isEmpty {
                    try world.reorder(vehicle, body.vehicleWaypoints.map(\.model), at: now)
                }
            }
            return try world.ownersView(of: id, at: now)
        }
    }

    /// UpdateTrip: applies the fields that the mask names.
    package mutating func updateTrip(
        _ id: TripID,
        mask: FieldMask,
        _ body: TripMessage,
        at now: Date
    ) throws(ServiceError) -> Trip {
        guard var record = trips[id] else { throw .notFound(id.rawValue) }
        try mask.check(TripRecord.updatable)
        try record.update(mask: mask, body, at: now)
        let vehicle = VehicleID(stored: body.vehicleID)
        let vehicles = [record.vehicleID, mask.contains("vehicleId") ? vehicle : nil]
        return try undoing(changesOf: id, serving: vehicles) { [record] world throws(ServiceError) in
            world.trips[id] = record
            if mask.contains("vehicleId") { try world.assign(vehicle, to: id, at: now) }
            if mask.contains("tripStatus") { try world.move(id, to: body.status, at: now) }
            if let vehicle = world.trips[id]?.vehicleID {
                if mask.contains("vehicleWaypoints") {
                    try world.reorder(vehicle, body.vehicleWaypoints.map(\.model), at: now)
                } else {
                    world.replan(vehicle, at: now)
                }
            }
            return try world.ownersView(of: id, at: now)
        }
    }

    /// Performs changes and rolls all of them back if one fails.
    ///
    /// A change of a trip affects its vehicles and, through their plans, the other trips of these vehicles. Only those records
    /// are saved: saving everything would copy all trips and vehicles on each request.
    private mutating func undoing<Result>(
        changesOf id: TripID,
        serving vehicleIDs: [VehicleID?],
        _ body: (inout World) throws(ServiceError) -> Result
    ) throws(ServiceError) -> Result {
        var oldTrips: [TripID: TripRecord?] = [id: trips[id]]
        var oldVehicles: [VehicleID: VehicleRecord] = [:]
        for vehicle in vehicleIDs.compactMap(\.self) {
            guard let record = vehicles[vehicle] else { continue }
            oldVehicles[vehicle] = record
            for trip in record.trips { oldTrips[trip] = trips[trip] }
        }
        do {
            return try body(&self)
        } catch {
            for (id, record) in oldTrips { trips[id] = record }
            for (id, record) in oldVehicles { vehicles[id] = record }
            throw error
        }
    }

    /// GetTrip without its conditional parameters.
    package func trip(_ id: TripID, at now: Date) throws(ServiceError) -> Trip {
        try view(of: id, at: now)
    }

    /// DeleteTrip: refused while a vehicle serves the trip.
    package mutating func deleteTrip(_ id: TripID) throws(ServiceError) {
        guard let record = trips[id] else { throw .notFound(id.rawValue) }
        guard !record.isActive || record.vehicleID == nil else {
            throw .failedPrecondition("Trip \(id) is active and assigned to a vehicle")
        }
        trips[id] = nil
    }

    /// ReportBillableTrip: idempotent, so that the first report of an ID is stored.
    package mutating func reportBillable(_ id: TripID, _ report: BillableTripReport, at now: Date) {
        guard !billableTrips.contains(where: { $0.id == id }) else { return }
        // A vehicle service reports for years; the emulator shows the last reports.
        if billableTrips.count == BillableTrip.maximumCount { billableTrips.removeFirst() }
        billableTrips.append(BillableTrip(id: id, report: report, time: now))
    }

    /// Returns a trip as CreateTrip and UpdateTrip do: with all waypoints of the vehicle.
    private func ownersView(of id: TripID, at now: Date) throws(ServiceError) -> Trip {
        var trip = try view(of: id, at: now)
        if !trip.status.isTerminal, let vehicle = trip.vehicleID {
            trip.vehicleWaypoints = (vehicles[vehicle]?.way.waypoints ?? []).map {
                Waypoint(coordinate: $0.coordinate, tripID: $0.tripID, kind: $0.kind)
            }
        }
        return trip
    }

    /// Returns a trip as GetTrip does.
    func view(of id: TripID, at now: Date) throws(ServiceError) -> Trip {
        guard let record = trips[id],
            let view = record.view(vehicle: record.vehicleID.flatMap { vehicles[$0] }, at: now)
        else { throw .notFound(id.rawValue) }
        return view
    }
}
