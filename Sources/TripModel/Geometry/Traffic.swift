/// The traffic along a path.
package struct Traffic: Sendable, Equatable {
    /// A class of traffic.
    package enum Speed: Sendable, Hashable {
        /// No delay.
        case normal
        /// Medium traffic.
        case slow
        /// A traffic jam.
        case jam
        /// An unknown or missing class, as spelled by the service.
        case unrecognized(String)

        /// Creates a class from its API name, such as `TRAFFIC_JAM`.
        package init(name: String) {
            switch name {
            case "NORMAL": self = .normal
            case "SLOW": self = .slow
            case "TRAFFIC_JAM": self = .jam
            default: self = .unrecognized(name.boundedName)
            }
        }

        /// The API name.
        package var name: String {
            switch self {
            case .normal: "NORMAL"
            case .slow: "SLOW"
            case .jam: "TRAFFIC_JAM"
            case .unrecognized(let name): name
            }
        }
    }

    /// A part of the path between two of its points.
    package struct Interval: Sendable, Equatable {
        /// The index of its first point.
        package var start: Int
        /// The index of its last point.
        package var end: Int
        /// The class of traffic.
        package var speed: Speed
    }

    /// The intervals in driving order.
    package var intervals: [Interval]
    /// The path for the indices; `nil` if they refer to the route.
    package var path: [Coordinate]?
}

extension Traffic {
    /// Returns the traffic ahead of a position.
    ///
    /// - Parameters:
    ///   - position: The position on the path.
    ///   - route: The path that the indices refer to.
    /// - Returns: Intervals whose indices refer to the remaining points that ``Route/split(at:)`` returns.
    package func remaining(from position: Route.Position, of route: Route) -> Traffic {
        let points = route.split(at: position).remaining
        let ahead = intervals.compactMap { interval -> Interval? in
            // The position replaces the last point that was passed.
            let start = max(0, interval.start - position.segment)
            let end = min(interval.end - position.segment, points.count - 1)
            return start < end ? Interval(start: start, end: end, speed: interval.speed) : nil
        }
        return Traffic(intervals: ahead, path: path == nil ? nil : points)
    }
}
