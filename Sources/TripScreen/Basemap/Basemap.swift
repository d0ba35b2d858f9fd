package import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Streets, water, parks and names drawn below a trip: a GeoJSON file, or an archive of vector tiles.
///
/// It is a value without side effects. A caller loads the tiles that ``needed(in:)`` names and adds them.
package struct Basemap: Sendable, Equatable {
    /// The maximum number of points of a GeoJSON file, enough for the streets of a city.
    package static let maximumPoints = 200_000
    /// The maximum number of tiles in a picture.
    package static let maximumVisibleTiles = 48
    /// The maximum number of points of all loaded tiles outside the picture, about 5 MB.
    static let maximumCachedPoints = 300_000
    /// The maximum number of loaded tiles outside the picture.
    static let maximumCachedTiles = 96
    /// The minimum width of a tile in dots; a tile of a deeper level is not more detailed than the dots.
    private static let tileWidth = 160.0

    /// The archive; `nil` for GeoJSON.
    package let archive: (any TileArchive)?
    /// Who made the data; empty if unknown.
    package let attribution: String
    /// The part of the world with data.
    package let bounds: MapBounds
    /// The loaded tiles; the contents of a GeoJSON file are one tile.
    private(set) var tiles: [TileID: MapTile] = [:]
    /// The loaded tiles in the order of their arrival.
    private var order: [TileID] = []

    private static let whole = TileID(zoom: 0, x: 0, y: 0)

    /// Reads a base map from GeoJSON.
    package init(geoJSON data: Data) throws(BasemapProblem) {
        let (tile, attribution) = try GeoJSONReader.read(data)
        archive = nil
        self.attribution = attribution
        bounds = tile.bounds ?? .world
        tiles[Self.whole] = tile
    }

    /// Creates a base map that has no tiles yet.
    package init(archive: any TileArchive) {
        self.archive = archive
        attribution = archive.attribution
        bounds = archive.bounds
    }

    package static func == (left: Basemap, right: Basemap) -> Bool {
        left.archive === right.archive && left.tiles == right.tiles && left.bounds == right.bounds
    }

    /// A visible part of the map.
    package struct Section: Sendable, Equatable {
        /// The visible rectangle.
        package var bounds: MapBounds
        /// Horizontal dots per Mercator unit.
        package var scale: Double
    }

    /// Returns the tiles that a section needs, those in the middle first; empty if the section is too large for the archive.
    package func needed(in section: Section) -> [TileID] {
        guard let archive else { return [Self.whole] }
        guard section.scale.isFinite, section.scale > 0 else { return [] }
        let wanted = Int(min(max(log2(section.scale / Self.tileWidth), 0), Double(TileID.maximumZoom)))
        for zoom in stride(
            from: min(max(wanted, archive.zooms.lowerBound), archive.zooms.upperBound),
            through: 0,
            by: -1
        ) {
            guard archive.zooms.contains(zoom) else { return [] }
            if let tiles = tiles(of: section.bounds, zoom: zoom) { return tiles }
        }
        return []
    }

    /// Returns the archive's tiles of a rectangle; `nil` if there are too many.
    private func tiles(of rectangle: MapBounds, zoom: Int) -> [TileID]? {
        let count = 1 << zoom
        func index(_ value: Double) -> Int {
            value.isNaN ? 0 : Int(min(max((value * Double(count)).rounded(.down), -1e9), 1e9))
        }
        let columns = index(rectangle.low.x)...max(index(rectangle.low.x), index(rectangle.high.x))
        let (top, bottom) = (max(0, index(rectangle.low.y)), min(count - 1, index(rectangle.high.y)))
        guard top <= bottom else { return [] }
        guard columns.count <= Self.maximumVisibleTiles, bottom - top < Self.maximumVisibleTiles,
            columns.count * (bottom - top + 1) <= Self.maximumVisibleTiles
        else { return nil }
        let middle = (x: (columns.lowerBound + columns.upperBound) / 2, y: (top + bottom) / 2)
        let cells = columns.flatMap { x in (top...bottom).map { y in (x: x, y: y) } }.sorted { a, b in
            let (first, second) = (abs(a.x - middle.x) + abs(a.y - middle.y), abs(b.x - middle.x) + abs(b.y - middle.y))
            return (first, a.y, a.x) < (second, b.y, b.x)
        }
        var known: Set<TileID> = []
        return cells.compactMap { cell in
            // Around the world once, the same tiles follow.
            let id = TileID(zoom: zoom, x: ((cell.x % count) + count) % count, y: cell.y)
            return id.bounds.intersects(bounds) && known.insert(id).inserted ? id : nil
        }
    }

    /// Returns those tiles that are not loaded.
    package func missing(_ needed: [TileID]) -> [TileID] { needed.filter { tiles[$0] == nil } }

    /// Returns what to draw of some tiles: themselves, or loaded tiles of other levels while they are missing.
    package func drawn(_ needed: [TileID]) -> [MapTile] {
        var ids: [TileID] = []
        var known: Set<TileID> = []
        for id in needed {
            var found: [TileID] = []
            if tiles[id] != nil {
                found = [id]
            } else {
                found = id.children.filter { tiles[$0] != nil }
                var ancestor = id.parent
                while let next = ancestor, found.count < 4 {
                    if tiles[next] != nil {
                        found = [next]
                        break
                    }
                    ancestor = next.parent
                }
            }
            for id in found where known.insert(id).inserted { ids.append(id) }
        }
        return ids.compactMap { tiles[$0] }
    }

    /// Adds loaded tiles, and removes the oldest ones that are not needed if there are too many.
    package mutating func add(_ loaded: [TileID: MapTile], needed: [TileID]) {
        for (id, tile) in loaded where tiles.updateValue(tile, forKey: id) == nil { order.append(id) }
        let retained = Set(needed)
        var points = tiles.reduce(0) { $0 + (retained.contains($1.key) ? 0 : $1.value.pointCount) }
        var count = tiles.keys.count { !retained.contains($0) }
        order.removeAll { id in
            guard points > Self.maximumCachedPoints || count > Self.maximumCachedTiles, !retained.contains(id) else {
                return false
            }
            points -= tiles.removeValue(forKey: id)?.pointCount ?? 0
            count -= 1
            return true
        }
    }
}

/// The reason why a file is not a base map.
package enum BasemapProblem: Error, Sendable, Equatable {
    /// The file is not JSON or violates the GeoJSON format.
    case notGeoJSON
    /// The file contains an unknown GeoJSON type.
    case unknownType(String)
    /// The two numbers are not a longitude and a latitude in degrees.
    case notDegrees(Double, Double)
    /// The file contains nothing to draw.
    case empty
    /// The file has more than ``Basemap/maximumPoints`` points.
    case tooManyPoints
    /// The archive is truncated, contradicts itself, or exceeds a limit of this reader.
    case damaged
    /// The archive has another version of the PMTiles format.
    case unsupportedVersion(Int)
    /// The tiles are not vector tiles; the name of what they are.
    case unsupportedTiles(String)
    /// The directories or the tiles are compressed by another method than gzip; its name.
    case unsupportedCompression(String)
}
