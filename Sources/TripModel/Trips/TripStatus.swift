/// The status of a trip or a shipment.
///
/// The provider or the driver app sets it; the service never changes it on its own. That of a shipment combines the state and
/// the outcome of its task: an outcome counts as soon as it is known, although the task is closed later.
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
    /// The task of the shipment is to be done.
    case open
    /// The shipment was delivered or picked up; terminal.
    case succeeded
    /// The attempt failed, or the shipment was canceled; another attempt may follow.
    case failed
    /// The task was closed without an outcome; another one may follow, for example because of a new place.
    case closed
    /// An unknown or missing status (`UNKNOWN_TRIP_STATUS`), as spelled by the service.
    case unrecognized(String)

    /// The known statuses of a shipment.
    package static let ofShipments: [TripStatus] = [.open, .succeeded, .failed, .closed]

    /// The known statuses of a trip, in the order of one with stops.
    package static let known: [TripStatus] = [
        .new, .enrouteToPickup, .arrivedAtPickup, .enrouteToIntermediateDestination,
        .arrivedAtIntermediateDestination, .enrouteToDropoff, .complete, .canceled,
    ]

    /// Creates the status of a trip or a shipment from its name, such as `ENROUTE_TO_PICKUP` or `OPEN`.
    package init(name: String) {
        self = (Self.known + Self.ofShipments).first { $0.name == name } ?? .unrecognized(name.boundedName)
    }

    /// Creates the status of a trip from its API name.
    package init(ofTrip name: String) {
        self = Self.known.first { $0.name == name } ?? .unrecognized(name.boundedName)
    }

    /// Creates the status of a shipment from the state and the outcome of its task.
    package init(_ state: DeliveryTask.State, _ outcome: DeliveryTask.Outcome?) {
        self =
            switch (outcome, state) {
            case (.succeeded, _): .succeeded
            case (.failed, _): .failed
            case (.unrecognized(let name), _): .unrecognized(name)
            case (nil, .open): .open
            case (nil, .closed): .closed
            case (nil, .unrecognized(let name)): .unrecognized(name)
            }
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
        case .open: "OPEN"
        case .succeeded: "SUCCEEDED"
        case .failed: "FAILED"
        case .closed: "CLOSED"
        case .unrecognized(let name): name
        }
    }

    /// Whether the status is final: COMPLETE or CANCELED of a trip, SUCCEEDED of a shipment.
    package var isTerminal: Bool { self == .complete || self == .canceled || self == .succeeded }

    /// The progress of a trip or a shipment for comparisons; `nil` for an unknown status, and for one that says nothing about
    /// it.
    ///
    /// Both statuses of a stop have the same rank, because a trip with several stops alternates between them.
    package var rank: Int? {
        switch self {
        case .new, .open: 0
        case .enrouteToPickup: 1
        case .arrivedAtPickup: 2
        case .enrouteToIntermediateDestination, .arrivedAtIntermediateDestination: 3
        case .enrouteToDropoff: 4
        case .complete, .canceled, .succeeded: 5
        case .failed, .closed, .unrecognized: nil
        }
    }

    /// Returns whether a trip with this status has or had another status; polls may miss short statuses.
    ///
    /// A canceled trip, or one in an unknown status, has passed no other status.
    package func hasReached(_ other: TripStatus) -> Bool {
        if self == other { return true }
        guard Self.ofShipments.contains(self) == Self.ofShipments.contains(other) else { return false }
        guard self != .canceled, other != .canceled, let rank, let goal = other.rank else { return false }
        return rank > goal
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
