import Foundation
import Runtime
import TripModel

extension Journey {
    /// Returns the trip or the shipment with all times shifted by a number of seconds.
    func shifted(by delta: TimeInterval) -> Journey {
        switch self {
        case .trip(let trip): .trip(trip.shifted(by: delta))
        case .shipment(let shipment): .shipment(shipment.shifted(by: delta))
        }
    }
}

extension Trip {
    /// Returns the trip with all times shifted by a number of seconds.
    fileprivate func shifted(by delta: TimeInterval) -> Trip {
        var trip = self
        trip.intermediateDestinationsVersion = intermediateDestinationsVersion?.shifted(by: delta)
        trip.pickupTime = pickupTime?.addingTimeInterval(delta)
        trip.dropoffTime = dropoffTime?.addingTimeInterval(delta)
        trip.actualPickup?.time = actualPickup?.time?.addingTimeInterval(delta)
        trip.actualDropoff?.time = actualDropoff?.time?.addingTimeInterval(delta)
        trip.actualPickupArrival?.time = actualPickupArrival?.time?.addingTimeInterval(delta)
        trip.actualStopArrivals = actualStopArrivals.map { $0.shifted(by: delta) }
        trip.actualStops = actualStops.map { $0.shifted(by: delta) }
        trip.etaToFirstWaypoint = etaToFirstWaypoint?.addingTimeInterval(delta)
        for index in remainingWaypoints.indices {
            trip.remainingWaypoints[index].eta = remainingWaypoints[index].eta?.addingTimeInterval(delta)
        }
        trip.remainingWaypointsVersion = remainingWaypointsVersion?.shifted(by: delta)
        trip.remainingWaypointsRouteVersion = remainingWaypointsRouteVersion?.shifted(by: delta)
        trip.routeVersion = routeVersion?.shifted(by: delta)
        trip.routeEnd?.eta = routeEnd?.eta?.addingTimeInterval(delta)
        trip.trafficVersion = trafficVersion?.shifted(by: delta)
        trip.lastLocation = lastLocation?.shifted(by: delta)
        return trip
    }
}

extension TaskTrackingInfo {
    /// Returns the shipment with all times shifted by a number of seconds.
    fileprivate func shifted(by delta: TimeInterval) -> TaskTrackingInfo {
        var shipment = self
        shipment.vehicleLocation = vehicleLocation?.shifted(by: delta)
        shipment.estimatedArrival = estimatedArrival?.addingTimeInterval(delta)
        shipment.outcomeTime = outcomeTime?.addingTimeInterval(delta)
        shipment.estimatedCompletion = estimatedCompletion?.addingTimeInterval(delta)
        shipment.targetTimeWindow = targetTimeWindow.map { TimeWindow(start: $0.start + delta, end: $0.end + delta) }
        return shipment
    }
}

extension StopLocation {
    /// Returns the place with its time shifted by a number of seconds.
    fileprivate func shifted(by delta: TimeInterval) -> StopLocation {
        StopLocation(coordinate: coordinate, time: time?.addingTimeInterval(delta))
    }
}

extension VehicleLocation {
    /// Returns the position with all times shifted by a number of seconds.
    fileprivate func shifted(by delta: TimeInterval) -> VehicleLocation {
        var location = self
        location.updateTime = updateTime?.addingTimeInterval(delta)
        location.serverTime = serverTime?.addingTimeInterval(delta)
        location.rawTime = rawTime?.addingTimeInterval(delta)
        return location
    }
}

extension Version {
    /// Creates the version for a change at a time.
    init(_ time: Date) {
        self.init(Timestamp.text(time))
    }

    /// Returns the version shifted by a number of seconds; unchanged if it is not a timestamp.
    fileprivate func shifted(by delta: TimeInterval) -> Version {
        Timestamp.date(rawValue).map { Version($0.addingTimeInterval(delta)) } ?? self
    }
}
