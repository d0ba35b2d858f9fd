package import TripModel

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A point of the Web Mercator square: 0 to 1 from west to east and from north to south.
///
/// East of the antimeridian x exceeds 1, so that a ride across it is contiguous.
package struct MapPoint: Sendable, Hashable {
    package var x: Double
    package var y: Double
}

extension MapPoint {
    /// Projects a coordinate, choosing the x nearest to a longitude; latitudes are clamped to ±85 degrees.
    package init(_ coordinate: Coordinate, near reference: Double) {
        let east = (coordinate.longitude - reference).wrappedLongitude + reference
        let latitude = min(max(coordinate.latitude, -85), 85) * .pi / 180
        x = (east + 180) / 360
        y = 0.5 - log(tan(.pi / 4 + latitude / 2)) / (2 * .pi)
    }
}

/// A rectangle in the Mercator square.
package struct MapBounds: Sendable, Hashable {
    package var low: MapPoint
    package var high: MapPoint

    /// The whole world.
    package static let world = MapBounds(low: MapPoint(x: 0, y: 0), high: MapPoint(x: 1, y: 1))

    /// The larger one of width and height.
    package var size: Double { max(high.x - low.x, high.y - low.y) }

    /// Returns whether a point is inside.
    package func contains(_ point: MapPoint) -> Bool {
        point.x >= low.x && point.x <= high.x && point.y >= low.y && point.y <= high.y
    }

    /// Returns the bounds a number of worlds further east.
    package func moved(by worlds: Double) -> MapBounds {
        MapBounds(low: MapPoint(x: low.x + worlds, y: low.y), high: MapPoint(x: high.x + worlds, y: high.y))
    }

    /// Returns whether the two rectangles share a point.
    package func intersects(_ other: MapBounds) -> Bool {
        low.x <= other.high.x && high.x >= other.low.x && low.y <= other.high.y && high.y >= other.low.y
    }
}

extension MapBounds {
    /// Creates the bounds of some points; `nil` without any.
    package init?(_ points: some Sequence<MapPoint>) {
        var bounds: MapBounds?
        for point in points {
            guard var known = bounds else {
                bounds = MapBounds(low: point, high: point)
                continue
            }
            known.low = MapPoint(x: min(known.low.x, point.x), y: min(known.low.y, point.y))
            known.high = MapPoint(x: max(known.high.x, point.x), y: max(known.high.y, point.y))
            bounds = known
        }
        guard let bounds else { return nil }
        self = bounds
    }
}

/// What a line, an area or a label of a base map is, in drawing order: later ones are drawn above earlier ones.
package enum MapClass: UInt8, Sendable, CaseIterable, Comparable {
    case park, water, building
    /// The edge of a water area.
    case shore
    case waterway, path, service, rail
    /// A line of an unknown class; it is drawn like a residential street.
    case other
    case residential, tertiary, secondary, primary, trunk, motorway
    /// A point of interest.
    case poi
    /// A town or a part of one.
    case place

    package static func < (left: MapClass, right: MapClass) -> Bool { left.rawValue < right.rawValue }

    /// Whether it is a street, a track or a path.
    package var isRoad: Bool {
        switch self {
        case .path, .service, .other, .residential, .tertiary, .secondary, .primary, .trunk, .motorway: true
        case .park, .water, .building, .shore, .waterway, .rail, .poi, .place: false
        }
    }
}
