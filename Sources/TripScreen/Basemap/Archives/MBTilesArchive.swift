import Foundation
import Runtime
import Synchronization
import TripModel

/// An MBTiles archive with Mapbox vector tiles: an SQLite database.
package final class MBTilesArchive: TileArchive {
    package let zooms: ClosedRange<Int>
    package let bounds: MapBounds
    package let attribution: String
    package var layers: [String] { layerNames.withLock { $0 } }

    private let layerNames: Locked<[String]>
    private let database: Locked<SQLiteReader>

    /// Returns whether a file starts like an SQLite database.
    package static func isOne(_ start: [UInt8]) -> Bool { start.starts(with: Array("SQLite format 3\0".utf8)) }

    /// Opens an archive: reads its metadata and one tile.
    package init(path: String) throws(BasemapProblem) {
        let reader = try SQLiteReader(path: path)
        func metadata(_ name: String) throws(BasemapProblem) -> String? {
            try reader.text("SELECT value FROM metadata WHERE name = '\(name)'")
        }
        guard let format = try metadata("format") else { throw .damaged }
        guard format == "pbf" || format == "mvt" else { throw .unsupportedTiles(format) }
        func zoom(_ name: String, _ function: String) throws(BasemapProblem) -> Int {
            if let zoom = try metadata(name).flatMap({ Int($0) }) { return zoom }
            let found = try reader.text("SELECT \(function)(zoom_level) FROM tiles")
            guard let zoom = found.flatMap({ Int($0) }) else { throw .empty }
            return zoom
        }
        let (lowest, highest) = (try zoom("minzoom", "min"), try zoom("maxzoom", "max"))
        guard lowest >= 0, lowest <= highest, highest <= TileID.maximumZoom else { throw .damaged }
        zooms = lowest...highest
        let numbers = try metadata("bounds")?.split(separator: ",").map {
            Double(decimal: $0.drop(while: \.isWhitespace)) ?? .nan
        }
        if let numbers {
            guard numbers.count == 4 else { throw .damaged }
            bounds = try MapBounds(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
        } else {
            bounds = .world
        }
        attribution = Attribution.text(html: try metadata("attribution") ?? "")
        layerNames = Locked(LayerNames.names(json: Array((try metadata("json") ?? "").utf8)))
        database = Locked(reader)
        let found = try checkedTile()
        layerNames.withLock { if $0.isEmpty { $0 = found } }
    }

    package func bytes(of id: TileID) throws(BasemapProblem) -> [UInt8]? {
        // Rows are counted from the south.
        let row = (1 << id.zoom) - 1 - id.y
        return try bytes(
            "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?",
            [id.zoom, id.x, row]
        )
    }

    package func anyBytes() throws(BasemapProblem) -> [UInt8]? { try bytes("SELECT tile_data FROM tiles LIMIT 1", []) }

    private func bytes(_ query: String, _ values: [Int]) throws(BasemapProblem) -> [UInt8]? {
        let stored = try database.withLock { (reader) throws(BasemapProblem) in try reader.bytes(query, values) }
        guard let stored, Gzip.isCompressed(stored) else { return stored }
        return try Gzip.decompressed(stored, limit: ArchiveLimit.tile)
    }
}

/// Reads an SQLite database that may be hostile: read-only, with a bound on the work of each query.
final class SQLiteReader {
    private let database: SQLiteDatabase

    /// The maximum number of steps of SQLite's virtual machine per query; finding a tile by an index takes about a hundred.
    private static let maximumSteps: Int32 = 5_000_000

    /// Opens a database as immutable.
    init(path: String) throws(BasemapProblem) {
        do {
            database = try SQLiteDatabase(path: path, .immutable)
            database.limit(valueBytes: ArchiveLimit.storedTile, steps: Self.maximumSteps)
            for setting in ["trusted_schema = OFF", "mmap_size = 0", "cache_size = -2000"] {
                try database.execute("PRAGMA \(setting)")
            }
        } catch {
            throw .damaged
        }
    }

    /// Returns the first column of a query's first row; `nil` if there is no row or no value.
    func bytes(_ query: String, _ values: [Int]) throws(BasemapProblem) -> [UInt8]? {
        do {
            let bytes = try database.rows(query, values.map { .integer($0) }, limit: 1).first?.first?.bytes
            return bytes?.isEmpty == true ? nil : bytes
        } catch {
            throw .damaged
        }
    }

    /// Returns the first column of a query's first row as text of at most 10,000 bytes.
    func text(_ query: String) throws(BasemapProblem) -> String? {
        try bytes(query, []).map { String(decoding: $0.prefix(10_000), as: UTF8.self) }
    }
}
