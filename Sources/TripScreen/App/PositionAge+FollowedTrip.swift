package import TripModel
package import TripText

extension PositionAge {
    /// The age of the position of a trip; `nil` where there is no position, or the trip is over.
    package init?(of trip: FollowedTrip, at now: Moment) {
        self.init(state: trip.state, schedule: trip.schedule, at: now)
    }
}
