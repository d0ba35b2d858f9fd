import FleetEngineProtos
import FleetWire
import Foundation
import Runtime
import TripModel

/// A stored trip as its message; values that depend on its vehicle are computed on request.
struct TripRecord: Sendable {
    /// The fields that CreateTrip stores; the status is always NEW.
    private static let creatable = FieldMask([
        "tripType", "pickupPoint", "dropoffPoint", "numberOfPassengers", "intermediateDestinations", "attributes",
    ])
    /// The mask fields of UpdateTrip whose values are stored as they are.
    private static let stored: Set<String> = [
        "dropoffPoint", "intermediateDestinations", "intermediateDestinationIndex", "attributes", "actualPickupPoint",
        "actualDropoffPoint", "actualPickupArrivalPoint", "actualIntermediateDestinationArrivalPoints",
        "actualIntermediateDestinations",
    ]
    /// All accepted mask fields.
    static let updatable = stored.union([
        "tripStatus", "vehicleId", "intermediateDestinationsVersion", "vehicleWaypoints",
    ])

    /// What the provider has set, and what the service has observed when the status changed.
    var trip: TripMessage
    /// The ID, which is the end of the trip's name.
    let id: TripID
    /// When the vehicle is or was at the pickup.
    private var pickupTime: Date?
    /// When the vehicle is or was at the drop-off.
    private var dropoffTime: Date?
    /// The position in the order of creation.
    let number: Int
    /// When it was last created or updated.
    var updatedAt: Date
    /// When it was created.
    let createdAt: Date

    /// Creates a trip from the body of CreateTrip.
    init(_ body: TripMessage, _ id: TripID, in provider: ProviderID, number: Int, at now: Date) {
        (trip, self.id, self.number, updatedAt, createdAt) = (TripMessage(), id, number, now, now)
        trip.replace(Self.creatable, by: body)
        trip.name = ResourceName.trip(provider, id).text
        trip.status = .new
        if !trip.intermediateDestinations.isEmpty { setStopsVersion(at: now) }
    }

    /// The status.
    var status: TripStatus { trip.status ?? .unrecognized("") }

    /// The vehicle that serves or served the trip; `nil` without one.
    var vehicleID: VehicleID? {
        get { VehicleID(stored: trip.vehicleID) }
        set { trip.vehicleID = newValue?.rawValue ?? "" }
    }

    /// Whether the trip affects a route.
    var isActive: Bool { trip.tripStatus != .complete && trip.tripStatus != .canceled }

    /// The waypoints that the vehicle has yet to visit for this trip; none after its end.
    var waypoints: [Waypoint] {
        var waypoints: [Waypoint] = []
        switch status {
        case .new, .enrouteToPickup, .arrivedAtPickup, .unrecognized:
            waypoints.append(Waypoint(coordinate: trip.pickupPoint.coordinate, tripID: id, kind: .pickup))
            waypoints += stops(from: 0)
        case .enrouteToIntermediateDestination, .arrivedAtIntermediateDestination:
            waypoints += stops(from: Int(trip.intermediateDestinationIndex))
        case .enrouteToDropoff: break
        case .complete, .canceled: return []
        }
        if trip.hasDropoffPoint {
            waypoints.append(Waypoint(coordinate: trip.dropoffPoint.coordinate, tripID: id, kind: .dropoff))
        }
        return waypoints
    }

    private func stops(from index: Int) -> [Waypoint] {
        trip.intermediateDestinations.dropFirst(index).map {
            Waypoint(coordinate: $0.coordinate, tripID: id, kind: .intermediateDestination)
        }
    }

    /// Applies the fields that do not affect a vehicle.
    mutating func update(mask: FieldMask, _ body: TripMessage, at now: Date) throws(ServiceError) {
        try checkVersion(body, mask: mask)
        let hasNewStops = mask.contains("intermediateDestinations")
        guard !hasNewStops || trip.tripType == .exclusive || body.intermediateDestinations.isEmpty else {
            throw .invalidArgument("intermediate_destinations are for EXCLUSIVE trips only")
        }
        if mask.contains("intermediateDestinationIndex") {
            let stops = hasNewStops ? body.intermediateDestinations : trip.intermediateDestinations
            guard stops.indices.contains(Int(body.intermediateDestinationIndex)) else {
                throw .invalidArgument("intermediate_destination_index is out of range")
            }
        }
        trip.replace(FieldMask(mask.paths.filter(Self.stored.contains)), by: body)
        if hasNewStops { setStopsVersion(at: now) }
        updatedAt = now
    }

