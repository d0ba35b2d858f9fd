import FleetWire
import Foundation
import TripModel

/// The reported positions of a vehicle.
extension VehicleRecord {
    /// The maximum number of positions that are kept; at one in 5 s these are those of more than an hour.
    private static let maximumLocations = 1000

    /// Adds the reported positions to the track in the order of their measurement.
    ///
    /// Positions in `pastLocations` are older than the known one, unless there was no report for a while: then the newest of
    /// them becomes the last position.
    mutating func takeLocations(mask: FieldMask, _ body: VehicleUpdate, at now: Date) {
        var reported: [VehicleLocation] = []
        if mask.contains("pastLocations") {
            reported = body.pastLocations.filter { $0.coordinate != nil }.map { $0.received(at: now) }
        }
        if mask.contains("lastLocation"), let last = vehicle.lastLocation {
            reported.append(last)
        } else if let newest = reported.max(by: { $0.time(or: now) < $1.time(or: now) }) {
            let known = vehicle.lastLocation?.measuredTime
            if known.map({ $0 < newest.measuredTime ?? .distantPast }) ?? true { vehicle.lastLocation = newest }
        }
        guard let first = reported.map({ $0.time(or: now) }).min() else { return }
        // Only positions that are later than the oldest reported one change their places.
        let tail = vehicle.pastLocations.reversed().prefix { $0.time(or: now) > first }.reversed()
        let sorted = (Array(tail) + reported).enumerated().sorted { one, two in
            let (left, right) = (one.element.time(or: now), two.element.time(or: now))
            return left == right ? one.offset < two.offset : left < right
        }
        vehicle.pastLocations.removeLast(tail.count)
        vehicle.pastLocations += sorted.map(\.element)
        vehicle.pastLocations.removeFirst(max(0, vehicle.pastLocations.count - Self.maximumLocations))
    }
}

extension VehicleLocation {
    /// The time of the measurement, otherwise that of the receipt.
    fileprivate func time(or now: Date) -> Date { measuredTime ?? serverTime ?? now }
}

extension Vehicle {
    /// The vehicle as answers have it: without what only the driver's app sends.
    var answered: Vehicle {
        var vehicle = self
        vehicle.deviceSettings = nil
        vehicle.pastLocations = []
        return vehicle
    }
}
