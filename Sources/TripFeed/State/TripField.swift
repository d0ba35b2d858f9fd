/// A field of a trip that can change, with the granularity of Google's SDKs (`GMTSTripPropertyFields`).
package enum TripField: String, Sendable, Hashable, CaseIterable {
    case vehicleId, tripType, tripStatus
    case pickupPoint, pickupTime, dropoffPoint, dropoffTime
    case lastLocation, numberOfPassengers
    case remainingWaypoints, intermediateDestinations, intermediateDestinationIndex
    case etaToFirstWaypoint, remainingDistanceMeters
    case route, traffic, waypointRoutes
    case actualPickupPoint, actualDropoffPoint
}
