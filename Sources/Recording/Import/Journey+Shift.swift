import FleetWire
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

extension Version {
    /// Creates the version for a change at a time.
    init(_ time: Date) {
        self.init(Timestamp.text(time))
    }
}
