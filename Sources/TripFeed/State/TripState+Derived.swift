package import Foundation
import Runtime
package import TripModel

/// Values derived from a trip's state.
extension TripState {
    /// The ETAs at this trip's own stops.
    package struct Arrivals: Sendable, Equatable {
        /// At the pickup; `nil` if unknown or past.
        package var pickup: Arrival?
        /// At each remaining stop, in order; `nil` if unknown.
        package var stops: [Arrival?]
        /// At the drop-off; `nil` if unknown or past.
        package var dropoff: Arrival?
    }

    /// The ETAs at the trip's own remaining stops.
    package var arrivals: Arrivals {
        guard let journey, !journey.status.isTerminal else { return Arrivals(pickup: nil, stops: [], dropoff: nil) }
        func own(_ kind: Waypoint.Kind) -> [Waypoint] {
            journey.remainingWaypoints.filter { $0.kind == kind && $0.belongs(to: id.trip) }
        }
        func arrival(at time: Date?, _ estimates: SharedArray<Arrival>) -> Arrival? {
            time.map { time in
                Arrival(
                    time: time,
                    receivedAt: estimates.last { $0.time == time }?.receivedAt ?? lastAnswer?.wall ?? time
                )
            }
        }
        func time(_ waypoint: Waypoint) -> Date? {
            waypoint == journey.remainingWaypoints.first ? journey.firstArrival : waypoint.eta
        }
        let isAboard = journey.status.rank.map { $0 > 2 } ?? (journey.actualPickup != nil)
        let pickup = own(.pickup).first.flatMap(time) ?? journey.pickupTime
        let dropoff = own(.dropoff).first.flatMap(time) ?? journey.dropoffTime
        return Arrivals(
            pickup: isAboard ? nil : arrival(at: pickup, pickupEstimates),
            stops: own(.intermediateDestination).map { arrival(at: time($0), []) },
            dropoff: arrival(at: dropoff, dropoffEstimates)
        )
    }

    /// The service's time up to which something is known of the vehicle; `nil` before the first answer.
    ///
    /// The service repeats what it has heard last. So that is the time of the vehicle's last report, or of the answer if it has
    /// no position.
    package var vehicleReportTime: Date? {
        journey?.lastLocation?.serverTime ?? answerTime
    }

    /// How long after the expected time the vehicle was still on its way to its next stop, at the last news of the vehicle; `nil` if this
    /// news is from before the expected time, and if the answer does not show whether the vehicle is still on its way.
    package var overdue: Duration? {
        guard let journey, !journey.status.isTerminal, journey.status != .trip(.arrivedAtPickup),
            journey.status != .trip(.arrivedAtIntermediateDestination), !journey.isAtOwnStop,
            !journey.hidesArrival, journey.status != .shipment(.failed), journey.status != .shipment(.closed),
            let arrival = journey.firstArrival, let reported = vehicleReportTime
        else { return nil }
        let late = reported.timeIntervalSince(arrival)
        return late > 0 ? .seconds(late) : nil
    }

    /// The vehicle's speed in meters per second: the device's value, else computed from the last two positions.
    package var speed: Double? {
        guard let location = journey?.lastLocation else { return nil }
        if let reported = location.speed { return max(0, reported) }
        guard trail.count > 1, let to = trail.last?.coordinate, let from = trail[trail.count - 2].coordinate,
            let end = trail.last?.measuredTime, let start = trail[trail.count - 2].measuredTime, end > start
        else { return nil }
        return from.distance(to: to).meters / end.timeIntervalSince(start)
    }

    /// The times between the known reports of the vehicle until a service's time, in seconds, the oldest first.
    ///
    /// A report that was replaced between two polls is unknown.
    package func reportIntervals(until time: Date, most: Int) -> [Double] {
        let end = time.addingTimeInterval(Self.negligibleOffset.seconds)
        let times = trail.compactMap(\.serverTime).filter { $0 <= end }
        return zip(times, times.dropFirst()).map { $1.timeIntervalSince($0) }.filter { $0 > 0 }.suffix(most)
    }
}

/// The first estimates for the trip's own stops between pickup and drop-off.
extension TripState {
    /// The maximum number of stops whose first estimate is stored.
    private static let maximumStopPromises = 100

    /// Returns the first ETA at one of the trip's own stops; `nil` if there was none.
    ///
    /// The key is the exact place of its waypoint, because the order of stops may change.
    package func firstPromise(ofStopAt place: Coordinate) -> Arrival? { stopPromises[place] }

    /// Stores the first estimate of each own stop that is ahead.
    mutating func recordStops(of journey: Journey, at time: Date) {
        guard !journey.status.isTerminal else { return }
        for (index, waypoint) in journey.remainingWaypoints.enumerated() where waypoint.kind == .intermediateDestination
        {
            guard stopPromises.count < Self.maximumStopPromises else { return }
            guard waypoint.belongs(to: id.trip), let place = waypoint.coordinate,
                stopPromises[place] == nil,
                let expected = (index == 0 ? journey.etaToFirstWaypoint : nil) ?? waypoint.eta
            else { continue }
            stopPromises[place] = Arrival(time: expected, receivedAt: time)
        }
    }
}

extension Journey {
    /// The ETA at the first remaining waypoint, in either view of the answer.
    package var firstArrival: Date? { etaToFirstWaypoint ?? remainingWaypoints.first?.eta }

    /// The distance to the first remaining waypoint, in either view of the answer.
    package var firstDistance: Distance? { remainingDistance ?? remainingWaypoints.first?.distance }
}

extension Journey {
    /// The distance in meters within which a vehicle counts as being at a stop: it may park some houses away.
    static let stopRadius = 100.0

    /// Whether the vehicle serves stops of others before its own one, so that it may wait there.
    ///
    /// A shared trip names the stops of the other trips. For a shipment, only the number of stops is known.
    package var servesOthers: Bool {
        if let shipment { return (shipment.remainingStopCount ?? 1) > 1 }
        guard let stop = remainingWaypoints.first, !stop.belongs(to: id.trip) else { return false }
        guard let place = lastLocation?.coordinate, let target = stop.coordinate else {
            return firstDistance.map { $0.meters <= Self.stopRadius } ?? false
        }
        return place.distance(to: target).meters <= Self.stopRadius
    }
}

extension Journey {
    /// The maximum distance from a stop, in meters, at which the vehicle counts as waiting there.
    private static let standingRadius = 60.0

    /// Whether the vehicle waits at the stop of the current status, or at the stop of a shipment, regardless of its last reported
    /// speed.
    ///
    /// The last report before a stop still contains the approach speed.
    package var isStanding: Bool {
        let stop: Coordinate?
        switch status {
        case .trip(.arrivedAtPickup): stop = trip?.actualPickupArrival?.coordinate ?? pickup
        case .trip(.arrivedAtIntermediateDestination):
            let (index, stops) = (intermediateDestinationIndex, intermediateDestinations)
            stop = stops.indices.contains(index) ? stops[index] : nil
        case .trip: return false
        case .shipment: return isVehicleAtOwnStop
        }
        guard let stop, let place = lastLocation?.coordinate else { return true }
        return place.distance(to: stop).meters < Self.standingRadius
    }
}
