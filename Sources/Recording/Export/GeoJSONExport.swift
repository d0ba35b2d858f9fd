import Foundation
import Runtime
import TripModel

/// GeoJSON (RFC 7946): tracks, routes and stops of all trips, for maps.
package struct GeoJSONExport: RecordingExporter {
    private var tracks = TripTracks()

    /// Creates an empty export.
    package init() {}

    package mutating func handle(_ event: RecordedSession.Event) { tracks.handle(event) }

    package func finished() throws(ExportFailure) -> [UInt8] {
        guard !tracks.isEmpty else { throw .noPlaces }
        let features = tracks.tracks.flatMap(Self.features).map(ExportText.json)
        let head = Array("{\"type\":\"FeatureCollection\",\"features\":[\n".utf8)
        return head + features.joined(separator: ",\n".utf8) + Array("\n]}\n".utf8)
    }

    private static func features(_ track: TripTracks.Track) -> [JSONValue] {
        let trip = JSONValue.text(track.journey.name)
        var features: [JSONValue] = []
        if track.points.count > 1 {
            let parts = parts(track.points)
            // One time for each position, nested as the positions are.
            let times = parts.map { JSONValue.array($0.map { .time($0.time) }) }
            let properties: JSONValue = .members([
                "kind": .string("track"), "trip": trip, "status": .text(track.status.name),
                "times": times.count == 1 ? times[0] : .array(times),
            ])
            features.append(feature(line(parts), properties))
        } else if let point = track.points.first {
            features.append(
                feature(
                    .members(["type": .string("Point"), "coordinates": position(point.coordinate)]),
                    .members(["kind": .string("position"), "trip": trip, "time": .time(point.time)])
                )
            )
        }
        for route in track.routes {
            let properties: JSONValue = .members([
                "kind": .string("route"), "trip": trip, "status": .text(route.status.name),
            ])
            features.append(feature(line(parts(route.points)), properties))
        }
        for stop in track.stops {
            let properties: JSONValue = .members([
                "kind": .string("stop"), "trip": trip, "name": .text(stop.name), "time": stop.time.map(JSONValue.time),
            ])
            let point: JSONValue = .members(["type": .string("Point"), "coordinates": position(stop.coordinate)])
            features.append(feature(point, properties))
        }
        return features
    }

    private static func feature(_ geometry: JSONValue, _ properties: JSONValue) -> JSONValue {
        .members(["type": .string("Feature"), "geometry": geometry, "properties": properties])
    }

    /// Cuts a line where it crosses the antimeridian (RFC 7946, 3.1.9).
    private static func parts<Point: LinePoint>(_ points: [Point]) -> [[Point]] {
        var parts: [[Point]] = [[]]
        for point in points {
            if let last = parts[parts.count - 1].last {
                let (from, to) = (last.coordinate, point.coordinate)
                if abs(to.longitude - from.longitude) > 180 {
                    let side = from.longitude < 0 ? -180.0 : 180.0
                    let width = (to.longitude - from.longitude).wrappedLongitude
                    let fraction = width == 0 ? 0 : (side - from.longitude) / width
                    let latitude = from.latitude + (to.latitude - from.latitude) * fraction
                    func cut(_ longitude: Double) -> Point {
                        last.moved(to: Coordinate(latitude: latitude, longitude: longitude), fraction, towards: point)
                    }
                    parts[parts.count - 1].append(cut(side))
                    parts.append([cut(-side)])
                }
            }
            parts[parts.count - 1].append(point)
        }
        return parts
    }

    /// Returns a line, or several if it is in several parts.
    private static func line(_ parts: [[some LinePoint]]) -> JSONValue {
        let lines = parts.map { JSONValue.array($0.map { position($0.coordinate) }) }
        return lines.count == 1
            ? .members(["type": .string("LineString"), "coordinates": lines[0]])
            : .members(["type": .string("MultiLineString"), "coordinates": .array(lines)])
    }

    private static func position(_ coordinate: Coordinate) -> JSONValue {
        .array([.number(coordinate.longitude.degrees), .number(coordinate.latitude.degrees)])
    }
}

/// A point of a line.
private protocol LinePoint {
    var coordinate: Coordinate { get }
    /// Returns a point between this one and another one, at this fraction of the way.
    func moved(to coordinate: Coordinate, _ fraction: Double, towards other: Self) -> Self
}

extension Coordinate: LinePoint {
    fileprivate var coordinate: Coordinate { self }

    fileprivate func moved(to coordinate: Coordinate, _ fraction: Double, towards other: Self) -> Self { coordinate }
}

extension TripTracks.Point: LinePoint {
    fileprivate func moved(to coordinate: Coordinate, _ fraction: Double, towards other: Self) -> Self {
        var moved = self
        moved.coordinate = coordinate
        moved.time += other.time.timeIntervalSince(time) * fraction
        return moved
    }
}

extension Double {
    /// Degrees with seven digits, about 1 cm, as in Fleet Engine.
    var degrees: Double { (self * 1e7).rounded() / 1e7 }
}
