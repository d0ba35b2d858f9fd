/// Where a trip is in its life.
///
/// The provider or the driver's app sets it; the service never advances it by itself.
///
/// Any order may be seen: between two polls any number of steps may pass (reference, section 3.1).
package enum TripStatus: Sendable, Hashable {
    /// Just created; trackable as soon as a vehicle is assigned.
    case new
    /// Driving to the pickup.
    case enrouteToPickup
    /// Standing at the pickup.
    case arrivedAtPickup
    /// Standing at a stop, waiting for the rider.
    case arrivedAtIntermediateDestination
    /// Driving to a stop that is not the drop-off.
    case enrouteToIntermediateDestination
    /// Rider aboard, driving to the drop-off.
    case enrouteToDropoff
    /// Rider dropped off; terminal.
    case complete
    /// Cancelled; terminal.
    case canceled
    /// A status that this program does not know, or none at all (`UNKNOWN_TRIP_STATUS`); kept as the service spelt it.
    case unrecognized(String)

    /// The known statuses, in the order of a trip with stops.
    package static let known: [TripStatus] = [
        .new, .enrouteToPickup, .arrivedAtPickup, .enrouteToIntermediateDestination,
        .arrivedAtIntermediateDestination, .enrouteToDropoff, .complete, .canceled,
    ]

    /// The status of a name of the API, such as `ENROUTE_TO_PICKUP`.
    package init(name: String) {
        self = Self.known.first { $0.name == name } ?? .unrecognized(name.boundedName)
    }

    /// The name that the API gives it.
    package var name: String {
        switch self {
        case .new: "NEW"
        case .enrouteToPickup: "ENROUTE_TO_PICKUP"
        case .arrivedAtPickup: "ARRIVED_AT_PICKUP"
        case .arrivedAtIntermediateDestination: "ARRIVED_AT_INTERMEDIATE_DESTINATION"
        case .enrouteToIntermediateDestination: "ENROUTE_TO_INTERMEDIATE_DESTINATION"
        case .enrouteToDropoff: "ENROUTE_TO_DROPOFF"
        case .complete: "COMPLETE"
        case .canceled: "CANCELED"
        case .unrecognized(let name): name
        }
    }

    /// Whether nothing can follow: COMPLETE or CANCELED.
    package var isTerminal: Bool { self == .complete || self == .canceled }

    /// How far along a trip is, to compare two statuses; `nil` where the status is not known.
    ///
    /// Both statuses of a stop share a rank, as a trip with several stops goes back and forth between them.
    package var rank: Int? {
        switch self {
        case .new: 0
        case .enrouteToPickup: 1
        case .arrivedAtPickup: 2
        case .enrouteToIntermediateDestination, .arrivedAtIntermediateDestination: 3
        case .enrouteToDropoff: 4
        case .complete, .canceled: 5
        case .unrecognized: nil
        }
    }
}

/// Whether a rider has the vehicle alone.
package enum TripType: Sendable, Hashable {
    /// May share the vehicle with other trips.
    case shared
    /// Has the vehicle alone.
    case exclusive
    /// Another type, or none, as the service spelt it.
    case unrecognized(String)

    /// The type of a name of the API.
    package init(name: String) {
        switch name {
        case "SHARED": self = .shared
        case "EXCLUSIVE": self = .exclusive
        default: self = .unrecognized(name.boundedName)
        }
    }

    /// The name that the API gives it.
    package var name: String {
        switch self {
        case .shared: "SHARED"
        case .exclusive: "EXCLUSIVE"
        case .unrecognized(let name): name
        }
    }
}
