import FleetWire
import Foundation
import TripModel

/// GeoJSON (RFC 7946): tracks, routes and stops of all trips, for maps.
package struct GeoJSONExport: RecordingExporter {
    private var tracks = TripTracks()

    /// Creates an empty export.
    package init() {}

    package mutating func take(_ event: RecordedSession.Event) { tracks.take(event) }

    package func finished() throws(ExportFailure) -> [UInt8] {
        guard !tracks.isEmpty else { throw .noPlaces }
        let features = tracks.tracks.flatMap(Self.features).map(ExportText.json)
        let head = Array("{\"type\":\"FeatureCollection\",\"features\":[\n".utf8)
        return head + features.joined(separator: ",\n".utf8) + Array("\n]}\n".utf8)
    }

    private static func features(_ track: TripTracks.Track) -> [JSONValue] {
        let trip = JSONValue.text(track.trip.rawValue)
        var features: [JSONValue] = []
        if track.points.count > 1 {
            let properties: JSONValue = .members([
                "kind": .string("track"), "trip": trip, "status": .text(track.status.name),
                "times": .array(track.points.map { .time($0.time) }),
            ])
            features.append(feature(line(track.points.map(\.coordinate)), properties))
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
            features.append(feature(line(route.points), properties))
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

    /// Returns a line, or several if it crosses the antimeridian (RFC 7946, 3.1.9).
    private static func line(_ points: [Coordinate]) -> JSONValue {
        var parts: [[Coordinate]] = [[]]
        for point in points {
            if let last = parts[parts.count - 1].last, abs(point.longitude - last.longitude) > 180 {
                let side = last.longitude < 0 ? -180.0 : 180.0
                let width = (point.longitude - last.longitude).wrappedLongitude
                let fraction = width == 0 ? 0 : (side - last.longitude) / width
                let latitude = last.latitude + (point.latitude - last.latitude) * fraction
                parts[parts.count - 1].append(Coordinate(latitude: latitude, longitude: side))
                parts.append([Coordinate(latitude: latitude, longitude: -side)])
            }
            parts[parts.count - 1].append(point)
        }
        let lines = parts.map { JSONValue.array($0.map(position)) }
        return lines.count == 1
            ? .members(["type": .string("LineString"), "coordinates": lines[0]])
            : .members(["type": .string("MultiLineString"), "coordinates": .array(lines)])
    }

    private static func position(_ coordinate: Coordinate) -> JSONValue {
        .array([.number(coordinate.longitude.degrees), .number(coordinate.latitude.degrees)])
    }
}

extension Double {
    /// Degrees with seven digits, about 1 cm, as in Fleet Engine.
    var degrees: Double { (self * 1e7).rounded() / 1e7 }
}
