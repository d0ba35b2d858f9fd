import FleetWire
import Foundation
import TripModel

/// The reported positions of a vehicle.
extension VehicleRecord {
    /// Adds the reported positions to the track in the order of their measurement.
    mutating func setLocations(mask: FieldMask, _ body: VehicleUpdate, at now: Date) {
        vehicle.pastLocations.add(
            mask.contains("pastLocations") ? body.pastLocations : [],
            last: &vehicle.lastLocation,
            isLastReported: mask.contains("lastLocation"),
            at: now
        )
    }
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
