import Foundation
import Runtime
import TripFeed
import TripModel
import TripText

/// What the presenter view counts down to.
enum Countdown {
    /// Nothing is expected.
    case none
    /// The trip has ended at the drop-off.
    case arrived(Arrivals.Arrival, Date)
    /// The time until the next expected arrival.
    case left(Arrivals.Arrival, Date, Duration)
    /// The next arrival is overdue by a negative duration.
    case late(Arrivals.Arrival, Date, Duration)

    init(of state: TripState, at now: Moment) {
        let arrivals = Arrivals(of: state)
        if let final = arrivals.final, let done = final.done {
            self = .arrived(final, done)
        } else if let next = arrivals.all.first(where: { $0.expected != nil }), let time = next.expected {
            let left = Duration.seconds(time.timeIntervalSince(state.serviceTime(now)))
            self = left.seconds > -1 ? .left(next, time, left) : .late(next, time, left)
        } else {
            self = .none
        }
    }
}
