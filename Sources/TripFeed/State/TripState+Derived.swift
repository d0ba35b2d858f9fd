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
    package var vehicleNewsTime: Date? {
        journey?.lastLocation?.serverTime ?? newsTime
    }

    /// How long after the expected time the vehicle was still on its way to its next stop, at the last news of the vehicle; `nil` if this
    /// news is from before the expected time, and if the answer does not show whether the vehicle is still on its way.
    package var overdue: Duration? {
        guard let journey, !journey.status.isTerminal, journey.status != .trip(.arrivedAtPickup),
            journey.status != .trip(.arrivedAtIntermediateDestination), !journey.isAtOwnStop,
            !journey.hidesArrival, journey.status != .shipment(.failed), journey.status != .shipment(.closed),
            let arrival = journey.firstArrival, let news = vehicleNewsTime
        else { return nil }
        let late = news.timeIntervalSince(arrival)
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
