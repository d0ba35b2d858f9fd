/// A path with the distance of each point from the start.
package struct Route: Sendable, Equatable {
    /// The points in driving order.
    ///
    /// May be empty or a single point.
    package let points: [Coordinate]
    /// The distance of each point from the start along the path, in meters; ascending.
    package let offsets: [Double]

    /// Creates a route and computes its offsets.
    package init(_ points: [Coordinate]) {
        self.points = points
        var offsets: [Double] = []
        offsets.reserveCapacity(points.count)
        for (index, point) in points.enumerated() {
            offsets.append(index == 0 ? 0 : offsets[index - 1] + points[index - 1].distance(to: point).meters)
        }
        self.offsets = offsets
    }

    /// The length of the path.
    package var length: Distance { Distance(meters: offsets.last ?? 0) }

    /// A position on the path.
    package struct Position: Sendable, Equatable {
        /// The coordinate.
        package var coordinate: Coordinate
        /// The distance from the start along the path, in meters.
        package var offset: Double
        /// The index of the last point at or before the position.
        package var segment: Int
        /// The distance between the path and the projected point, in meters.
        package var offRoute: Double
    }

    /// Returns the position at a distance from the start in meters, clamped to the ends; `nil` for an empty path.
    package func position(at offset: Double) -> Position? {
        guard let first = points.first, let last = points.last else { return nil }
        guard offset > 0 else { return Position(coordinate: first, offset: 0, segment: 0, offRoute: 0) }
        guard offset < length.meters else {
            return Position(coordinate: last, offset: length.meters, segment: max(0, points.count - 2), offRoute: 0)
        }
        var low = 0
        var high = offsets.count - 1
        while high - low > 1 {
            let middle = (low + high) / 2
            if offsets[middle] <= offset { low = middle } else { high = middle }
        }
        let span = offsets[high] - offsets[low]
        let fraction = span > 0 ? (offset - offsets[low]) / span : 0
        return Position(
            coordinate: points[low].interpolated(to: points[high], fraction: fraction),
            offset: offset,
            segment: low,
            offRoute: 0
        )
    }

    /// Returns the position nearest to a point; the first one if several are equally near.
    package func nearest(to point: Coordinate) -> Position? {
        guard let first = points.first else { return nil }
        var best = Position(coordinate: first, offset: 0, segment: 0, offRoute: first.distance(to: point).meters)
        for index in points.indices.dropLast() {
            let (start, end) = (points[index], points[index + 1])
            // Within one segment, a plane is accurate enough: meters north and east of the segment's start.
            let scale = Self.metersPerDegree
            let shrink = scale * max(0.01, start.parallelScale)
            let way = (
                north: (end.latitude - start.latitude) * scale,
                east: (end.longitude - start.longitude).wrappedLongitude * shrink
            )
            let to = (
                north: (point.latitude - start.latitude) * scale,
                east: (point.longitude - start.longitude).wrappedLongitude * shrink
            )
            let square = way.north * way.north + way.east * way.east
            let along = square > 0 ? (to.north * way.north + to.east * way.east) / square : 0
            let fraction = min(1, max(0, along))
            let foot = start.interpolated(to: end, fraction: fraction)
            let off = foot.distance(to: point).meters
            if off < best.offRoute {
                best = Position(
                    coordinate: foot,
                    offset: offsets[index] + (offsets[index + 1] - offsets[index]) * fraction,
                    segment: index,
                    offRoute: off
                )
            }
        }
        return best
    }

    /// Splits the path at a position; both parts contain it.
    package func split(at position: Position) -> (driven: [Coordinate], remaining: [Coordinate]) {
        guard !points.isEmpty else { return ([], []) }
        let driven = points[...position.segment] + [position.coordinate]
        let remaining = [position.coordinate] + points[min(position.segment + 1, points.count)...]
        return (Array(driven), Array(remaining))
    }

    private static let metersPerDegree = Coordinate.earthRadius * .pi / 180
}
