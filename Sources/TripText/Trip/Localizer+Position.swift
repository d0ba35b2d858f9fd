import Canvas
import Foundation
package import Runtime
package import TripFeed
package import TripModel

/// Positions in words, for those who don't see the map.
extension Localizer {
    /// The age from which a position is described as old.
    private static let oldAge = Duration.seconds(30)
    /// The speed in meters per second below which a vehicle counts as not moving.
    private static let walkingPace = 0.5

    /// Describes where the vehicle is and where it goes, without a full stop; `nil` without a position.
    ///
    /// How it moves is left out of an old position.
    ///
    /// `street` is the name of the street, untrusted text.
    package func position(of state: TripState, street: String?, at now: Moment) -> String? {
        guard let trip = state.journey, let location = trip.lastLocation, let place = location.coordinate else {
            return nil
        }
        var parts: [String] = []
        let stop = trip.remainingWaypoints.first
        let distance = trip.firstDistance ?? stop?.coordinate.map { place.distance(to: $0) }
        let isThere =
            trip.status == .trip(.arrivedAtPickup) || trip.status == .trip(.arrivedAtIntermediateDestination)
            || trip.isVehicleAtOwnStop
        if let distance, !trip.status.isTerminal, !isThere {
            let isOwn = stop?.belongs(to: state.id.trip) ?? true
            let way = self.distance(distance)
            let words =
                switch stop?.kind {
                case _ where !isOwn: self(.positionBeforeOther(distance: way))
                case .pickup?: self(.positionBeforePickup(distance: way))
                case .dropoff?: self(.positionBeforeDropoff(distance: way))
                default: self(.positionBeforeStop(distance: way))
                }
            parts.append(words)
        }
        let street = street?.sanitized(limit: 100) ?? ""
        let age = state.receivedAge(at: now).flatMap { $0 >= Self.oldAge ? $0 : nil }
        var (speed, heading) = (state.speed, location.heading)
        // An old report does not say how the vehicle moves now, and a report from before a stop does not say that the vehicle has stopped.
        if age != nil || trip.isStanding && speed.map({ $0 >= Self.walkingPace }) ?? true {
            (speed, heading) = (nil, nil)
        }
        // The speed belongs to the way: at a stop it is the speed of the approach.
        if let last = speed, last >= Self.walkingPace, !trip.isOnTheWay { speed = nil }
        if let speed, speed < Self.walkingPace, trip.servesOthers {
            if !street.isEmpty { parts.append(self(.positionOn(street: street))) }
        } else if let speed, speed < Self.walkingPace {
            parts.append(street.isEmpty ? self(.positionStands) : self(.positionStandsOn(street: street)))
        } else if let heading {
            let direction = direction(heading)
            parts.append(
                street.isEmpty
                    ? self(.positionHeading(direction: direction))
                    : self(.positionHeadingOn(direction: direction, street: street))
            )
        } else if !street.isEmpty {
            parts.append(self(.positionOn(street: street)))
        }
        if let speed, speed >= Self.walkingPace { parts.append(self.speed(speed)) }
        if let age { parts.append(self(.positionAged(age: self.age(age)))) }
        return parts.isEmpty ? nil : self(.positionVehicle(position: parts.joined(separator: self(.clauseComma))))
    }

    /// Returns the word for a direction in degrees clockwise from north.
    private func direction(_ degrees: Int) -> String {
        let turned = ((degrees % 360) + 360) % 360
        let keys: [Text] = [
            .directionNorth, .directionNortheast, .directionEast, .directionSoutheast, .directionSouth,
            .directionSouthwest, .directionWest, .directionNorthwest,
        ]
        return self(keys[(turned * 2 + 45) / 90 % 8])
    }
}

extension Journey {
    /// The distance in meters from the pickup within which a vehicle that is there by its status parks.
    private static let parkingRadius = 100.0

    private var isNearPickup: Bool {
        guard let pickup, let place = lastLocation?.coordinate else { return false }
        return place.distance(to: pickup).meters < Self.parkingRadius
    }

    /// Whether the vehicle drives to a stop, or has left one that its status still names, so that its speed is worth a word.
    var isOnTheWay: Bool {
        switch status {
        case .trip(.arrivedAtPickup): !isStanding && !isNearPickup
        case .trip(.arrivedAtIntermediateDestination): !isStanding
        case .trip(let status): status.isUnderWay
        case .shipment: !status.isTerminal && !isVehicleAtOwnStop
        }
    }
}

extension PositionAge {
    /// Returns the reason as a line of text.
    package func explanation(_ localizer: Localizer) -> String? {
        reason.map { localizer($0.phrase) }
    }
}

extension PositionAge.Reason {
    fileprivate var phrase: Text {
        switch self {
        case .paused: .stalePaused
        case .pollingFails: .stalePolling
        case .unanswered: .staleUnanswered
        case .cached: .staleCache
        case .serverUnchanged: .staleServer
        case .driverSilent: .staleDriver
        case .deliveredLate: .staleLate
        case .clocksDiffer: .staleClock
        }
    }
}

extension HiddenValue {
    /// The name in a list.
    package var words: Text {
        switch self {
        case .vehicleLocation: .hiddenVehicle
        case .route: .hiddenRoute
        case .remainingStopCount: .hiddenStops
        case .remainingDistance: .hiddenDistance
        case .estimatedArrival: .hiddenArrival
        case .estimatedCompletion: .hiddenCompletion
        }
    }
}

extension Arrivals.Arrival {
    /// Returns the name of the waypoint for the start of a line.
    package func title(_ localizer: Localizer) -> String {
        switch kind {
        case .pickup: localizer(.pickup)
        case .dropoff: localizer.about(isOfShipment ? .shipment : .trip)(.dropoff)
        case .intermediateDestination:
            number.map { localizer(.stopNumber(number: String($0))) } ?? localizer(.stop)
        case .unrecognized: localizer(.waypoint)
        }
    }

    /// The text for a vehicle that is at the waypoint.
    package var atPlace: Text {
        switch kind {
        case .pickup: .atPickup
        case .dropoff: .atDropoff
        case .intermediateDestination: .atStop
        case .unrecognized: .atWaypoint
        }
    }
}

extension Localizer {
    /// Returns `was at 17:01:40`, or `by 17:01:40 at the latest` if an outage hid the time.
    package func happened(at clock: String, isLatest: Bool) -> String {
        self(isLatest ? .atTheLatest(time: clock) : .wasAt(time: clock))
    }
}
