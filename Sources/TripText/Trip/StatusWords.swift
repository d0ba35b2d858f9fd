package import Canvas
package import TripFeed
package import TripModel

/// The status of a trip in words.
package struct StatusWords: Sendable, Equatable {
    /// A sanitized sentence without a full stop.
    package var text: String
    /// The style role.
    package var role: Role

    /// Creates the text for a trip's state.
    package init(_ state: TripState, say: Localizer = .english) {
        guard let trip = state.trip else {
            (text, role) = (say(.statusNothingKnown), .secondary)
            return
        }
        let foreign = state.foreignWaypointsAhead
        switch trip.status {
        case .new where trip.vehicleID == nil: (text, role) = (say(.statusWaitingForDriver), .accent)
        case .new where foreign > 0, .enrouteToPickup where foreign > 0:
            (text, role) = (say.count(foreign, .statusServesOtherFirst), .accent)
        case .new: (text, role) = (say(.statusAssigned), .accent)
        case .enrouteToPickup: (text, role) = (say(.statusToPickup), .accent)
        case .arrivedAtPickup: (text, role) = (say(.statusAtPickup), .positive)
        case .enrouteToIntermediateDestination:
            let words = Self.stop(of: trip).map { say(.statusToStopOf, $0.number, $0.count) } ?? say(.statusToStop)
            (text, role) = (words + Self.detour(foreign, say), .accent)
        case .arrivedAtIntermediateDestination:
            text = Self.stop(of: trip).map { say(.statusAtStopOf, $0.number, $0.count) } ?? say(.statusAtStop)
            role = .positive
        case .enrouteToDropoff: (text, role) = (say(.statusToDropoff) + Self.detour(foreign, say), .accent)
        case .complete: (text, role) = (say(.statusComplete), .positive)
        case .canceled: (text, role) = (say(.statusCanceled), .warning)
        case .unrecognized(let name):
            let shown = Printable.clean(name, limit: 40)
            let isMissing = shown.isEmpty || name == "UNKNOWN_TRIP_STATUS"
            text = isMissing ? say(.statusNone) : say(.statusUnrecognized, shown)
            role = .warning
        }
    }

    /// Returns the number of the next stop; `nil` if there is only one.
    private static func stop(of trip: Trip) -> (number: String, count: String)? {
        let count = trip.intermediateDestinations.count
        guard count > 1 else { return nil }
        return (String(min(max(0, trip.intermediateDestinationIndex), count - 1) + 1), String(count))
    }

    private static func detour(_ foreign: Int, _ say: Localizer) -> String {
        foreign > 0 ? say.count(foreign, .statusDetour) : ""
    }
}

extension UserMessage {
    /// Creates the text for a missing status; `nil` for other statuses.
    package init?(missing status: TripStatus, say: Localizer = .english) {
        guard case .unrecognized(let name) = status, name.isEmpty || name == "UNKNOWN_TRIP_STATUS" else { return nil }
        self.init(say, .statusNone, .statusNone, .statusNoneAdvice)
        setParty(.serviceConfiguration, say)
    }
}
