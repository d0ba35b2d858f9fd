package import Foundation

/// A ride, as Fleet Engine tells of it: one answer to GetTrip.
///
/// Absence is `nil` (or an empty list): the service leaves out what is not known, not changed since the versions that the
/// request named, or no longer true. `TripState` in `TripFeed` tells these three apart.
package struct Trip: Sendable, Equatable {
    /// The bare ID.
    package var id: TripID
    /// The project that owns it.
    package var provider: ProviderID
    /// Where it is in its life.
    package var status: TripStatus
    /// Whether the rider has the vehicle alone; `nil` where the service did not say.
    package var type: TripType?
    /// The vehicle that serves it, once there is one.
    package var vehicleID: VehicleID?
    /// Riders, the driver excluded.
    package var passengers: Int?

    /// Where the rider asked to be picked up.
    package var pickup: Coordinate?
    /// Where the rider asked to go.
    package var dropoff: Coordinate?
    /// Stops on the way, in order.
    package var intermediateDestinations: [Coordinate] = []
    /// The stop that the vehicle drives to or stands at; 0 also where the service said nothing.
    package var intermediateDestinationIndex = 0
    /// When the list of stops was last changed.
    package var intermediateDestinationsVersion: Version?

    /// When the rider will be picked up, or was.
    package var pickupTime: Date?
    /// When the rider will be dropped off, or was.
    package var dropoffTime: Date?
    /// Where and when the rider was picked up.
    package var actualPickup: StopLocation?
    /// Where and when the rider was dropped off.
    package var actualDropoff: StopLocation?
    /// Where and when the driver says that the vehicle came to the pickup.
    package var actualPickupArrival: StopLocation?
    /// The same for the stops.
    package var actualStopArrivals: [StopLocation] = []
    /// Where and when the vehicle went on from the stops.
    package var actualStops: [StopLocation] = []
    /// The provider's own keys and values.
    package var attributes: [Attribute] = []

    /// When the vehicle reaches the first remaining waypoint; may lie in the past, and may be another trip's waypoint.
    package var etaToFirstWaypoint: Date?
    /// That time less the service's time of the answer.
    package var remainingTime: Duration?
    /// The way to the first remaining waypoint.
    package var remainingDistance: Distance?
    /// What the vehicle has still to visit up to this trip's drop-off, other trips' waypoints included.
    package var remainingWaypoints: [Waypoint] = []
    /// When that list last changed.
    package var remainingWaypointsVersion: Version?
    /// When the paths within that list last changed.
    package var remainingWaypointsRouteVersion: Version?
    /// All that the vehicle has still to visit; told to whoever creates and updates trips, never to riders.
    package var vehicleWaypoints: [Waypoint] = []

    /// The path to the first remaining waypoint.
    package var route: Route?
    /// When that path last changed.
    package var routeVersion: Version?
    /// The waypoint at which that path ends.
    package var routeEnd: Waypoint?
    /// The traffic along that path.
    package var traffic: Traffic?
    /// When that traffic last changed.
    package var trafficVersion: Version?

    /// Where the vehicle was last seen.
    package var lastLocation: VehicleLocation?
    /// Whether that position can be moved on to the route.
    package var lastLocationSnappable = false
    /// The view that filled the answer, as the API names it.
    package var view: String?
    /// What the answer held beside the fields that the API is known to have, in the order of the names; outside text.
    package var unknownFields: [UnknownField] = []

    /// What was left out of its lists, as it was too much to decode.
    package var omitted: [OmittedElements] = []

    /// A trip of which so far only the name and the status are known.
    package init(id: TripID, provider: ProviderID, status: TripStatus) {
        self.id = id
        self.provider = provider
        self.status = status
    }
}
