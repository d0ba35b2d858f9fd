package import TripModel

/// A path along streets, with the speed of each of its segments.
package struct StreetPath: Sendable, Equatable {
    /// The points in driving order.
    package private(set) var points: [Coordinate]
    /// The speed from each point to the next in meters per second; one fewer than points.
    package private(set) var speeds: [Double]
    /// The indices of the points at which streets meet.
    package private(set) var junctions: [Int]

    /// Creates a path with one speed, such as one from a file or a straight line.
    package init(_ points: [Coordinate], speed: Double = RidePlan.topSpeed) {
        self.points = points
        speeds = Array(repeating: speed, count: max(0, points.count - 1))
        junctions = []
    }

    /// Appends a straight segment.
    mutating func append(_ point: Coordinate, speed: Double, isJunction: Bool = false) {
        // Two points so close have no direction.
        if let last = points.last, last.distance(to: point).meters < 0.3 { return }
        if !points.isEmpty { speeds.append(speed) }
        points.append(point)
        if isJunction { junctions.append(points.count - 1) }
    }

    /// Appends the last point, or moves the present one there if it is as good as there.
    mutating func end(at point: Coordinate, speed: Double) {
        let count = points.count
        append(point, speed: speed)
        if points.count == count, count > 1 { points[count - 1] = point }
    }

    /// Appends a path that begins where this one ends.
    mutating func append(_ path: StreetPath) {
        guard let first = path.points.first else { return }
        if points.isEmpty { points = [first] }
        let junctions = Set(path.junctions)
        for (index, speed) in path.speeds.enumerated() {
            append(path.points[index + 1], speed: speed, isJunction: junctions.contains(index + 1))
        }
    }
}
