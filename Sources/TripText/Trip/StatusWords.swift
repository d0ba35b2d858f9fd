package import Canvas
import Failures
import Runtime
package import TripFeed
package import TripModel

/// The status of a trip in words.
package struct StatusWords: Sendable, Equatable {
    /// A sanitized sentence without a full stop.
    package var text: String
    /// The style role.
    package var role: Role

    /// Creates the text for a trip's state.
    package init(_ state: TripState, localizer: Localizer = .english) {
        guard let trip = state.journey else {
            (text, role) = (localizer.about(state.id.kind)(.statusNothingKnown), .secondary)
            return
        }
        let foreign = state.foreignWaypointsAhead
        switch trip.status {
        case .trip(.new) where trip.vehicleID == nil: (text, role) = (localizer(.statusWaitingForDriver), .accent)
        case .trip(.new) where foreign > 0, .trip(.enrouteToPickup) where foreign > 0:
            (text, role) = (localizer(.statusServesOtherFirst(count: foreign)), .accent)
        case .trip(.new): (text, role) = (localizer(.statusAssigned), .accent)
        case .trip(.enrouteToPickup): (text, role) = (localizer(.statusToPickup), .accent)
        case .trip(.arrivedAtPickup): (text, role) = (localizer(.statusAtPickup), .positive)
        case .trip(.enrouteToIntermediateDestination):
            let words =
                Self.stop(of: trip).map { localizer(.statusToStopOf(number: $0.number, total: $0.count)) }
                ?? localizer(.statusToStop)
            (text, role) = (words + Self.detour(foreign, localizer), .accent)
        case .trip(.arrivedAtIntermediateDestination):
            text =
                Self.stop(of: trip).map { localizer(.statusAtStopOf(number: $0.number, total: $0.count)) }
                ?? localizer(.statusAtStop)
            role = .positive
        case .trip(.enrouteToDropoff):
            (text, role) = (localizer(.statusToDropoff) + Self.detour(foreign, localizer), .accent)
        case .trip(.complete): (text, role) = (localizer(.statusComplete), .positive)
        case .trip(.canceled): (text, role) = (localizer(.statusCanceled), .warning)
        case .shipment(.open): (text, role) = (Self.tour(of: trip, localizer), .accent)
        case .shipment(.succeeded): (text, role) = (localizer(.statusShipmentSucceeded), .positive)
        case .shipment(.failed): (text, role) = (localizer(.statusShipmentFailed), .warning)
        case .shipment(.closed): (text, role) = (localizer(.statusShipmentClosed), .warning)
        case .trip(.unrecognized(let name)), .shipment(.unrecognized(let name)):
            let shown = Printable.clean(name, limit: 40)
            let isMissing = shown.isEmpty || name == "UNKNOWN_TRIP_STATUS"
            text = isMissing ? localizer(.statusNone) : localizer(.statusUnrecognized(status: shown))
            role = .warning
        }
    }

    /// Returns the number of the next stop; `nil` if there is only one.
    private static func stop(of journey: Journey) -> (number: String, count: String)? {
        let count = journey.intermediateDestinations.count
        guard count > 1 else { return nil }
        return (String(min(max(0, journey.intermediateDestinationIndex), count - 1) + 1), String(count))
    }

    /// Returns how far the vehicle with an open shipment is, as far as the sender shows it.
    private static func tour(of journey: Journey, _ localizer: Localizer) -> String {
        switch journey.shipment?.remainingStopCount {
        case let stops? where stops > 1: localizer(.statusShipmentStops(count: stops - 1))
        case 1: localizer(journey.isAtOwnStop ? .statusShipmentHere : .statusShipmentNext)
        default: localizer(journey.isOnTour ? .statusShipmentUnderWay : .statusShipmentOpen)
        }
    }

    private static func detour(_ foreign: Int, _ localizer: Localizer) -> String {
        foreign > 0 ? localizer(.statusDetour(count: foreign)) : ""
    }
}

extension UserMessage {
    /// Creates the text for a missing status; `nil` for other statuses.
    package init?(missing status: JourneyStatus, localizer: Localizer = .english) {
        guard let name = status.unknownName, name.isEmpty || name == "UNKNOWN_TRIP_STATUS" else { return nil }
        self.init(localizer, .statusNone, .statusNone, .statusNoneAdvice)
        setParty(.serviceConfiguration, localizer)
    }
}
