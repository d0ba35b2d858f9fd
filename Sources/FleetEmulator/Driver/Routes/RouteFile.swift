import Foundation
package import TripModel

/// A path from a file: GeoJSON, GPX or an encoded polyline of Google Maps.
package enum RouteFile {
    /// The reason why a file contains no path.
    package enum Problem: Error, Sendable, Equatable {
        /// The file has none of the three formats.
        case unknownFormat
        /// The file violates its format; says where.
        case broken(String)
        /// Fewer than two points.
        case tooShort
        /// The file exceeds the limit of points.
        case tooLong(limit: Int)
        /// A point has no time; `nil` if no point of the format has one.
        case noTime(point: Int?)
        /// The time of a point is before the time of the preceding point.
        case timeGoesBack(point: Int)
    }

    private static let limit = 100_000

    /// Returns the points of a file in order: the first line of a GeoJSON, or all segments of a GPX joined.
    package static func points(_ text: String) throws(Problem) -> [Coordinate] {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let points: [Coordinate] =
            switch trimmed.first {
            case "{": try geoJSON(trimmed)
            case "<": try GPXReader.points(trimmed, limit: limit).map(\.place)
            case nil: throw .unknownFormat
            default: try polyline(trimmed)
            }
        try check(points)
        return points
    }

    /// Returns the points of a GPX file with their times; throws if a point has no time, or a time before the preceding point's time.
    package static func track(_ text: String) throws(Problem) -> RecordedTrack {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard trimmed.first == "<" else {
            // Other errors of the file come first.
            _ = try points(text)
            throw .noTime(point: nil)
        }
        let points = try GPXReader.points(trimmed, limit: limit)
        try check(points.map(\.place))
        var times: [Double] = []
        for (index, point) in points.enumerated() {
            guard let time = point.time else {
                throw .noTime(point: points.allSatisfy { $0.time == nil } ? nil : index + 1)
            }
            if let last = times.last, time < last { throw .timeGoesBack(point: index + 1) }
            times.append(time)
        }
        return RecordedTrack(points.map(\.place), times: times)
    }

    private static func check(_ points: [Coordinate]) throws(Problem) {
        guard points.count >= 2 else { throw .tooShort }
        guard points.count <= limit else { throw .tooLong(limit: limit) }
        if let index = points.firstIndex(where: { !$0.isValid }) {
            throw .broken("point \(index + 1) has no valid coordinates")
        }
    }

    private static func polyline(_ text: String) throws(Problem) -> [Coordinate] {
        guard !text.contains(where: \.isWhitespace), let points = MapsPolyline.decode(text) else {
            throw .unknownFormat
        }
        return points
    }

    // MARK: GeoJSON

    private struct Object: Decodable {
        var type: String
        var coordinates: Positions?
        var geometry: Geometry?
        var features: [Feature]?
        var geometries: [Geometry]?
    }

    private struct Feature: Decodable {
        var geometry: Geometry?
    }

    private struct Geometry: Decodable {
        var type: String
        var coordinates: Positions?
    }

    /// The positions of a line, or of the first of several lines.
    private struct Positions: Decodable {
        var line: [[Double]] = []

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            // Points and polygons have another nesting depth and are ignored.
            if let line = try? container.decode([[Double]].self) {
                self.line = line
            } else if let lines = try? container.decode([[[Double]]].self) {
                line = lines.first ?? []
            }
        }
    }

    private static func geoJSON(_ text: String) throws(Problem) -> [Coordinate] {
        let object: Object
        do {
            object = try JSONDecoder().decode(Object.self, from: Data(text.utf8))
        } catch {
            throw .broken("it is not GeoJSON")
        }
        let own = object.coordinates.map { Geometry(type: object.type, coordinates: $0) }
        let all =
            [own, object.geometry].compactMap(\.self) + (object.features ?? []).compactMap(\.geometry)
            + (object.geometries ?? [])
        guard let line = all.first(where: { $0.type == "LineString" || $0.type == "MultiLineString" }),
            let positions = line.coordinates?.line
        else { throw .broken("it contains no LineString") }
        var points: [Coordinate] = []
        for (index, position) in positions.enumerated() {
            // GeoJSON puts the longitude first (RFC 7946, section 3.1.1).
            guard position.count >= 2 else { throw .broken("position \(index + 1) does not have two numbers") }
            points.append(Coordinate(latitude: position[1], longitude: position[0]))
        }
        return points
    }
}

/// A track with the time of each point, such as the recording of a drive.
package struct RecordedTrack: Sendable, Equatable {
    /// The maximum distance between the positions of a vehicle that does not move, in meters: satellite positions scatter.
    private static let scatter = 25.0

    /// The points in driving order.
    package let route: Route
    /// The time of each point in seconds from the first one; ascending, and the same for several points if it is unknown.
    package let times: [Double]

    /// Creates a track; the two lists have the same length.
    package init(_ points: [Coordinate], times: [Double]) {
        self.init(Route(points), times: times)
    }

    private init(_ route: Route, times: [Double]) {
        let start = times.first ?? 0
        (self.route, self.times) = (route, times.map { $0 - start })
    }

    /// Splits the track at a position; both parts contain it.
    func split(at position: Route.Position) -> (driven: RecordedTrack, remaining: RecordedTrack) {
        let (driven, remaining) = route.split(at: position)
        let time = time(at: position)
        let before = Array(times[...position.segment]) + [time]
        let after = [time] + times[min(position.segment + 1, times.count)...]
        return (RecordedTrack(driven, times: before), RecordedTrack(remaining, times: after))
    }

    private func time(at position: Route.Position) -> Double {
        let segment = position.segment
        guard segment + 1 < times.count else { return times[segment] }
        let span = route.offsets[segment + 1] - route.offsets[segment]
        let share = span > 0 ? (position.offset - route.offsets[segment]) / span : 0
        return times[segment] + (times[segment + 1] - times[segment]) * share
    }

    /// How long the vehicle does not move at the beginning, in seconds, and the rest of the track.
    var departure: (wait: Double, rest: RecordedTrack) {
        guard let first = route.points.first else { return (0, self) }
        let departs = route.points.firstIndex { first.distance(to: $0).meters > Self.scatter } ?? route.points.count
        let last = max(0, departs - 1)
        return (times[last], RecordedTrack(Array(route.points[last...]), times: Array(times[last...])))
    }
}

extension RidePlan.Leg {
    /// Follows a track at its recorded times, which `pace` divides.
    package init(_ track: RecordedTrack, pace: Double) {
        self.init(track.route, times: track.times.map { $0 / pace }, pace: pace)
    }
}
