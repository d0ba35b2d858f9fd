/// How fast the traffic is along a path.
package struct Traffic: Sendable, Equatable {
    /// A class of traffic.
    package enum Speed: Sendable, Hashable {
        /// No delay.
        case normal
        /// Medium traffic.
        case slow
        /// A jam.
        case jam
        /// Another class, or none, as the service spelt it.
        case unrecognized(String)

        /// The class of a name of the API, such as `TRAFFIC_JAM`.
        package init(name: String) {
            switch name {
            case "NORMAL": self = .normal
            case "SLOW": self = .slow
            case "TRAFFIC_JAM": self = .jam
            default: self = .unrecognized(name.boundedName)
            }
        }

        /// The name that the API gives it.
        package var name: String {
            switch self {
            case .normal: "NORMAL"
            case .slow: "SLOW"
            case .jam: "TRAFFIC_JAM"
            case .unrecognized(let name): name
            }
        }
    }

    /// A stretch of the path between two of its points.
    package struct Interval: Sendable, Equatable {
        /// The index of its first point.
        package var start: Int
        /// The index of its last point.
        package var end: Int
        /// The class of traffic on it.
        package var speed: Speed

        /// A stretch from one point of the path to another.
        package init(start: Int, end: Int, speed: Speed) {
            self.start = start
            self.end = end
            self.speed = speed
        }
    }

    /// The stretches, in driving order.
    package var intervals: [Interval]
    /// The path that the indices refer to, where the service sent one of its own; else they refer to the route.
    package var path: [Coordinate]?

    /// Traffic over a path.
    package init(intervals: [Interval], path: [Coordinate]? = nil) {
        self.intervals = intervals
        self.path = path
    }
}
