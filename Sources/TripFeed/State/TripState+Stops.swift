import Foundation
package import TripModel

/// What was first promised of the trip's own stops between pickup and drop-off.
extension TripState {
    /// The most stops of which a first promise is kept.
    private static let maximumStopPromises = 100

    /// The first estimate of the arrival at an own stop, by the place of its waypoint to the last digit, as a list of stops
    /// may change its order; `nil` where there was none.
    package func firstPromise(ofStopAt place: Coordinate) -> Arrival? { stopPromises[place] }

    /// Keeps the first estimate of each own stop that is ahead.
    mutating func recordStops(of trip: Trip, at time: Date) {
        guard !trip.status.isTerminal else { return }
        for (index, waypoint) in trip.remainingWaypoints.enumerated() where waypoint.kind == .intermediateDestination {
            guard stopPromises.count < Self.maximumStopPromises else { return }
            guard waypoint.tripID == nil || waypoint.tripID == id, let place = waypoint.coordinate,
                stopPromises[place] == nil,
                let expected = (index == 0 ? trip.etaToFirstWaypoint : nil) ?? waypoint.eta
            else { continue }
            stopPromises[place] = Arrival(time: expected, learnt: time)
        }
    }
}
