import TripModel

extension Journey {
    /// The maximum distance from a stop, in meters, at which the vehicle counts as waiting there.
    private static let standingRadius = 60.0

    /// Whether the vehicle waits at the stop of the current status, or at the stop of a shipment, regardless of its last reported
    /// speed.
    ///
    /// The last report before a stop still contains the approach speed.
    package var isStanding: Bool {
        let stop: Coordinate?
        switch status {
        case .trip(.arrivedAtPickup): stop = trip?.actualPickupArrival?.coordinate ?? pickup
        case .trip(.arrivedAtIntermediateDestination):
            let (index, stops) = (intermediateDestinationIndex, intermediateDestinations)
            stop = stops.indices.contains(index) ? stops[index] : nil
        case .trip: return false
        case .shipment: return isVehicleAtOwnStop
        }
        guard let stop, let place = lastLocation?.coordinate else { return true }
        return place.distance(to: stop).meters < Self.standingRadius
    }
}
