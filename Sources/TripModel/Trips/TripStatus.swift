/// The status of a trip.
///
/// The provider or the driver app sets it; the service never changes it on its own.
///
/// Clients may observe any sequence, because several changes may happen between two polls.
package enum TripStatus: Sendable, Hashable {
    /// Created; trackable as soon as a vehicle is assigned.
    case new
    /// The vehicle is driving to the pickup.
    case enrouteToPickup
    /// The vehicle is waiting at the pickup.
    case arrivedAtPickup
    /// The vehicle is waiting for the rider at an intermediate stop.
    case arrivedAtIntermediateDestination
    /// The vehicle is driving to an intermediate stop.
    case enrouteToIntermediateDestination
    /// The rider is on board and the vehicle is driving to the drop-off.
    case enrouteToDropoff
    /// The rider was dropped off; terminal.
    case complete
    /// The trip was canceled; terminal.
    case canceled
    /// An unknown or missing status (`UNKNOWN_TRIP_STATUS`), as spelled by the service.
    case unrecognized(String)

    /// The known statuses, in the order of a trip with stops.
    package static let known: [TripStatus] = [
        .new, .enrouteToPickup, .arrivedAtPickup, .enrouteToIntermediateDestination,
        .arrivedAtIntermediateDestination, .enrouteToDropoff, .complete, .canceled,
    ]

    /// Creates a status from its API name, such as `ENROUTE_TO_PICKUP`.
    package init(name: String) {
        self = Self.known.first { $0.name == name } ?? .unrecognized(name.boundedName)
    }

    /// The API name.
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

    /// Whether the status is final: COMPLETE or CANCELED.
    package var isTerminal: Bool { self == .complete || self == .canceled }

    /// Whether the vehicle is driving to one of the trip's stops.
    package var isUnderWay: Bool {
        switch self {
        case .enrouteToPickup, .enrouteToIntermediateDestination, .enrouteToDropoff: true
        case .new, .arrivedAtPickup, .arrivedAtIntermediateDestination, .complete, .canceled, .unrecognized: false
        }
    }

    /// The progress of a trip for comparisons; `nil` for an unknown status.
    ///
    /// Both statuses of a stop have the same rank, because a trip with several stops alternates between them.
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

/// Whether a rider shares the vehicle.
package enum TripType: Sendable, Hashable {
    /// The vehicle may be shared with other trips.
    case shared
    /// The vehicle is not shared.
    case exclusive
    /// An unknown or missing type, as spelled by the service.
    case unrecognized(String)

    /// Creates a type from its API name.
    package init(name: String) {
        switch name {
        case "SHARED": self = .shared
        case "EXCLUSIVE": self = .exclusive
        default: self = .unrecognized(name.boundedName)
        }
    }

    /// The API name.
    package var name: String {
        switch self {
        case .shared: "SHARED"
        case .exclusive: "EXCLUSIVE"
        case .unrecognized(let name): name
        }
    }
}
