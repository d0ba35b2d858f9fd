package import Foundation

/// What a client follows: a trip, or a shipment as its recipient sees it.
///
/// The properties of this type are what both have, in the same terms. What only one has is in ``trip`` or ``shipment``.
///
/// For a shipment, the service shows no other stops, and measures the route, the distance and the ETA up to its stop. That stop is
/// the only waypoint and the drop-off. Both are stored indirectly, because a trip has more than a kilobyte and each poll copies
/// it several times.
package indirect enum Journey: Sendable, Equatable {
    /// A trip as returned by GetTrip or SearchTrips.
    case trip(Trip)
    /// A shipment as returned by GetTaskTrackingInfo.
    case shipment(TaskTrackingInfo)

    /// The trip; `nil` for a shipment.
    package var trip: Trip? { if case .trip(let trip) = self { trip } else { nil } }

    /// The shipment; `nil` for a trip.
    package var shipment: TaskTrackingInfo? { if case .shipment(let info) = self { info } else { nil } }

    /// The ID.
    package var id: JourneyID {
        switch self {
        case .trip(let trip): .trip(trip.id)
        case .shipment(let info): .shipment(info.trackingID)
        }
    }

    /// The project that owns it.
    package var provider: ProviderID {
        switch self {
        case .trip(let trip): trip.provider
        case .shipment(let info): info.provider
        }
    }

    /// The status.
    package var status: JourneyStatus {
        switch self {
        case .trip(let trip): .trip(trip.status)
        case .shipment(let info): .shipment(info.status)
        }
    }

    /// The requested drop-off, or the place of the recipient.
    package var dropoff: Coordinate? {
        switch self {
        case .trip(let trip): trip.dropoff
        case .shipment(let info): info.plannedLocation
        }
    }

    /// The expected or actual drop-off time, or the ETA at the recipient.
    package var dropoffTime: Date? {
        switch self {
        case .trip(let trip): trip.dropoffTime
        case .shipment(let info): info.estimatedArrival
        }
    }

    /// The ETA at the first remaining waypoint.
    package var etaToFirstWaypoint: Date? {
        switch self {
        case .trip(let trip): trip.etaToFirstWaypoint
        case .shipment(let info): info.estimatedArrival
        }
    }

    /// The distance to the first remaining waypoint.
    package var remainingDistance: Distance? {
        switch self {
        case .trip(let trip): trip.remainingDistance
        case .shipment(let info): info.remainingDistance
        }
    }

    /// The remaining waypoints; of a shipment its own stop, if anything of the way to it is shown.
    package var remainingWaypoints: [Waypoint] {
        switch self {
        case .trip(let trip): trip.remainingWaypoints
        case .shipment(let info): info.stop.map { [$0] } ?? []
        }
    }

    /// The path to the first remaining waypoint.
    package var route: Route? {
        switch self {
        case .trip(let trip): trip.route
        case .shipment(let info): info.route
        }
    }

    /// The last known position of the vehicle.
    package var lastLocation: VehicleLocation? {
        switch self {
        case .trip(let trip): trip.lastLocation
        case .shipment(let info): info.vehicleLocation
        }
    }

    /// The provider's attributes.
    package var attributes: [Attribute] {
        switch self {
        case .trip(let trip): trip.attributes
        case .shipment(let info): info.attributes
        }
    }

    /// The unknown fields of the answer, sorted by name; untrusted text.
    package var unknownFields: [UnknownField] {
        switch self {
        case .trip(let trip): trip.unknownFields
        case .shipment(let info): info.unknownFields
        }
    }

    /// The values that could not be read, so that they count as missing, by their paths; untrusted text.
    package var unreadable: [UnknownField] {
        switch self {
        case .trip(let trip): trip.unreadable
        case .shipment(let info): info.unreadable
        }
    }

    /// The list elements that exceeded the decoding limits.
    package var omitted: [OmittedElements] {
        switch self {
        case .trip(let trip): trip.omitted
        case .shipment(let info): info.omitted
        }
    }

    /// Whether nothing follows: a trip has ended, or the task of a shipment was closed with success.
    ///
    /// While the task is open, another one with the same tracking ID may follow, such as the delivery after the pickup.
    package var isOver: Bool { status.isTerminal && shipment?.state != .open }
}
