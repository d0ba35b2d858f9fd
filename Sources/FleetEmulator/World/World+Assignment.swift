import FleetEngineProtos
import FleetWire
package import Foundation
import TripModel

/// The rules that connect trips and vehicles.
extension World {
    /// Assigns a trip to a vehicle, or unassigns it.
    mutating func assign(_ vehicle: VehicleID?, to id: TripID, at now: Date) throws(ServiceError) {
        guard var record = trips[id] else { return }
        if let vehicle, vehicles[vehicle] == nil { throw .notFound(vehicle.rawValue) }
        if vehicle == record.vehicleID { return }
        guard record.isActive else { throw .failedPrecondition("Trip \(id) has ended") }
        if let old = record.vehicleID, old != vehicle { release(id, from: old, at: now) }
        record.vehicleID = vehicle
        trips[id] = record
        guard let vehicle, vehicles[vehicle]?.trips.contains(id) == false else { return }
        vehicles[vehicle]?.trips.append(id)
        replan(vehicle, at: now)
    }

    private mutating func release(_ trip: TripID, from vehicle: VehicleID, at now: Date) {
        vehicles[vehicle]?.trips.removeAll { $0 == trip }
        replan(vehicle, at: now)
    }

    /// Sets the status of a trip and applies its consequences.
    ///
    /// The service fills in actual points and times. A terminal status releases the vehicle.
    mutating func move(_ id: TripID, to status: TripStatus?, at now: Date) throws(ServiceError) {
        guard var record = trips[id] else { return }
        guard let status else { throw .invalidArgument("trip_status is missing") }
        try record.checkMove(to: status)
        let location = record.vehicleID.flatMap { vehicles[$0]?.location }
        record.move(to: status, location: location, at: now)
        trips[id] = record
        if status.isTerminal, let vehicle = record.vehicleID { release(id, from: vehicle, at: now) }
    }

    /// Recomputes the waypoints of a vehicle and the estimates of its trips.
    mutating func replan(_ id: VehicleID, at now: Date) {
        guard var record = vehicles[id] else { return }
        record.replan(record.ordered(waypoints(of: record)), roads: roads, at: now)
        vehicles[id] = record
        for trip in record.trips { trips[trip]?.copyEstimates(from: record.way) }
    }

    /// Reorders the waypoints of a vehicle.
    ///
    /// The list must contain exactly the present waypoints in a valid order.
    mutating func reorder(_ id: VehicleID, _ order: [Waypoint], at now: Date) throws(ServiceError) {
        guard var record = vehicles[id] else { return }
        let present = WaypointKey.keys(of: waypoints(of: record))
        let wanted = WaypointKey.keys(of: order)
        guard wanted.count == present.count, Set(wanted) == Set(present) else {
            throw .invalidArgument("The waypoints differ from those that the vehicle must visit")
        }
        if let problem = WaypointKey.problem(of: wanted, isExclusive: { trips[$0]?.trip.tripType == .exclusive }) {
            throw .invalidArgument(problem)
        }
        record.order = wanted
        vehicles[id] = record
        replan(id, at: now)
    }

    private func waypoints(of record: VehicleRecord) -> [Waypoint] {
        record.trips.flatMap { trips[$0]?.waypoints ?? [] }
    }

    /// Deletes trips 7 days after their creation and vehicles 7 days after their last update.
    package mutating func forgetOld(at now: Date) {
        guard abs(now.timeIntervalSince(swept)) >= 60 else { return }
        swept = now
        deliveries.forgetOld(at: now)
        let limit = now.addingTimeInterval(-7 * 86_400)
        trips = trips.filter { $0.value.createdAt > limit }
        vehicles = vehicles.filter { $0.value.updatedAt > limit }
        for (id, record) in vehicles where record.trips.contains(where: { trips[$0] == nil }) {
            vehicles[id]?.trips.removeAll { trips[$0] == nil }
            replan(id, at: now)
        }
    }
}

/// Identifies a waypoint of a vehicle: its trip, its kind and the number of the stop.
struct WaypointKey: Hashable, Sendable {
    var trip: TripID
    var kind: Waypoint.Kind
    /// The index among the trip's remaining stops.
    var stop: Int

    /// The order within the trip.
    var rank: Int {
        switch kind {
        case .pickup: -1
        case .intermediateDestination, .unrecognized: stop
        case .dropoff: Int.max
        }
    }

    /// Returns why a vehicle can't visit waypoints in an order; `nil` if it can.
    ///
    /// The waypoints of each trip are in order, and no other trip's waypoint is within an EXCLUSIVE trip.
    static func problem(of order: [WaypointKey], isExclusive: (TripID) -> Bool) -> String? {
        var last: [TripID: WaypointKey] = [:]
        for (index, key) in order.enumerated() {
            if let before = last[key.trip] {
                guard before.rank < key.rank else {
                    return "The \(key.kind.name) of trip \(key.trip) comes after its \(before.kind.name)"
                }
                if order[index - 1].trip != key.trip, isExclusive(key.trip) {
                    return "Trip \(key.trip) is EXCLUSIVE: it must not contain another trip's waypoint"
                }
            }
            last[key.trip] = key
        }
        return nil
    }

    /// Returns the keys of a list of waypoints.
    ///
    /// Waypoints without a trip are skipped.
    static func keys(of waypoints: [Waypoint]) -> [WaypointKey] {
        var stops: [TripID: Int] = [:]
        return waypoints.compactMap { waypoint in
            guard let trip = waypoint.tripID else { return nil }
            guard waypoint.kind == .intermediateDestination else {
                return WaypointKey(trip: trip, kind: waypoint.kind, stop: 0)
            }
            defer { stops[trip, default: 0] += 1 }
            return WaypointKey(trip: trip, kind: waypoint.kind, stop: stops[trip, default: 0])
        }
    }
}

extension VehicleRecord {
    /// Returns the waypoints in the requested order; new ones come last.
    ///
    /// Visited waypoints are removed from the requested order. If some stops of a trip were visited, the last ones remain.
    fileprivate mutating func ordered(_ waypoints: [Waypoint]) -> [Waypoint] {
        guard !order.isEmpty else { return waypoints }
        let keys = WaypointKey.keys(of: waypoints)
        for trip in Set(order.map(\.trip)) {
            let count = { (keys: [WaypointKey]) in
                keys.count { $0.trip == trip && $0.kind == .intermediateDestination }
            }
            let visited = count(order) - count(keys)
            guard visited > 0 else { continue }
            order = order.compactMap { key in
                guard key.trip == trip, key.kind == .intermediateDestination else { return key }
                return key.stop < visited ? nil : WaypointKey(trip: trip, kind: key.kind, stop: key.stop - visited)
            }
        }
        order.removeAll { !keys.contains($0) }
        let places = Dictionary(zip(order, 0...), uniquingKeysWith: min)
        return zip(keys, waypoints).enumerated().sorted { one, two in
            let (left, right) = (places[one.element.0] ?? Int.max, places[two.element.0] ?? Int.max)
            return (left, one.offset) < (right, two.offset)
        }.map(\.element.1)
    }
}
