package import Foundation

/// A vehicle as returned by Fleet Engine.
package struct Vehicle: Sendable, Equatable {
    /// Whether the vehicle accepts trips.
    package enum State: Sendable, Hashable {
        /// It accepts no new trips; it may still finish one.
        case offline
        /// It accepts new trips.
        case online
        /// An unknown or missing state, as spelled by the service.
        case unrecognized(String)

        /// Creates a state from its API name.
        package init(name: String) {
            switch name {
            case "OFFLINE": self = .offline
            case "ONLINE": self = .online
            default: self = .unrecognized(name.boundedName)
            }
        }

        /// The API name.
        package var name: String {
            switch self {
            case .offline: "OFFLINE"
            case .online: "ONLINE"
            case .unrecognized(let name): name
            }
        }
    }

    /// The ID.
    package var id: VehicleID
    /// The project that owns it.
    package var provider: ProviderID
    /// Whether it accepts trips.
    package var state: State
    /// The supported trip types.
    package var supportedTripTypes: [TripType] = []
    /// The assigned trips.
    package var currentTrips: [TripID] = []
    /// The number of seats for riders.
    package var maximumCapacity: Int?
    /// The category of the vehicle type, by its API name, such as `AUTO`.
    package var category: String?
    /// Whether it accepts another trip during a trip.
    package var backToBackEnabled = false
    /// The last known position.
    package var lastLocation: VehicleLocation?
    /// The remaining waypoints.
    package var waypoints: [Waypoint] = []
    /// The version of that list.
    package var waypointsVersion: Version?
    /// The distance to the next waypoint.
    package var remainingDistance: Distance?
    /// The ETA at the next waypoint.
    package var etaToFirstWaypoint: Date?
    /// The path to the next waypoint.
    package var route: Route?
    /// The version of that path.
    package var routeVersion: Version?
    /// The waypoint at the end of that path.
    package var routeEnd: Waypoint?
    /// The provider's attributes, at most 100.
    package var attributes: [Attribute] = []
    /// The license plate.
    package var licensePlate: LicensePlate?
    /// The navigation status, by its API name, such as `ENROUTE_TO_DESTINATION`.
    package var navigationStatus: String?
    /// The settings of the driver's phone; reported by the driver's app, absent in the service's answers.
    package var deviceSettings: DeviceSettings?
    /// The positions in the order of their measurement; reported by the driver's app, absent in the service's answers.
    package var pastLocations: [VehicleLocation] = []
}
