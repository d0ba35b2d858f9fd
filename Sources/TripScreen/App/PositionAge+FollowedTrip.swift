package import Runtime
package import TripFeed
import TripModel

extension PositionAge {
    /// Computes the age of a trip's position; `nil` if there is no position or the trip has ended.
    package init?(of trip: FollowedTrip, at now: Moment) {
        self.init(state: trip.state, schedule: trip.schedule, at: now)
    }
}
