import FleetWire
import Foundation
import Runtime
import TripModel

/// A stored trip; values that depend on its vehicle are computed on request.
struct TripRecord: Sendable {
    /// The mask fields of UpdateTrip that a provider may set.
    static let updatable: Set<String> = [
        "tripStatus", "vehicleId", "dropoffPoint", "intermediateDestinations", "intermediateDestinationIndex",
        "intermediateDestinationsVersion", "vehicleWaypoints", "attributes", "actualPickupPoint",
        "actualDropoffPoint", "actualPickupArrivalPoint", "actualIntermediateDestinationArrivalPoints",
        "actualIntermediateDestinations",
    ]

    /// The values that do not depend on the vehicle.
    var trip: Trip
    /// The position in the order of creation.
    let number: Int
    /// When it was last created or updated.
    var updatedAt: Date
    /// When it was created.
    let createdAt: Date

    init(trip: Trip, number: Int, at now: Date) {
        self.trip = trip
        self.number = number
        updatedAt = now
        createdAt = now
    }

    /// Whether the trip affects a route.
    var isActive: Bool { !trip.status.isTerminal }

    /// The waypoints that the vehicle has yet to visit for this trip; none after its end.
    var waypoints: [Waypoint] {
        var waypoints: [Waypoint] = []
        switch trip.status {
        case .new, .enrouteToPickup, .arrivedAtPickup, .unrecognized:
            waypoints.append(Waypoint(coordinate: trip.pickup, tripID: trip.id, kind: .pickup))
            waypoints += stops(from: 0)
        case .enrouteToIntermediateDestination, .arrivedAtIntermediateDestination:
            waypoints += stops(from: trip.intermediateDestinationIndex)
        case .enrouteToDropoff: break
        case .complete, .canceled: return []
        }
        if let dropoff = trip.dropoff {
            waypoints.append(Waypoint(coordinate: dropoff, tripID: trip.id, kind: .dropoff))
        }
        return waypoints
    }

    private func stops(from index: Int) -> [Waypoint] {
        trip.intermediateDestinations.dropFirst(index).map {
            Waypoint(coordinate: $0, tripID: trip.id, kind: .intermediateDestination)
        }
    }

    /// Checks the optimistic lock of the stops: a caller that moves along them must send their current version.
    func checkVersion(_ body: TripUpdate, mask: FieldMask) throws(ServiceError) {
        guard let version = body.intermediateDestinationsVersion, version != trip.intermediateDestinationsVersion,
            mask.contains("intermediateDestinationIndex") || mask.contains("tripStatus")
        else { return }
        throw .failedPrecondition("intermediate_destinations_version is not the current one")
    }

    /// Checks a status change.
    ///
    /// Allowed are later statuses, including skips, the same status, and CANCELED from any status that is not terminal.
    func checkMove(to status: TripStatus) throws(ServiceError) {
        if status == trip.status { return }
        guard !trip.status.isTerminal else {
            throw .failedPrecondition("Trip \(trip.id) is \(trip.status.name) and can't become \(status.name)")
        }
        guard let from = trip.status.rank, let to = status.rank else {
            throw .invalidArgument("\(status.name) is not a trip status")
        }
        switch status {
        case .canceled: return
        case .enrouteToIntermediateDestination, .arrivedAtIntermediateDestination:
            guard !trip.intermediateDestinations.isEmpty else {
                throw .failedPrecondition("Trip \(trip.id) has no intermediate destinations")
            }
        case .new, .enrouteToPickup, .arrivedAtPickup, .enrouteToDropoff, .complete, .unrecognized: break
        }
        guard to >= from else {
            throw .failedPrecondition("Trip \(trip.id) can't go back from \(trip.status.name) to \(status.name)")
        }
    }

    /// Sets the status; the service fills in the actual points and times.
    mutating func move(to status: TripStatus, location: VehicleLocation?, at now: Date) {
        guard status != trip.status else { return }
        let wasBeforePickup = trip.actualPickup == nil && trip.status.isBeforePickup
        trip.status = status
        let stop = location?.coordinate.map { StopLocation(coordinate: $0, time: location?.measuredTime ?? now) }
        if wasBeforePickup, !status.isBeforePickup, status != .canceled {
            trip.actualPickup = stop
            trip.pickupTime = now
        }
        switch status {
        case .complete:
            trip.actualDropoff = stop
            trip.dropoffTime = now
            trip.lastLocation = VehicleLocation(coordinate: location?.coordinate)
        case .canceled:
            trip.dropoffTime = nil
            if wasBeforePickup { trip.pickupTime = nil }
            trip.lastLocation = nil
        default: break
        }
    }

    /// Copies the estimated times from the vehicle's plan.
    mutating func copyEstimates(from way: VehicleWay) {
        for waypoint in way.waypoints where waypoint.tripID == trip.id {
            switch waypoint.kind {
            case .pickup: trip.pickupTime = waypoint.eta
            case .dropoff: trip.dropoffTime = waypoint.eta
            case .intermediateDestination, .unrecognized: break
            }
        }
    }

    /// Returns the trip with the values that its vehicle determines.
    func view(vehicle record: VehicleRecord?, at now: Date) -> Trip {
        guard let record, !trip.status.isTerminal else { return trip }
        var view = trip
        let way = record.way
        view.lastLocation = record.location
        let last = way.waypoints.lastIndex { $0.tripID == trip.id }
        view.remainingWaypoints = last.map { Array(way.waypoints[...$0]) } ?? []
        guard !view.remainingWaypoints.isEmpty else { return view }
        view.remainingWaypointsVersion = way.waypointsVersion
        view.remainingWaypointsRouteVersion = way.waypointsRouteVersion
        view.etaToFirstWaypoint = way.etaToFirstWaypoint
        view.remainingTime = way.etaToFirstWaypoint.map { .seconds($0.timeIntervalSince(now)) }
        view.remainingDistance = way.remainingDistance
        view.route = way.route
        view.routeVersion = way.routeVersion
        view.routeEnd = view.remainingWaypoints.first.map {
            Waypoint(coordinate: $0.coordinate, tripID: $0.tripID, kind: $0.kind)
        }
        view.traffic = way.traffic
        view.trafficVersion = way.trafficVersion
        view.lastLocationSnappable = way.route != nil && view.lastLocation != nil
        return view
    }
}

extension TripStatus {
    /// Whether the rider has not been picked up yet.
    fileprivate var isBeforePickup: Bool {
        switch self {
        case .new, .enrouteToPickup, .arrivedAtPickup, .unrecognized: true
        case .enrouteToIntermediateDestination, .arrivedAtIntermediateDestination, .enrouteToDropoff, .complete,
            .canceled:
            false
        }
    }
}

extension Version {
    /// Creates the version for a change at a time.
    init(_ date: Date) {
        self.init(Timestamp.text(date))
    }
}
