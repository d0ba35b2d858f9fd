/// A value that the sender's rules may hide from the recipient of a shipment.
package enum HiddenValue: String, Sendable, Hashable, CaseIterable {
    case vehicleLocation, route, remainingStopCount, remainingDistance, estimatedArrival, estimatedCompletion
}

extension TaskTrackingInfo {
    /// Whether the task is to be done and has no outcome.
    private var isOpen: Bool { state == .open && outcome == nil }

    /// Its own stop; `nil` if nothing of the way to it is shown.
    package var stop: Waypoint? {
        guard estimatedArrival != nil || remainingDistance != nil || route != nil else { return nil }
        var stop = Waypoint(coordinate: plannedLocation, tripID: nil, kind: .dropoff)
        (stop.eta, stop.distance) = (estimatedArrival, remainingDistance)
        return stop
    }

    /// The values that are not shown to the recipient of an open shipment; empty after the end.
    package var hidden: Set<HiddenValue> {
        guard isOpen else { return [] }
        let values: [(HiddenValue, Bool)] = [
            (.vehicleLocation, vehicleLocation == nil), (.route, route == nil && !isAtStop),
            (.remainingStopCount, remainingStopCount == nil), (.remainingDistance, remainingDistance == nil),
            (.estimatedArrival, estimatedArrival == nil), (.estimatedCompletion, estimatedCompletion == nil),
        ]
        return Set(values.filter(\.1).map(\.0))
    }

    /// Whether the vehicle with an open shipment is at its stop, as far as the service shows it.
    ///
    /// It shows no state of a stop; there is no way left to the next one.
    package var isAtStop: Bool { isOpen && isVehicleAtStop }

    /// Whether the vehicle is at the stop of the shipment, as far as the service shows it, also while it is still there after the
    /// task has got its outcome.
    package var isVehicleAtStop: Bool {
        remainingStopCount == 1 && (remainingDistance?.meters).map { $0 < 1 } ?? false
    }

    /// Whether the service shows nothing from which it follows that the vehicle with an open shipment is at its stop or still on its
    /// way there: the number of stops, the distance and the route are hidden, and the position is hidden or near the place.
    package var hidesArrival: Bool { isOpen && !isAtStop && !isStopAhead }

    /// Whether the service shows that the vehicle has not reached the stop.
    private var isStopAhead: Bool {
        if let remainingStopCount, remainingStopCount > 1 { return true }
        if let remainingDistance { return remainingDistance.meters >= 1 }
        if let route, route.length.meters >= 1 { return true }
        guard let place = plannedLocation, let vehicle = vehicleLocation?.coordinate else { return false }
        return vehicle.distance(to: place).meters > Self.farthestStop + (vehicleLocation?.accuracy ?? 0)
    }

    /// The distance from the place of the recipient, in meters, within which the vehicle may park for the delivery.
    private static let farthestStop = 200.0

    /// Whether the service shows anything of a vehicle that has an open shipment on its tour.
    package var isOnTour: Bool { isOpen && hidden.count < HiddenValue.allCases.count }
}
