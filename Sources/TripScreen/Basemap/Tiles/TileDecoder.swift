import FleetEngineProtos
import SwiftProtobuf

/// Converts a vector tile to classified features.
package struct TileDecoder {
    /// The maximum number of points of a tile; the rest of a larger tile is counted, but not drawn.
    static let maximumPoints = 120_000
    /// The maximum number of labels of a tile.
    private static let maximumLabels = 2000

    private let id: TileID
    /// Whether nothing is smaller than a dot at any scale, because there is no tile with more detail.
    private let isDeepest: Bool
    /// Whether layers without a rule are drawn as thin lines.
    private let drawsUnknown: Bool
    private var tile = MapTile()
    private var pointsLeft = TileDecoder.maximumPoints

    /// Decodes a tile from its bytes.
    package static func decode(
        _ bytes: [UInt8],
        id: TileID,
        isDeepest: Bool,
        drawsUnknown: Bool = false
    ) throws(BasemapProblem) -> MapTile {
        var decoder = TileDecoder(id: id, isDeepest: isDeepest, drawsUnknown: drawsUnknown)
        for layer in try message(bytes).layers { try decoder.add(layer) }
        decoder.tile.sort()
        return decoder.tile
    }

    /// Returns the names of a tile's layers.
    package static func layers(of bytes: [UInt8]) throws(BasemapProblem) -> [String] {
        try message(bytes).layers.map(\.name)
    }

    private static func message(_ bytes: [UInt8]) throws(BasemapProblem) -> Tiles_Tile {
        do {
            var options = BinaryDecodingOptions()
            options.discardUnknownFields = true
            return try Tiles_Tile(serializedBytes: bytes, options: options)
        } catch {
            throw .damaged
        }
    }

    private mutating func add(_ layer: Tiles_Tile.Layer) throws(BasemapProblem) {
        guard let rule = LayerRule.byLayer[layer.name] ?? (drawsUnknown ? .unknown : nil) else { return }
        guard (1...65_536).contains(layer.extent), layer.version <= 2 else { throw .damaged }
        let wanted = Set(rule.keys + rule.rankKeys + ["name"])
        var keys: [UInt32: String] = [:]
        for (index, key) in layer.keys.enumerated() where wanted.contains(key) { keys[UInt32(index)] = key }
        for feature in layer.features {
            var properties: [String: Tiles_Tile.Value] = [:]
            for index in stride(from: 0, to: feature.tags.count - 1, by: 2) {
                guard let key = keys[feature.tags[index]], feature.tags[index + 1] < layer.values.count else {
                    continue
                }
                properties[key] = layer.values[Int(feature.tags[index + 1])]
            }
            guard let kind = rule.kind({ key in properties[key].map(\.stringValue) }) else { continue }
            add(feature, kind, rule, properties, extent: Double(layer.extent))
        }
    }

    private mutating func add(
        _ feature: Tiles_Tile.Feature,
        _ kind: MapClass,
        _ rule: LayerRule,
        _ properties: [String: Tiles_Tile.Value],
        extent: Double
    ) {
        guard pointsLeft > 0 else {
            tile.omittedFeatures += 1
            return
        }
        let geometry = TileGeometry(feature.geometry, limit: pointsLeft)
        let parts = geometry.parts
        pointsLeft -= parts.reduce(0) { $0 + $1.count }
        if geometry.isCut { tile.omittedFeatures += 1 }
        let name = properties["name"].map { String($0.stringValue.prefix(MapTile.longestName)) } ?? ""
        switch feature.type {
        case .point:
            guard kind == .place || kind == .poi, !name.isEmpty else { return }
            guard tile.labels.count < Self.maximumLabels else {
                tile.omittedFeatures += 1
                return
            }
            let rank = rule.rankKeys.compactMap { properties[$0]?.number }.first ?? 20
            for part in parts.prefix(1) {
                tile.add(MapTile.Label(kind: kind, name: name, rank: rank, place: point(part[0], extent)))
            }
        case .linestring:
            guard let kind = kind == .water ? .waterway : kind.isLine ? kind : nil else { return }
            for part in parts { tile.add(kind, line: line(part, extent), name: name, isNameOnly: rule.isNameOnly) }
        case .polygon:
            guard kind == .water || kind == .park || kind == .building || kind == .other else { return }
            addArea(parts, kind, extent)
        case .unknown: break
        }
    }

    private mutating func addArea(_ parts: [[TileGeometry.Point]], _ kind: MapClass, _ extent: Double) {
        var rings = parts.filter { $0.count > 3 }.map { line($0, extent) }
        if !isDeepest {
            // Less than a dot in every picture that uses this tile.
            let smallest = 1 / 256 / Double(1 << id.zoom)
            rings.removeAll { (MapBounds($0)?.size ?? 0) < smallest }
        }
        guard !rings.isEmpty else { return }
        if kind != .other { tile.add(kind, rings: rings) }
        guard kind != .park else { return }
        let edge: MapClass = kind == .water ? .shore : kind
        for part in parts where part.count > 3 {
            // The edge of the tile is no shore: an area continues on the next tile.
            var piece: [TileGeometry.Point] = []
            for (from, to) in zip(part, part.dropFirst()) {
                if Self.isOutside(from, to, extent) {
                    if piece.count > 1 { tile.add(edge, line: line(piece, extent)) }
                    piece = []
                } else {
                    if piece.isEmpty { piece.append(from) }
                    piece.append(to)
                }
            }
            if piece.count > 1 { tile.add(edge, line: line(piece, extent)) }
        }
    }

    /// Returns whether a segment is at or beyond one edge of the tile.
    private static func isOutside(_ a: TileGeometry.Point, _ b: TileGeometry.Point, _ extent: Double) -> Bool {
        let end = Int(extent)
        return a.x <= 0 && b.x <= 0 || a.y <= 0 && b.y <= 0 || a.x >= end && b.x >= end || a.y >= end && b.y >= end
    }

    private func point(_ point: TileGeometry.Point, _ extent: Double) -> MapPoint {
        let size = 1 / Double(1 << id.zoom)
        return MapPoint(
            x: (Double(id.x) + Double(point.x) / extent) * size,
            y: (Double(id.y) + Double(point.y) / extent) * size
        )
    }

    /// Returns the points of a line, without those that are too close to the previous one to be visible.
    private func line(_ part: [TileGeometry.Point], _ extent: Double) -> [MapPoint] {
        let step = isDeepest ? 0 : Int(extent / 1024)
        var points: [MapPoint] = []
        points.reserveCapacity(part.count)
        var last: TileGeometry.Point?
        for (index, next) in part.enumerated() {
            if let last, index + 1 < part.count, abs(next.x &- last.x) <= step, abs(next.y &- last.y) <= step {
                continue
            }
            points.append(point(next, extent))
            last = next
        }
        return points
    }
}

extension MapClass {
    /// Whether features of the class may be lines.
    fileprivate var isLine: Bool { isRoad || self == .rail || self == .waterway }
}

extension Tiles_Tile.Value {
    /// The value as a whole number; `nil` for other values.
    fileprivate var number: Int? {
        if hasIntValue { return Int(intValue) }
        if hasUintValue { return Int(clamping: uintValue) }
        if hasSintValue { return Int(sintValue) }
        if hasDoubleValue { return Int(exactly: doubleValue.rounded()) }
        return hasFloatValue ? Int(exactly: floatValue.rounded()) : nil
    }
}
