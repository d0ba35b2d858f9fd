package import Foundation

/// What the recipient of a shipment sees, as returned by GetTaskTrackingInfo.
///
/// The place, the state, the outcome, the time window and the attributes are always visible. The other values are absent until
/// the task is assigned to a vehicle and the rule of the sender shows them; an absent value says nothing about it.
package struct TaskTrackingInfo: Sendable, Equatable {
    /// The tracking ID.
    package var trackingID: TrackingID
    /// The project that owns the task.
    package var provider: ProviderID
    /// Whether the task is still to be done.
    package var state: DeliveryTask.State
    /// The place of the recipient.
    package var plannedLocation: Coordinate?
    /// The promise to the customer.
    package var targetTimeWindow: TimeWindow?
    /// The result of the attempt.
    package var outcome: DeliveryTask.Outcome?
    /// When the outcome was set.
    package var outcomeTime: Date?
    /// The provider's attributes of the task.
    package var attributes: [Attribute] = []

    /// The last position of the vehicle.
    package var vehicleLocation: VehicleLocation?
    /// The expected route of the vehicle to the stop; `nil` if it is hidden or unknown.
    package var route: Route?
    /// The number of stops left, including the stop of the task: 1 if it is the next stop.
    package var remainingStopCount: Int?
    /// The driving distance to the stop.
    package var remainingDistance: Distance?
    /// The ETA at the stop.
    package var estimatedArrival: Date?
    /// When the task is expected to be completed.
    package var estimatedCompletion: Date?

    /// Fields that the schema does not have.
    package var unknownFields: [UnknownField] = []
    /// Values that count as missing because they can't be read.
    package var unreadable: [UnknownField] = []
    /// The elements that were omitted because of the limits of lists.
    package var omitted: [OmittedElements] = []
}

/// When the recipient of a shipment sees which values; `nil` for the project's default.
package struct TrackingViewConfig: Sendable, Equatable {
    /// The condition under which a value is visible.
    package enum Visibility: Sendable, Hashable {
        /// Visible with at most this number of remaining stops, the own one included.
        case remainingStops(Int)
        /// Visible if the vehicle arrives within this time.
        case timeUntilArrival(Duration)
        /// Visible within this driving distance in meters.
        case remainingDistance(Int)
        /// Always visible while the task is assigned.
        case always
        /// Never visible.
        case never
    }

    /// The condition for the route.
    package var route: Visibility?
    /// The condition for the ETA.
    package var estimatedArrival: Visibility?
    /// The condition for the expected time of completion.
    package var estimatedCompletion: Visibility?
    /// The condition for the driving distance.
    package var remainingDistance: Visibility?
    /// The condition for the number of stops.
    package var remainingStopCount: Visibility?
    /// The condition for the position of the vehicle.
    package var vehicleLocation: Visibility?

    /// Creates a config with the defaults of the project.
    package init() {}
}

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
