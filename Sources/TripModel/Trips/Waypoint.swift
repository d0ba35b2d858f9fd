package import Foundation

/// A place where the vehicle must stop, for this trip or for another one.
package struct Waypoint: Sendable, Equatable {
    /// The purpose of a waypoint.
    package enum Kind: Sendable, Hashable {
        /// A rider gets in.
        case pickup
        /// A rider gets out.
        case dropoff
        /// An intermediate stop.
        case intermediateDestination
        /// An unknown or missing kind, as spelled by the service.
        case unrecognized(String)

        /// Creates a kind from its API name, such as `DROP_OFF_WAYPOINT_TYPE`.
        package init(name: String) {
            switch name {
            case "PICKUP_WAYPOINT_TYPE": self = .pickup
            case "DROP_OFF_WAYPOINT_TYPE": self = .dropoff
            case "INTERMEDIATE_DESTINATION_WAYPOINT_TYPE": self = .intermediateDestination
            default: self = .unrecognized(name.boundedName)
            }
        }

        /// The API name.
        package var name: String {
            switch self {
            case .pickup: "PICKUP_WAYPOINT_TYPE"
            case .dropoff: "DROP_OFF_WAYPOINT_TYPE"
            case .intermediateDestination: "INTERMEDIATE_DESTINATION_WAYPOINT_TYPE"
            case .unrecognized(let name): name
            }
        }
    }

    /// The coordinate.
    ///
    /// The server rounds it to 7 decimals, so it may differ slightly from the trip's own points.
    package var coordinate: Coordinate?
    /// The trip of the waypoint; `nil` if unknown.
    package var tripID: TripID?
    /// The purpose.
    package var kind: Kind
    /// The path from the previous waypoint; for the first waypoint from the vehicle, in some views only.
    package var path: [Coordinate]?
    /// The length of that path.
    package var distance: Distance?
    /// The ETA.
    package var eta: Date?
    /// The travel time from the previous waypoint.
    package var duration: Duration?
    /// The traffic on that path.
    package var traffic: Traffic?
}

/// The place and time of an event.
package struct StopLocation: Sendable, Equatable {
    /// The place.
    package var coordinate: Coordinate
    /// The time; `nil` if unknown.
    package var time: Date?
}

extension Waypoint {
    /// Whether it is a stop of a trip, or may be one.
    package func belongs(to trip: TripID?) -> Bool { tripID == nil || tripID == trip }
}
