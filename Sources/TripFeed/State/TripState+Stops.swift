import Foundation
package import TripModel

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
