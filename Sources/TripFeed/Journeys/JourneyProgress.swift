package import Runtime
import TripModel

/// Failed polls in a row.
package struct Outage: Sendable, Equatable {
    /// When the first of them ended.
    package let since: Moment
    /// The time between the ends of the first and the last of them.
    package private(set) var length = Duration.zero
    /// The ``length`` at the poll before the last one; `nil` if only one has failed.
    private var before: Duration?

    /// Creates an outage of one failed poll.
    init(since: Moment) { self.since = since }

    /// Records another failed poll.
    mutating func goOn(at now: Moment) {
        before = length
        // The steady clock of a recording may begin again.
        length = max(length, now.steady - since.steady)
    }

    /// Returns whether the last poll is the first one that failed after this time; the time is more than 0.
    package func reaches(_ time: Duration) -> Bool { length >= time && before.map { $0 < time } ?? true }
}

/// The stops of a vehicle before the next own stop, at an answer.
package struct StopsAhead: Sendable, Equatable {
    /// The own stop.
    package let arrival: Arrivals.Arrival
    /// The number of other stops before it.
    package let count: Int
    /// The smallest number at the answers before, for the same own stop; `nil` if there was none.
    let before: Int?

    /// Returns whether at most this number of stops is left, for the first time.
    package func fallsTo(_ limit: Int) -> Bool { count <= limit && before.map { $0 > limit } ?? true }
}

extension JourneyFacts {
    /// Records the stops before the next own stop; they are unknown if the answer does not have them.
    mutating func applyStops(before next: Arrivals.Arrival?, of state: TripState) {
        stopsAhead = nil
        guard let next, next.done == nil, let count = state.stopsAhead else { return }
        let before = fewestStops[next.place]
        stopsAhead = StopsAhead(arrival: next, count: count, before: before)
        fewestStops[next.place] = min(count, before ?? count)
    }
}

extension TripState {
    /// The number of other stops before the next own stop; `nil` if the answer does not have it, and while the vehicle is at an
    /// own stop.
    fileprivate var stopsAhead: Int? {
        guard let journey, !journey.status.isTerminal, journey.status != .trip(.arrivedAtPickup),
            journey.status != .trip(.arrivedAtIntermediateDestination), !journey.isAtOwnStop
        else { return nil }
        // Fleet Engine counts the stop of the task, too (reference of TaskTrackingInfo).
        if let shipment = journey.shipment { return shipment.remainingStopCount.map { max(0, $0 - 1) } }
        guard journey.remainingWaypoints.contains(where: { $0.belongs(to: id.trip) }) else { return nil }
        return foreignWaypointsAhead
    }
}