    private mutating func setStopsVersion(at now: Date) {
        if let version = Version(now).timestamp { trip.intermediateDestinationsVersion = version }
    }

    /// Checks the optimistic lock of the stops: a caller that moves along them must send their current version.
    private func checkVersion(_ body: TripMessage, mask: FieldMask) throws(ServiceError) {
        let isCurrent =
            trip.hasIntermediateDestinationsVersion
            && body.intermediateDestinationsVersion == trip.intermediateDestinationsVersion
        guard body.hasIntermediateDestinationsVersion, !isCurrent,
            mask.contains("intermediateDestinationIndex") || mask.contains("tripStatus")
        else { return }
        throw .failedPrecondition("intermediate_destinations_version is not the current one")
    }

    /// Checks a status change.
    ///
    /// Allowed are later statuses, including skips, the same status, and CANCELED from any status that is not terminal.
    func checkMove(to next: TripStatus) throws(ServiceError) {
        if next == status { return }
        guard !status.isTerminal else {
            throw .failedPrecondition("Trip \(id) is \(status.name) and can't become \(next.name)")
        }
        guard let from = status.rank, let to = next.rank else {
            throw .invalidArgument("\(next.name) is not a trip status")
        }
        switch next {
        case .canceled: return
        case .enrouteToIntermediateDestination, .arrivedAtIntermediateDestination:
            guard !trip.intermediateDestinations.isEmpty else {
                throw .failedPrecondition("Trip \(id) has no intermediate destinations")
            }
        case .new, .enrouteToPickup, .arrivedAtPickup, .enrouteToDropoff, .complete, .unrecognized: break
        }
        guard to >= from else {
            throw .failedPrecondition("Trip \(id) can't go back from \(status.name) to \(next.name)")
        }
    }

    /// Sets the status; the service fills in the actual points and times.
    mutating func move(to next: TripStatus, location: VehicleLocation?, at now: Date) {
        guard next != status else { return }
        let wasBeforePickup = !trip.hasActualPickupPoint && status.isBeforePickup
        trip.status = next
        let stop = location?.coordinate.map {
            StopMessage(StopLocation(coordinate: $0, time: location?.measuredTime ?? now))
        }
        if wasBeforePickup, !next.isBeforePickup, next != .canceled {
            if let stop { trip.actualPickupPoint = stop }
            pickupTime = now
        }
        switch next {
        case .complete:
            if let stop { trip.actualDropoffPoint = stop } else { trip.clearActualDropoffPoint() }
            dropoffTime = now
            trip.lastLocation = LocationMessage()
            if let place = location?.coordinate { trip.lastLocation.location = LatLngMessage(place) }
        case .canceled:
            dropoffTime = nil
            if wasBeforePickup { pickupTime = nil }
        default: break
        }
    }

    /// Copies the estimated times from the vehicle's plan.
    mutating func copyEstimates(from way: VehicleWay) {
        for waypoint in way.waypoints where waypoint.tripID == id {
            switch waypoint.kind {
            case .pickup: pickupTime = waypoint.eta
            case .dropoff: dropoffTime = waypoint.eta
            case .intermediateDestination, .unrecognized: break
            }
        }
    }

    /// Returns the trip with the values that its vehicle determines.
    func view(vehicle record: VehicleRecord?, at now: Date) -> Trip? {
        // Each stored trip has a valid name.
        guard var view = try? TripCoding.trip(trip) else { return nil }
        (view.pickupTime, view.dropoffTime) = (pickupTime, dropoffTime)
        guard let record, isActive else { return view }
        let way = record.way
        view.lastLocation = record.location
        let last = way.waypoints.lastIndex { $0.tripID == id }
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

extension ResourceID {
    /// Parses an ID that was normalized before; `nil` if it is empty, which is the same as none.
    init?(stored text: String) {
        guard !text.isEmpty, let id = try? Self(text) else { return nil }
        self = id
    }
}

extension Version {
    /// Creates the version for a change at a time.
    init(_ date: Date) {
        self.init(Timestamp.text(date))
    }
}
