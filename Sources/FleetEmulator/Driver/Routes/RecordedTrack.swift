package import TripModel

/// A track with the time of each point, such as the recording of a drive.
package struct RecordedTrack: Sendable, Equatable {
    /// The maximum distance between the positions of a vehicle that does not move, in meters: satellite positions scatter.
    private static let scatter = 25.0

    /// The points in driving order.
    package let route: Route
    /// The time of each point in seconds from the first one; ascending, and the same for several points if it is unknown.
    package let times: [Double]

    /// Creates a track; the two lists have the same length.
    package init(_ points: [Coordinate], times: [Double]) {
        self.init(Route(points), times: times)
    }

    private init(_ route: Route, times: [Double]) {
        let start = times.first ?? 0
        (self.route, self.times) = (route, times.map { $0 - start })
    }

    /// Splits the track at a position; both parts contain it.
    func split(at position: Route.Position) -> (driven: RecordedTrack, remaining: RecordedTrack) {
        let (driven, remaining) = route.split(at: position)
        let time = time(at: position)
        let before = Array(times[...position.segment]) + [time]
        let after = [time] + times[min(position.segment + 1, times.count)...]
        return (RecordedTrack(driven, times: before), RecordedTrack(remaining, times: after))
    }

    private func time(at position: Route.Position) -> Double {
        let segment = position.segment
        guard segment + 1 < times.count else { return times[segment] }
        let span = route.offsets[segment + 1] - route.offsets[segment]
        let share = span > 0 ? (position.offset - route.offsets[segment]) / span : 0
        return times[segment] + (times[segment + 1] - times[segment]) * share
    }

    /// How long the vehicle does not move at the beginning, in seconds, and the rest of the track.
    var departure: (wait: Double, rest: RecordedTrack) {
        guard let first = route.points.first else { return (0, self) }
        let departs = route.points.firstIndex { first.distance(to: $0).meters > Self.scatter } ?? route.points.count
        let last = max(0, departs - 1)
        return (times[last], RecordedTrack(Array(route.points[last...]), times: Array(times[last...])))
    }
}

extension RidePlan.Leg {
    /// Follows a track at its recorded times, which `pace` divides.
    package init(_ track: RecordedTrack, pace: Double) {
        self.init(track.route, times: track.times.map { $0 / pace }, pace: pace)
    }
}
