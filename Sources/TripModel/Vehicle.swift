package import Foundation

/// A vehicle, as Fleet Engine tells of it.
package struct Vehicle: Sendable, Equatable {
    /// Whether it takes trips.
    package enum State: Sendable, Hashable {
        /// Takes no new trips; may still finish one.
        case offline
        /// Takes new trips.
        case online
        /// Another state, or none, as the service spelt it.
        case unrecognized(String)

        /// The state of a name of the API.
        package init(name: String) {
            switch name {
            case "OFFLINE": self = .offline
            case "ONLINE": self = .online
            default: self = .unrecognized(name.boundedName)
            }
        }

        /// The name that the API gives it.
        package var name: String {
            switch self {
            case .offline: "OFFLINE"
            case .online: "ONLINE"
            case .unrecognized(let name): name
            }
        }
    }

    /// The bare ID.
    package var id: VehicleID
    /// The project that owns it.
    package var provider: ProviderID
    /// Whether it takes trips.
    package var state: State
    /// The kinds of trip that it takes.
    package var supportedTripTypes: [TripType] = []
    /// The trips assigned now.
    package var currentTrips: [TripID] = []
    /// Seats for riders.
    package var maximumCapacity: Int?
    /// The category of the vehicle's type, as the API names it, such as `AUTO`.
    package var category: String?
    /// Whether it accepts a further trip while on one.
    package var backToBackEnabled = false
    /// Where it was last seen.
    package var lastLocation: VehicleLocation?
    /// What it has still to visit.
    package var waypoints: [Waypoint] = []
    /// When that list last changed.
    package var waypointsVersion: Version?
    /// The way to the next waypoint.
    package var remainingDistance: Distance?
    /// When it reaches the next waypoint.
    package var etaToFirstWaypoint: Date?
    /// The path to the next waypoint.
    package var route: Route?
    /// When that path was set.
    package var routeVersion: Version?
    /// The waypoint at which that path ends.
    package var routeEnd: Waypoint?
    /// The provider's own keys and values, at most 100.
    package var attributes: [Attribute] = []
    /// The licence plate.
    package var licensePlate: LicensePlate?
    /// The navigation's state, as the API names it, such as `ENROUTE_TO_DESTINATION`.
    package var navigationStatus: String?

    /// A vehicle of which so far only the name and the state are known.
    package init(id: VehicleID, provider: ProviderID, state: State) {
        self.id = id
        self.provider = provider
        self.state = state
    }
}
