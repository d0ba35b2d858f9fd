package import Foundation

/// A place where the vehicle has to stop, for this trip or for another one.
package struct Waypoint: Sendable, Equatable {
    /// What happens at a waypoint.
    package enum Kind: Sendable, Hashable {
        /// A rider gets in.
        case pickup
        /// A rider gets out.
        case dropoff
        /// A stop on the way.
        case intermediateDestination
        /// Another kind, or none, as the service spelt it.
        case unrecognized(String)

        /// The kind of a name of the API, such as `DROP_OFF_WAYPOINT_TYPE`.
        package init(name: String) {
            switch name {
            case "PICKUP_WAYPOINT_TYPE": self = .pickup
            case "DROP_OFF_WAYPOINT_TYPE": self = .dropoff
            case "INTERMEDIATE_DESTINATION_WAYPOINT_TYPE": self = .intermediateDestination
            default: self = .unrecognized(name.boundedName)
            }
        }

        /// The name that the API gives it.
        package var name: String {
            switch self {
            case .pickup: "PICKUP_WAYPOINT_TYPE"
            case .dropoff: "DROP_OFF_WAYPOINT_TYPE"
            case .intermediateDestination: "INTERMEDIATE_DESTINATION_WAYPOINT_TYPE"
            case .unrecognized(let name): name
            }
        }
    }

    /// Where it is.
    ///
    /// Rounded by the server to 7 decimals, so never equal to the trip's own points to the last digit.
    package var coordinate: Coordinate?
    /// Whose waypoint it is; `nil` where the service did not say.
    package var tripID: TripID?
    /// What happens there.
    package var kind: Kind
    /// The path from the waypoint before it; for the first one from the vehicle, in some views only.
    package var path: [Coordinate]?
    /// The length of that path.
    package var distance: Distance?
    /// When the vehicle is expected.
    package var eta: Date?
    /// The travel time from the waypoint before it.
    package var duration: Duration?
    /// The traffic on that path.
    package var traffic: Traffic?

    /// A waypoint of which so far only the place, the owner and the kind are known.
    package init(coordinate: Coordinate?, tripID: TripID?, kind: Kind) {
        self.coordinate = coordinate
        self.tripID = tripID
        self.kind = kind
    }
}

/// A place where something happened, and when.
package struct StopLocation: Sendable, Equatable {
    /// Where.
    package var coordinate: Coordinate
    /// When; `nil` where the service did not say.
    package var time: Date?

    /// A place and a time.
    package init(coordinate: Coordinate, time: Date?) {
        self.coordinate = coordinate
        self.time = time
    }
}

extension Waypoint {
    /// Whether it is a stop of a trip, or may be one.
    package func belongs(to trip: TripID) -> Bool { tripID == nil || tripID == trip }
}
