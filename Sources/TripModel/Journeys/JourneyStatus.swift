/// The status of a journey: the status of a trip or of a shipment.
package enum JourneyStatus: Sendable, Hashable {
    /// The status of a trip.
    case trip(TripStatus)
    /// The status of a shipment.
    case shipment(ShipmentStatus)

    /// The known statuses of trips, then the statuses of shipments; their names differ.
    package static let known = TripStatus.known.map(Self.trip) + ShipmentStatus.known.map(Self.shipment)

    /// Creates a known status from its name, such as `ENROUTE_TO_PICKUP` or `OPEN`; `nil` for any other name.
    package init?(known name: String) {
        guard let status = Self.known.first(where: { $0.name == name }) else { return nil }
        self = status
    }

    /// Creates the status of a journey of a kind from its name.
    package init(_ kind: JourneyKind, name: String) {
        switch kind {
        case .trip: self = .trip(TripStatus(name: name))
        case .shipment: self = .shipment(ShipmentStatus(name: name))
        }
    }

    /// The status of the trip; `nil` for a shipment.
    package var trip: TripStatus? { if case .trip(let status) = self { status } else { nil } }

    /// The service's spelling of an unknown status; `nil` for a known one.
    package var unknownName: String? {
        switch self {
        case .trip(.unrecognized(let name)), .shipment(.unrecognized(let name)): name
        case .trip, .shipment: nil
        }
    }

    /// The API name.
    package var name: String {
        switch self {
        case .trip(let status): status.name
        case .shipment(let status): status.name
        }
    }

    /// Whether the status is final: COMPLETE or CANCELED of a trip, SUCCEEDED of a shipment.
    package var isTerminal: Bool {
        switch self {
        case .trip(let status): status.isTerminal
        case .shipment(let status): status.isTerminal
        }
    }

    /// The progress of a journey for comparisons; `nil` for a status that says nothing about it.
    package var rank: Int? {
        switch self {
        case .trip(let status): status.rank
        case .shipment(let status): status.rank
        }
    }

    /// Returns whether a journey with this status has or had another status; polls may miss short statuses.
    ///
    /// A canceled trip, or one in an unknown status, has passed no other status; a trip never had the status of a shipment.
    package func hasReached(_ other: JourneyStatus) -> Bool {
        if self == other { return true }
        guard (trip == nil) == (other.trip == nil), self != .trip(.canceled), other != .trip(.canceled) else {
            return false
        }
        guard let rank, let goal = other.rank else { return false }
        return rank > goal
    }
}
