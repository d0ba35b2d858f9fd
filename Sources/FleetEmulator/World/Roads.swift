package import TripModel

/// What the emulated service knows of the roads: the paths that it was given, and a straight line where it has none.
package struct Roads: Sendable {
    /// An estimate of a drive.
    struct Drive: Sendable, Equatable {
        var path: [Coordinate]
        var distance: Distance
        var duration: Duration
    }

    /// A path, usable in its own direction, and the speed on it.
    struct Known: Sendable {
        let route: Route
        /// In metres per second, waits at crossings included.
        let speed: Double

        /// The path of a drive with the time that is foreseen for it.
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

    /// The speed that estimates count on where nothing else is known, in metres per second, waits at crossings included.
    static let speed = 12.0
    /// How near the ends of a known path have to be to be taken for a drive, in metres.
    static let tolerance = 60.0

    private let known: [Known]

    /// Knows some paths.
    init(known: [Known]) {
        self.known = known.filter { $0.route.points.count > 1 && $0.speed > 0 }
    }

    /// Knows some paths, on which the standard speed is driven.
    package init(known: [[Coordinate]] = []) {
        self.init(known: known.map { Known($0) })
    }

    /// The way from one place to another.
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
