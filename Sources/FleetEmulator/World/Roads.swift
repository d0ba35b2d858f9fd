package import TripModel

/// The roads of the emulated service: the known paths, and straight lines elsewhere.
package struct Roads: Sendable {
    /// An estimate of a drive.
    struct Drive: Sendable, Equatable {
        var path: [Coordinate]
        var distance: Distance
        var duration: Duration
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
    /// The maximum distance between the ends of a known path and those of a drive, in meters.
    static let tolerance = 60.0

    private let known: [Known]

    /// Creates roads from known paths.
    init(known: [Known]) {
        self.known = known.filter { $0.route.points.count > 1 && $0.speed > 0 }
    }

    /// Creates roads from known paths with the default speed.
    package init(known: [[Coordinate]] = []) {
        self.init(known: known.map { Known($0) })
    }

    /// Estimates the drive between two positions.
    func drive(from start: Coordinate, to end: Coordinate) -> Drive {
        for path in known {
            guard let last = path.route.points.last, last.distance(to: end).meters <= Self.tolerance,
                let entry = path.route.nearest(to: start), entry.offRoute <= Self.tolerance
            else { continue }
            return Drive(Route(path.route.split(at: entry).remaining), speed: path.speed)
        }
        return Drive(Route([start, end]), speed: Self.speed)
    }
}

extension Roads.Drive {
    fileprivate init(_ route: Route, speed: Double) {
        path = route.points
        distance = route.length
        duration = .seconds(route.length.meters / speed)
    }
}
