package import Canvas
package import TripFeed
import TripModel

/// What a trip's status means, in words.
package struct StatusWords: Sendable, Equatable {
    /// One sentence without a full stop, harmless already.
    package var text: String
    /// How it is meant.
    package var role: Role

    /// The words for all that is known of a trip.
    package init(_ state: TripState) {
        guard let trip = state.trip else {
            (text, role) = ("Nothing is known of this trip yet", .secondary)
            return
        }
        let foreign = state.foreignWaypointsAhead
        switch trip.status {
        case .new where trip.vehicleID == nil: (text, role) = ("Waiting for a driver", .accent)
        case .new: (text, role) = ("A driver is assigned, not on the way yet", .accent)
        case .enrouteToPickup where foreign > 0:
            (text, role) = ("Driver serves another rider first, \(Self.stops(foreign)) before yours", .accent)
        case .enrouteToPickup: (text, role) = ("Driver is on the way to the pickup", .accent)
        case .arrivedAtPickup: (text, role) = ("Driver is at the pickup", .positive)
        case .enrouteToIntermediateDestination:
            (text, role) = ("On the way to \(Self.stop(of: trip))\(Self.detour(foreign))", .accent)
        case .arrivedAtIntermediateDestination: (text, role) = ("Waiting at \(Self.stop(of: trip))", .positive)
        case .enrouteToDropoff: (text, role) = ("On the way to the drop-off\(Self.detour(foreign))", .accent)
        case .complete: (text, role) = ("Trip complete, the rider is dropped off", .positive)
        case .canceled: (text, role) = ("Trip canceled", .warning)
        case .unrecognized(let name):
            let shown = Printable.clean(name, limit: 40)
            text = shown.isEmpty ? "The service gave no status" : "Status \(shown), which this program does not know"
            role = .warning
        }
    }

    private static func stop(of trip: Trip) -> String {
        let count = trip.intermediateDestinations.count
        guard count > 1 else { return "the stop" }
        return "stop \(min(max(0, trip.intermediateDestinationIndex), count - 1) + 1) of \(count)"
    }

    private static func stops(_ count: Int) -> String { Wording.count(count, "stop") }

    private static func detour(_ foreign: Int) -> String {
        foreign > 0 ? ", after \(Wording.count(foreign, "stop")) for another rider" : ""
    }
}
