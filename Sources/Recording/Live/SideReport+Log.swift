import Foundation
import Runtime
import TripFeed
import TripModel

extension SideReport {
    /// Creates the report of a driver from an update of the vehicle.
    ///
    /// An update contains only the fields of its mask, so the others are taken from the last report.
    init(driver entry: LogEntry, vehicle: VehicleID, after last: SideReport?) {
        self = last ?? SideReport(entry.sideCall)
        (call, time) = (entry.sideCall, entry.time)
        self.vehicle = vehicle
        let sent = entry.request["vehicle"] ?? entry.request
        let location = LogFields.location(sent["lastlocation"])
        if location?.coordinate != nil {
            self.location = location
            (locationTime, locationCall) = (entry.time, call)
            // A report of a position without these values means that there is no route.
            (arrival, distance) = (nil, nil)
        }
        navigation = LogFields.navigation(sent) ?? LogFields.navigation(entry.response) ?? navigation
        waypointsLeft = (sent["waypoints"] ?? entry.response?["waypoints"])?.elements?.count
        distance = LogFields.distance(sent["remainingdistancemeters"]) ?? distance
        if let seconds = sent["remainingtimeseconds"]?.logNumber {
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
    init(rider entry: LogEntry, answer: JSONValue) {
        self.init(entry.sideCall)
        status = LogFields.status(answer)
        // An ID that breaks the service's rules names no vehicle.
        vehicle = answer["vehicleid"]?.string.flatMap { try? VehicleID($0) }
        location = LogFields.location(answer["lastlocation"])
        locationTime = location?.serverTime ?? location?.measuredTime
        // An answer omits them if they have not changed since the version that the rider has.
        waypointsLeft = answer["remainingwaypoints"]?.elements?.count
        arrival = LogFields.date(answer["etatofirstwaypoint"])
        distance = LogFields.distance(answer["remainingdistancemeters"])
    }
}

extension LogEntry {
    /// The call as evidence.
    var sideCall: SideCall { SideCall(method: method, time: time, insertID: insertID) }
}
