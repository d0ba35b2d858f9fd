/// A field of a trip that can change, with the granularity of Google's SDKs (`GMTSTripPropertyFields`).
package enum TripField: String, Sendable, Hashable, CaseIterable {
    case vehicleId, tripType, tripStatus
    case pickupPoint, pickupTime, dropoffPoint, dropoffTime
    case lastLocation, numberOfPassengers
    case remainingWaypoints, intermediateDestinations, intermediateDestinationIndex
    case etaToFirstWaypoint, remainingDistanceMeters
    case route, traffic, waypointRoutes
    case actualPickupPoint, actualDropoffPoint
    /// The promise to the recipient of a shipment.
    case targetTimeWindow
    case attributes
}

extension TripField {
    /// In a set of absent fields: a status that was skipped was missed by the polls, because the played log has all of them.
    package static let missedStatuses = TripField.tripStatus
}
