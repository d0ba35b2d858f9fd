package import TripModel

/// What the emulated service knows of the roads: the paths that it was given, and a straight line where it has none.
package struct Roads: Sendable {
    /// An estimate of a drive.
    struct Drive: Sendable, Equatable {
        var path: [Coordinate]
        var distance: Distance
        var duration: Duration
    }

    /// The speed that estimates count on, in metres per second, waits at crossings included.
    static let speed = 12.0
    /// How near the ends of a known path have to be to be taken for a drive, in metres.
    static let tolerance = 60.0

    private let known: [Route]

    /// Knows some paths, usable in their own direction.
    package init(known: [[Coordinate]] = []) {
        self.known = known.filter { $0.count > 1 }.map { Route($0) }
    }

    /// The way from one place to another.
    func drive(from start: Coordinate, to end: Coordinate) -> Drive {
        for route in known {
            guard let last = route.points.last, last.distance(to: end).meters <= Self.tolerance,
                let entry = route.nearest(to: start), entry.offRoute <= Self.tolerance
            else { continue }
            return Drive(Route(route.split(at: entry).remaining))
        }
        return Drive(Route([start, end]))
    }
}

extension Roads.Drive {
    fileprivate init(_ route: Route) {
        path = route.points
        distance = route.length
        duration = .seconds(route.length.meters / Roads.speed)
    }
}
