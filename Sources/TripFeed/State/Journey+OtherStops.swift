package import TripModel

extension Journey {
    /// The distance in meters within which a vehicle counts as being at a stop: it may park some houses away.
    static let stopRadius = 100.0

    /// Whether the vehicle serves stops of others before its own one, so that it may wait there.
    ///
    /// A shared trip names the stops of the other trips. For a shipment, only the number of stops is known.
    package var servesOthers: Bool {
        if let shipment { return (shipment.remainingStopCount ?? 1) > 1 }
        guard let stop = remainingWaypoints.first, !stop.belongs(to: id.trip) else { return false }
        guard let place = lastLocation?.coordinate, let target = stop.coordinate else {
            return firstDistance.map { $0.meters <= Self.stopRadius } ?? false
        }
        return place.distance(to: target).meters <= Self.stopRadius
    }
}
