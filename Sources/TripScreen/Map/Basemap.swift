package import Foundation
import TripModel

/// Streets and outlines drawn below a trip, from a GeoJSON file (RFC 7946).
package struct Basemap: Sendable, Equatable {
    /// The reason why a file is not a base map.
    package enum Problem: Error, Sendable, Equatable {
        /// The file is not JSON or violates the GeoJSON format.
        case notGeoJSON
        /// The file contains an unknown GeoJSON type.
        case unknownType(String)
        /// The two numbers are not a longitude and a latitude in degrees.
        case notDegrees(Double, Double)
        /// The file contains no lines or polygons.
        case empty
        /// The file has more than ``mostPoints`` points.
        case tooManyPoints
    }

    /// The maximum number of points, enough for the streets of a city.
    package static let mostPoints = 200_000
    /// The maximum number of points per line; longer lines are split so that invisible parts are skipped quickly.
    static let longestLine = 64

    /// A rectangle in the Mercator square.
    struct Bounds: Sendable, Equatable {
        var low: MapPicture.Point
        var high: MapPicture.Point
    }

    /// A line and its bounds.
    struct Line: Sendable, Equatable {
        var points: [MapPicture.Point]
        var bounds: Bounds
    }

    /// The lines, including the outlines of polygons.
    private(set) var lines: [Line] = []

    /// Reads a base map from GeoJSON.
    package init(geoJSON data: Data) throws(Problem) {
        let geometry: GeoJSON
        do {
            geometry = try JSONDecoder().decode(GeoJSON.self, from: data)
        } catch let problem as Problem {
            throw problem
        } catch {
            throw .notGeoJSON
        }
        guard geometry.count <= Self.mostPoints else { throw .tooManyPoints }
        try add(geometry)
        guard !lines.isEmpty else { throw .empty }
    }

    /// The number of lines.
    package var lineCount: Int { lines.count }

    private mutating func add(_ geometry: GeoJSON) throws(Problem) {
        for part in geometry.parts { try add(part) }
        for positions in geometry.lines {
            var line: [MapPicture.Point] = []
            var reference: Double?
            for position in positions {
                guard position.count >= 2, (-180.0...180).contains(position[0]), (-90.0...90).contains(position[1])
                else { throw .notDegrees(position.first ?? .nan, position.dropFirst().first ?? .nan) }
                let place = Coordinate(latitude: position[1], longitude: position[0])
                // At the antimeridian, continue the line without a jump.
                let point = MapPicture.Point(place, near: reference ?? position[0])
                reference = point.x * 360 - 180
                line.append(point)
            }
            add(line)
        }
    }

    private mutating func add(_ line: [MapPicture.Point]) {
        var start = 0
        while start + 1 < line.count {
            let points = Array(line[start..<min(start + Self.longestLine, line.count)])
            var bounds = Bounds(low: points[0], high: points[0])
            for point in points {
                bounds.low = MapPicture.Point(x: min(bounds.low.x, point.x), y: min(bounds.low.y, point.y))
                bounds.high = MapPicture.Point(x: max(bounds.high.x, point.x), y: max(bounds.high.y, point.y))
            }
            lines.append(Line(points: points, bounds: bounds))
            start += Self.longestLine - 1
        }
    }
}

/// The lines of any GeoJSON object; points and properties are ignored.
private struct GeoJSON: Decodable {
    var lines: [[[Double]]] = []
    var parts: [GeoJSON] = []

    private enum CodingKeys: CodingKey {
        case type, features, geometry, geometries, coordinates
    }

    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: CodingKeys.self)
        let type = try object.decode(String.self, forKey: .type)
        switch type {
        case "FeatureCollection": parts = try object.decode([GeoJSON].self, forKey: .features)
        case "Feature": parts = try object.decodeIfPresent(GeoJSON.self, forKey: .geometry).map { [$0] } ?? []
        case "GeometryCollection": parts = try object.decode([GeoJSON].self, forKey: .geometries)
        case "LineString": lines = [try object.decode([[Double]].self, forKey: .coordinates)]
        case "MultiLineString", "Polygon": lines = try object.decode([[[Double]]].self, forKey: .coordinates)
        case "MultiPolygon": lines = try object.decode([[[[Double]]]].self, forKey: .coordinates).flatMap(\.self)
        case "Point", "MultiPoint": break
        default: throw Basemap.Problem.unknownType(type)
        }
    }

    /// The number of points.
    var count: Int { lines.reduce(0) { $0 + $1.count } + parts.reduce(0) { $0 + $1.count } }
}
