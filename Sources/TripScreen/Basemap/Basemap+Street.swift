package import TripModel

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension Basemap {
    /// The circumference of the earth in meters, which is one Mercator unit at the equator.
    private static let circumference = 40_075_016.7
    /// Dots per Mercator unit at which even small streets have tiles.
    private static let closeUp = 160.0 * 65_536

    /// Returns the name of the street next to a place, after loading what is needed; `nil` if there is none.
    ///
    /// Throws ``BasemapProblem`` for a damaged archive.
    package mutating func street(at place: Coordinate, within meters: Double = 30) throws(BasemapProblem) -> String? {
        let point = MapPoint(place, near: 0)
        let radius = meters / (Self.circumference * max(0.01, place.parallelScale))
        let bounds = MapBounds(
            low: MapPoint(x: point.x - radius, y: point.y - radius),
            high: MapPoint(x: point.x + radius, y: point.y + radius)
        )
        let needed = needed(in: Section(bounds: bounds, scale: Self.closeUp))
        if let archive {
            var loaded: [TileID: MapTile] = [:]
            for id in missing(needed) { loaded[id] = try archive.tile(id) }
            add(loaded, needed: needed)
        }
        var best: (distance: Double, name: String)?
        for line in drawn(needed).flatMap(\.lines)
        where line.kind.isRoad && !line.name.isEmpty && line.bounds.intersects(bounds) {
            for (start, end) in zip(line.points, line.points.dropFirst()) {
                let distance = point.distance(from: start, to: end)
                if distance <= radius, distance < best?.distance ?? .infinity { best = (distance, line.name) }
            }
        }
        return best?.name
    }
}

extension MapPoint {
    /// Returns the distance from a line between two points, in Mercator units.
    fileprivate func distance(from start: MapPoint, to end: MapPoint) -> Double {
        let (wayX, wayY) = (end.x - start.x, end.y - start.y)
        let square = wayX * wayX + wayY * wayY
        let along = square > 0 ? ((x - start.x) * wayX + (y - start.y) * wayY) / square : 0
        let part = min(1, max(0, along))
        return hypot(x - start.x - part * wayX, y - start.y - part * wayY)
    }
}
