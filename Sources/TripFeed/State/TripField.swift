/// A part of a trip that can change: the fields that Google's SDKs tell apart (`GMTSTripPropertyFields`).
package enum TripField: String, Sendable, Hashable, CaseIterable {
    case vehicleId, tripType, tripStatus
    case pickupPoint, pickupTime, dropoffPoint, dropoffTime
    case lastLocation, numberOfPassengers
    case remainingWaypoints, intermediateDestinations, intermediateDestinationIndex
    case etaToFirstWaypoint, remainingDistanceMeters
    case route, traffic, waypointRoutes
    case actualPickupPoint, actualDropoffPoint
}
