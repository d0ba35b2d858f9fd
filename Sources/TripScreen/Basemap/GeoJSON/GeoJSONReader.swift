import Foundation
import TripModel

/// Converts GeoJSON to classified features.
struct GeoJSONReader {
    private var tile = MapTile()

    /// Reads a file; also returns who made the data.
    static func read(_ data: Data) throws(BasemapProblem) -> (tile: MapTile, attribution: String) {
        let object: GeoJSON
        do {
            object = try JSONDecoder().decode(GeoJSON.self, from: data)
        } catch let problem as BasemapProblem {
            throw problem
        } catch {
            throw .notGeoJSON
        }
        guard object.count <= Basemap.maximumPoints else { throw .tooManyPoints }
        var reader = GeoJSONReader()
        try reader.add(object, nil)
        guard !reader.tile.lines.isEmpty || !reader.tile.areas.isEmpty else { throw .empty }
        reader.tile.sort()
        return (reader.tile, object.attribution)
    }

    private mutating func add(_ object: GeoJSON, _ properties: GeoJSON.Properties?) throws(BasemapProblem) {
        let properties = object.properties ?? properties
        for part in object.parts { try add(part, properties) }
        let name = properties?.name.map { String($0.prefix(MapTile.longestName)) } ?? ""
        switch object.shape {
        case .lines(let lines):
            let kind = Self.lineKind(properties?.kind)
            for line in lines { tile.add(kind, line: try project(line), name: name) }
        case .areas(let areas):
            for area in areas { try add(area, properties?.kind, name) }
        case .points(let points):
            guard let kind = properties?.kind, kind == .place || kind == .poi, !name.isEmpty else { return }
            for point in try project(points) {
                tile.add(MapTile.Label(kind: kind, name: name, rank: properties?.rank ?? 20, place: point))
            }
        case nil: break
        }
    }

    /// Returns the class of a line whose properties have a class.
    private static func lineKind(_ kind: MapClass?) -> MapClass {
        guard let kind, kind != .water else { return kind == nil ? .other : .waterway }
        return kind.isRoad || kind == .rail || kind == .waterway ? kind : .other
    }

    private mutating func add(_ area: [[[Double]]], _ kind: MapClass?, _ name: String) throws(BasemapProblem) {
        var rings: [[MapPoint]] = []
        for ring in area { rings.append(try project(ring)) }
        let edge: MapClass?
        switch kind {
        case .water: edge = .shore
        case .building: edge = .building
        case .park: edge = nil
        default: edge = .other
        }
        if let kind, edge != .other { tile.add(kind, rings: rings.filter { $0.count > 3 }) }
        if let edge { for ring in rings { tile.add(edge, line: ring, name: edge == .other ? name : "") } }
    }

    /// Projects positions; at the antimeridian, a line continues without a jump.
    private func project(_ positions: [[Double]]) throws(BasemapProblem) -> [MapPoint] {
        var points: [MapPoint] = []
        points.reserveCapacity(positions.count)
        var reference: Double?
        for position in positions {
            guard position.count >= 2, (-180.0...180).contains(position[0]), (-90.0...90).contains(position[1])
            else { throw .notDegrees(position.first ?? .nan, position.dropFirst().first ?? .nan) }
            let place = Coordinate(latitude: position[1], longitude: position[0])
            let point = MapPoint(place, near: reference ?? position[0])
            reference = point.x * 360 - 180
            points.append(point)
        }
        return points
    }
}
