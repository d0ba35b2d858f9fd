package import TripModel

/// The roads of the emulated service: the known paths, the streets of a town, and straight lines elsewhere.
package struct Roads: Sendable {
    /// An estimate of a drive.
    package struct Drive: Sendable, Equatable {
        package var path: [Coordinate]
        package var distance: Distance
        package var duration: Duration
        /// The traffic of the whole path, from the expected speed; `nil` for a path without a length.
        package var traffic: Traffic?
    }

    /// A path, used in its own direction only, and its speed.
    struct Known: Sendable {
        let route: Route
        /// Meters per second, including waits at crossings.
        let speed: Double

        /// Creates a road from the path and the predicted time of a drive.
        init(_ leg: RidePlan.Leg) {
            route = leg.route
            let time = leg.foreseen(at: 0)
            speed = time > 0 ? leg.route.length.meters / time : Roads.speed
        }

        fileprivate init(_ path: [Coordinate]) {
            route = Route(path)
            speed = Roads.speed
        }
    }

    /// The default speed of estimates in meters per second, including waits at crossings.
    static let speed = 12.0
    /// The shares of ``speed`` below which traffic is slow or jammed.
    static let (slowShare, jamShare) = (0.5, 0.25)
    /// The maximum distance between the ends of a known path and the ends of a drive, in meters.
    static let tolerance = 60.0

    private let known: [Known]
    private let town: Town?

    /// Creates roads from known paths and a town.
    init(known: [Known], town: Town? = nil) {
        self.known = known.filter { $0.route.points.count > 1 && $0.speed > 0 }
        self.town = town
    }

    /// Creates roads from known paths with the default speed.
    package init(known: [[Coordinate]] = []) {
        self.init(known: known.map { Known($0) })
    }

    /// Estimates the drive between two positions.
    package func drive(from start: Coordinate, to end: Coordinate) -> Drive {
        for path in known {
            guard let last = path.route.points.last, last.distance(to: end).meters <= Self.tolerance,
                let entry = path.route.nearest(to: start), entry.offRoute <= Self.tolerance
            else { continue }
            return Drive(Route(path.route.split(at: entry).remaining), speed: path.speed)
        }
        if let path = town?.streets.path(from: start, to: end) {
            let road = Known(RidePlan.Leg(path, slow: nil, pace: 1, redLightAt: nil))
            return Drive(road.route, speed: road.speed)
        }
        return Drive(Route([start, end]), speed: Self.speed)
    }
}

extension Roads.Drive {
    fileprivate init(_ route: Route, speed: Double) {
        path = route.points
        distance = route.length
        duration = .seconds(route.length.meters / speed)
        guard route.points.count > 1 else { return }
        let share = speed / Roads.speed
        traffic = Traffic(intervals: [
            Traffic.Interval(
                start: 0,
                end: route.points.count - 1,
                speed: share < Roads.jamShare ? .jam : share < Roads.slowShare ? .slow : .normal
            )
        ])
    }
}
