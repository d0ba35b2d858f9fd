import Runtime
import TripFeed
import TripModel

/// What the user asks of the polls.
extension State {
    /// Pauses or resumes all polls, and the ride with them.
    mutating func togglePause() -> [Effect] {
        let pauses = !(input.orderedPause ?? isPaused)
        input.orderedPause = pauses
        let order: FeedCommand = pauses ? .pause : .resume
        let ride: [Effect] = settings.ride == nil ? [] : [.ride(RideChange(isPaused: pauses))]
        return ride + trips.filter { $0.end == nil }.map { .feed(order, $0.id) }
    }

    /// Polls the shown trip.
    func pollNow() -> [Effect] { trip.map { [.feed(.pollNow, $0.id)] } ?? [] }

    /// Changes the intervals of all polls by a step.
    func changeInterval(longer: Bool) -> [Effect] {
        trips.filter { $0.end == nil }.compactMap { trip in
            trip.schedule.map { .feed(.setInterval(Self.step($0.interval, longer: longer)), trip.id) }
        }
    }

    /// The selectable intervals in seconds.
    static let intervals: [Double] = [1, 2, 3, 5, 10, 15, 30, 60]

    /// Returns the next longer or shorter interval.
    static func step(_ interval: Duration, longer: Bool) -> Duration {
        let seconds = interval.seconds
        let next = longer ? intervals.first { $0 > seconds + 0.01 } : intervals.last { $0 < seconds - 0.01 }
        return next.map { .seconds($0) } ?? interval
    }
}
