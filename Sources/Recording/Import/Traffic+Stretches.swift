import TripModel

extension Traffic {
    /// Converts a driver's stretches of slow traffic, in meters along a route, to contiguous intervals over a separate path.
    ///
    /// The rest of the route has normal traffic. The path is the route with additional points at traffic changes, as in the service's answers. A change within 1 m of a
    /// route point uses that point. Returns `nil` for a route of length 0.
    init?(stretches: [(range: Range<Double>, speed: Speed)], along route: Route) {
        guard route.length.meters > 0 else { return nil }
        var walk = Walk(route)
        for stretch in stretches.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            walk.advance(to: stretch.range.lowerBound, through: .normal)
            walk.advance(to: stretch.range.upperBound, through: stretch.speed)
        }
        walk.advance(to: route.length.meters, through: .normal)
        self.init(intervals: walk.intervals, path: walk.path == route.points ? nil : walk.path)
    }
}

/// A traversal of a route that records points and traffic.
private struct Walk {
    private let route: Route
    private var way = 0.0
    private var next = 1
    private(set) var path: [Coordinate]
    private(set) var intervals: [Traffic.Interval] = []

    init(_ route: Route) {
        self.route = route
        path = Array(route.points.prefix(1))
    }

    /// Advances to a distance from the start in meters, through traffic of one class; never goes back.
    mutating func advance(to target: Double, through speed: Traffic.Speed) {
        let target = min(target, route.length.meters)
        guard target > way + 1 || target == route.length.meters, target > way else { return }
        while next < route.points.count, route.offsets[next] <= target + 1 {
            path.append(route.points[next])
            way = route.offsets[next]
            next += 1
        }
        if target > way + 1, let place = route.position(at: target) {
            path.append(place.coordinate)
            way = target
        }
        let start = intervals.last?.end ?? 0
        if let before = intervals.last, before.speed == speed {
            intervals[intervals.count - 1].end = path.count - 1
        } else if path.count - 1 > start {
            intervals.append(Traffic.Interval(start: start, end: path.count - 1, speed: speed))
        }
    }
}
