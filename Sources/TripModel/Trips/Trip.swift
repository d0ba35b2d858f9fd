package import Foundation

/// A trip as returned by GetTrip.
///
/// Absent values are `nil` or empty lists. The service omits values that are unknown, unchanged since the requested versions,
/// or no longer valid. `TripState` in `TripFeed` distinguishes these cases.
package struct Trip: Sendable, Equatable {
    /// The ID.
    package var id: TripID
    /// The project that owns it.
    package var provider: ProviderID
    /// The status.
    package var status: TripStatus
    /// Whether the rider shares the vehicle; `nil` if unknown.
    package var type: TripType?
    /// The assigned vehicle; `nil` before the assignment.
    package var vehicleID: VehicleID?
    /// The number of riders, without the driver.
    package var passengers: Int?

    /// The requested pickup.
    package var pickup: Coordinate?
    /// The requested drop-off.
    package var dropoff: Coordinate?
    /// The intermediate stops in order.
    package var intermediateDestinations: [Coordinate] = []
    /// The index of the stop that the vehicle is driving to or waiting at; 0 if unspecified.
    package var intermediateDestinationIndex = 0
    /// The version of the list of stops.
    package var intermediateDestinationsVersion: Version?

    /// The expected or actual pickup time.
    package var pickupTime: Date?
    /// The expected or actual drop-off time.
    package var dropoffTime: Date?
    /// The place and time of the actual pickup.
    package var actualPickup: StopLocation?
    /// The place and time of the actual drop-off.
    package var actualDropoff: StopLocation?
    /// The place and time of the arrival at the pickup, as reported by the driver.
    package var actualPickupArrival: StopLocation?
    /// The places and times of the arrivals at intermediate stops, as reported by the driver.
    package var actualStopArrivals: [StopLocation] = []
    /// The places and times of the departures from intermediate stops.
    package var actualStops: [StopLocation] = []
    /// The provider's attributes.
    package var attributes: [Attribute] = []

    /// The ETA at the first remaining waypoint; it may be in the past, and the waypoint may belong to another trip.
    package var etaToFirstWaypoint: Date?
    /// ``etaToFirstWaypoint`` minus the service's time of the answer.
    package var remainingTime: Duration?
    /// The distance to the first remaining waypoint.
    package var remainingDistance: Distance?
    /// The remaining waypoints up to this trip's drop-off, including the waypoints of other trips.
    package var remainingWaypoints: [Waypoint] = []
    /// The version of that list.
    package var remainingWaypointsVersion: Version?
    /// The version of the paths in that list.
    package var remainingWaypointsRouteVersion: Version?
    /// All remaining waypoints of the vehicle; sent only to clients that create and update trips, never to riders.
    package var vehicleWaypoints: [Waypoint] = []

    /// The path to the first remaining waypoint.
    package var route: Route?
    /// The version of that path.
    package var routeVersion: Version?
    /// The waypoint at the end of that path.
    package var routeEnd: Waypoint?
    /// The traffic along that path.
    package var traffic: Traffic?
    /// The version of that traffic.
    package var trafficVersion: Version?

    /// The last known position of the vehicle.
    package var lastLocation: VehicleLocation?
    /// Whether that position can be snapped to the route.
    package var lastLocationSnappable = false
    /// The view of the answer, by its API name.
    package var view: String?
    /// The unknown fields of the answer, sorted by name; untrusted text.
    package var unknownFields: [UnknownField] = []
    /// The values that could not be read, so that they count as missing, by their paths; untrusted text.
    package var unreadable: [UnknownField] = []

    /// The list elements that exceeded the decoding limits.
    package var omitted: [OmittedElements] = []
}

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

    /// In a set of absent fields: a status that was skipped was missed by the polls, because the played log has all of them.
    package static let missedStatuses = TripField.tripStatus
}
