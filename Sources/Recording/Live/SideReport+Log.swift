import FleetWire
import Foundation
import Runtime
import TripFeed
import TripModel

extension SideReport {
    /// Creates the report of a driver from an update of the vehicle.
    ///
    /// An update contains only the fields of its mask, so the others are taken from the last report.
    init(driver entry: LogEntry, vehicle: VehicleID, in provider: ProviderID, after last: SideReport?) {
        self = last ?? SideReport(entry.sideCall)
        (call, time) = (entry.sideCall, entry.time)
        self.vehicle = vehicle
        guard case .vehicle(let answer, let request)? = entry.answer else { return }
        // No path is shown.
        var paths = PathDecoder(limit: 0)
        let sent = request.vehicle(vehicle, in: provider, &paths)
        if sent.lastLocation?.coordinate != nil {
            location = sent.lastLocation
            (locationTime, locationCall) = (entry.time, call)
            // A report of a position without these values means that there is no route.
            (arrival, distance) = (nil, nil)
        }
        navigation = sent.navigationStatus ?? answer.navigationStatus ?? navigation
        // A list without elements means that there are no waypoints left.
        let waypoints = (entry.request["vehicle"] ?? entry.request)["waypoints"] ?? entry.response?["waypoints"]
        waypointsLeft = waypoints?.elements?.count
        distance = sent.remainingDistance ?? distance
        if let seconds = request.remainingSeconds {
            // The service computes the ETA in the same way.
            arrival = entry.time.addingTimeInterval(seconds)
        }
    }

    /// Creates the service's values of a trip after a call.
    ///
    /// - Parameters:
    ///   - trip: The state of the trip after the call.
    ///   - entry: The call: CreateTrip or UpdateTrip, or an update of the vehicle.
    ///   - last: What was known before.
    init(server trip: Trip, entry: LogEntry, after last: SideReport?) {
        self = last ?? SideReport(since: entry.time)
        let shown = entry.sideCall
        if entry.call != .vehicle {
            (call, time) = (shown, entry.time)
            let isKnown = if case .unrecognized("UNKNOWN_TRIP_STATUS") = trip.status { false } else { true }
            if isKnown, status != trip.status { (status, statusCall) = (trip.status, shown) }
        }
        if vehicle != trip.vehicleID { (vehicle, vehicleCall) = (trip.vehicleID, shown) }
        if location != trip.lastLocation {
            (location, locationCall) = (trip.lastLocation, shown)
            locationTime = location?.coordinate == nil ? nil : location?.serverTime ?? entry.time
        }
        waypointsLeft = trip.remainingWaypoints.isEmpty ? nil : trip.remainingWaypoints.count
        arrival = trip.etaToFirstWaypoint
        distance = trip.remainingDistance
        routeCall = shown
    }

    /// Creates what a rider received with an answer to GetTrip.
    init(rider entry: LogEntry, of id: TripID, in provider: ProviderID) {
        self.init(entry.sideCall)
        guard case .trip(let answer)? = entry.answer else { return }
        // No path is shown.
        var paths = PathDecoder(limit: 0)
        let trip = answer.trip(id, in: provider, &paths)
        (status, vehicle, location) = (trip.status, trip.vehicleID, trip.lastLocation)
        locationTime = location?.serverTime ?? location?.measuredTime
        // An answer omits them if they have not changed since the version that the rider has.
        waypointsLeft = entry.response?["remainingwaypoints"]?.elements?.count
        (arrival, distance) = (trip.etaToFirstWaypoint, trip.remainingDistance)
    }
}

extension LogEntry {
    /// The call as evidence.
    var sideCall: SideCall { SideCall(method: method, time: time, insertID: insertID) }
}

/// The restricted parts of log entries that have not arrived; the oldest ones are dropped above a limit.
struct RestrictedParts: Sendable {
    private var parts: [String: (number: Int, part: JSONValue)] = [:]
    /// The IDs in the order of their arrival; one whose part was removed, or dropped, has another number or none.
    private var arrivals: [(number: Int, id: String)] = []
    private var first = 0
    private var added = 0

    /// The number of parts that are stored.
    var limit: Int { didSet { dropOldest() } }

    init(limit: Int) { self.limit = limit }

    /// The number of parts.
    var count: Int { parts.count }

    /// Adds a part of the entry with an ID; it is merged into one that is already there.
    mutating func add(_ part: JSONValue, of id: String) {
        if let known = parts[id] {
            parts[id] = (known.number, known.part.merged(with: part))
            return
        }
        added += 1
        parts[id] = (added, part)
        arrivals.append((added, id))
        dropOldest()
    }

    /// Removes and returns the part of the entry with an ID.
    mutating func remove(of id: String) -> JSONValue? { parts.removeValue(forKey: id)?.part }

    private mutating func dropOldest() {
        while first < arrivals.count, parts.count > limit || parts[arrivals[first].id]?.number != arrivals[first].number
        {
            let (number, id) = arrivals[first]
            if parts[id]?.number == number { parts[id] = nil }
            first += 1
        }
        // At most half of the array is unused.
        if first > arrivals.count / 2 || arrivals.count - first > 2 * limit + 16 {
            arrivals = arrivals[first...].filter { parts[$0.id]?.number == $0.number }
            first = 0
        }
    }
}
