import Runtime
import TripModel

/// Traffic in the driver app's format: stretches in meters along the route; the rest is normal.
struct RoadStretches {
    /// A stretch with slower traffic.
    private struct Stretch {
        var start: Double
        var end: Double
        var speed: Traffic.Speed
    }

    private let stretches: [Stretch]

    /// Parses a `TrafficPolylineData`; `nil` if the value is invalid.
    init?(_ value: JSONValue?) {
        guard let value, value["speedreadinginterval"] == nil, value.members != nil else { return nil }
        let rendering = value["trafficrendering"] ?? value
        var stretches: [Stretch] = []
        for stretch in rendering["roadstretch"]?.elements ?? [] {
            let start = max(0, stretch["offsetmeters"]?.logNumber ?? 0)
            guard let length = stretch["lengthmeters"]?.logNumber, length > 0 else { continue }
            guard let style = stretch["style"]?.string else { continue }
            if style.hasSuffix("TRAFFIC_JAM") {
                stretches.append(Stretch(start: start, end: start + length, speed: .jam))
            } else if style.hasSuffix("SLOWER_TRAFFIC") {
                stretches.append(Stretch(start: start, end: start + length, speed: .slow))
            }
        }
        self.stretches = stretches.sorted { $0.start < $1.start }
    }

    /// Converts the stretches to the format of an answer: contiguous intervals over a separate path.
    ///
    /// The path is the route with additional points at traffic changes, as in the service's answers. A change within 1 m of a
    /// route point uses that point. Returns `nil` for a route of length 0.
    func traffic(along route: Route) -> Traffic? {
        guard route.length.meters > 0 else { return nil }
        var walk = Walk(route)
        for stretch in stretches {
            walk.advance(to: stretch.start, through: .normal)
            walk.advance(to: stretch.end, through: stretch.speed)
        }
        walk.advance(to: route.length.meters, through: .normal)
        return Traffic(intervals: walk.intervals, path: walk.path == route.points ? nil : walk.path)
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
}
