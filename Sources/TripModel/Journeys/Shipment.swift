package import Foundation

/// What a shipment has and a trip has not.
package struct Shipment: Sendable, Equatable {
    /// Whether the task is still to be done.
    package var state: DeliveryTask.State
    /// The result of the attempt.
    package var outcome: DeliveryTask.Outcome?
    /// When the outcome was set.
    package var outcomeTime: Date?
    /// The promise to the customer.
    package var targetTimeWindow: TimeWindow?
    /// The number of stops left, including that of the shipment: 1 if it is the next one; `nil` if it is hidden.
    package var remainingStopCount: Int?
    /// When the task is expected to be completed; `nil` if it is hidden.
    package var estimatedCompletion: Date?

    /// Creates a shipment of which only the state is known.
    package init(state: DeliveryTask.State) { self.state = state }
}

/// A value that the sender's rules may hide from the recipient of a shipment.
package enum HiddenValue: String, Sendable, Hashable, CaseIterable {
    case vehicleLocation, route, remainingStopCount, remainingDistance, estimatedArrival, estimatedCompletion
}

extension Trip {
    /// Creates a journey from what the recipient of a shipment sees.
    ///
    /// Its own stop is the only waypoint and the drop-off: the service shows no other stops, and measures the route, the
    /// distance and the ETA up to this one.
    package init(_ info: TaskTrackingInfo) {
        self.init(
            id: JourneyID(shipment: info.trackingID),
            provider: info.provider,
            status: TripStatus(info.state, info.outcome)
        )
        var shipment = Shipment(state: info.state)
        (shipment.outcome, shipment.outcomeTime) = (info.outcome, info.outcomeTime)
        shipment.targetTimeWindow = info.targetTimeWindow
        shipment.remainingStopCount = info.remainingStopCount
        shipment.estimatedCompletion = info.estimatedCompletion
        self.shipment = shipment
        (dropoff, dropoffTime) = (info.plannedLocation, info.estimatedArrival)
        (etaToFirstWaypoint, remainingDistance) = (info.estimatedArrival, info.remainingDistance)
        if info.estimatedArrival != nil || info.remainingDistance != nil || info.route != nil {
            var stop = Waypoint(coordinate: info.plannedLocation, tripID: id, kind: .dropoff)
            (stop.eta, stop.distance) = (info.estimatedArrival, info.remainingDistance)
            remainingWaypoints = [stop]
        }
        (lastLocation, route) = (info.vehicleLocation, info.route)
        attributes = info.attributes
        (unknownFields, unreadable, omitted) = (info.unknownFields, info.unreadable, info.omitted)
    }

    /// The values that are not shown to the recipient of an open shipment; empty for a trip, and after the end.
    package var hidden: Set<HiddenValue> {
        guard let shipment, shipment.state == .open, shipment.outcome == nil else { return [] }
        let values: [(HiddenValue, Bool)] = [
            (.vehicleLocation, lastLocation == nil), (.route, route == nil && !isAtOwnStop),
            (.remainingStopCount, shipment.remainingStopCount == nil),
            (.remainingDistance, remainingDistance == nil), (.estimatedArrival, etaToFirstWaypoint == nil),
            (.estimatedCompletion, shipment.estimatedCompletion == nil),
        ]
        return Set(values.filter(\.1).map(\.0))
    }
}

extension Trip {
    /// Whether nothing follows: a trip has ended, or the task of a shipment was closed with success.
    ///
    /// While the task is open, another one with the same tracking ID may follow, such as the delivery after the pickup.
    package var isOver: Bool { status.isTerminal && shipment?.state != .open }

    /// Whether the vehicle with an open shipment is at its stop, as far as the service shows it.
    ///
    /// It shows no state of a stop; there is no way left to the next one.
    package var isAtOwnStop: Bool {
        status == .open && shipment?.remainingStopCount == 1 && (remainingDistance?.meters).map { $0 < 1 } ?? false
    }

    /// Whether the service shows anything of a vehicle that has an open shipment on its tour.
    package var isOnTour: Bool { status == .open && hidden.count < HiddenValue.allCases.count }
}

extension TaskTrackingInfo {
    /// Creates what the recipient sees from the journey of a shipment; `nil` for a trip.
    package init?(_ journey: Trip) {
        guard let trackingID = journey.id.tracking, let shipment = journey.shipment else { return nil }
        self.init(trackingID: trackingID, provider: journey.provider, state: shipment.state)
        (plannedLocation, targetTimeWindow) = (journey.dropoff, shipment.targetTimeWindow)
        (outcome, outcomeTime) = (shipment.outcome, shipment.outcomeTime)
        attributes = journey.attributes
        (vehicleLocation, route) = (journey.lastLocation, journey.route)
        (remainingStopCount, remainingDistance) = (shipment.remainingStopCount, journey.remainingDistance)
        (estimatedArrival, estimatedCompletion) = (journey.etaToFirstWaypoint, shipment.estimatedCompletion)
        (unknownFields, unreadable, omitted) = (journey.unknownFields, journey.unreadable, journey.omitted)
    }
}
