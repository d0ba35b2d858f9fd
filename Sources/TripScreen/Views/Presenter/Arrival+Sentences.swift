import TripFeed
import TripModel
import TripText

/// What the presenter view says about an arrival that has not happened.
extension Arrivals.Arrival {
    /// What a countdown to it counts to.
    var until: Text {
        switch kind {
        case .pickup: .untilPickup
        case .dropoff: .untilDropoff
        case .intermediateDestination: .untilStop
        case .unrecognized: .untilWaypoint
        }
    }

    /// The sentence that it was late at the time of the last news.
    func late(by duration: String, _ time: String, seen: String) -> Text {
        switch kind {
        case .pickup: .latePickup(seen: seen, duration: duration, time: time)
        case .dropoff: .lateDropoff(seen: seen, duration: duration, time: time)
        case .intermediateDestination: .lateStop(seen: seen, duration: duration, time: time)
        case .unrecognized: .lateWaypoint(seen: seen, duration: duration, time: time)
        }
    }

    /// The sentence that there is no news since before the expected time.
    func silent(for duration: String, _ time: String) -> Text {
        switch kind {
        case .pickup: .silentPickup(duration: duration, time: time)
        case .dropoff: .silentDropoff(duration: duration, time: time)
        case .intermediateDestination: .silentStop(duration: duration, time: time)
        case .unrecognized: .silentWaypoint(duration: duration, time: time)
        }
    }
}
