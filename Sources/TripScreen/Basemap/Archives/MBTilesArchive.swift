import CSQLite
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
@safe final class SQLiteReader {
    private let database: OpaquePointer

    /// The maximum number of steps of SQLite's virtual machine per query; finding a tile by an index takes about a hundred.
    private static let maximumSteps: Int32 = 5_000_000

    /// Opens a database as immutable, so that SQLite neither locks it nor searches for a journal.
    init(path: String) throws(BasemapProblem) {
        var opened: OpaquePointer?
        let uri = URL(filePath: path).absoluteString + "?mode=ro&immutable=1"
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        let status = unsafe sqlite3_open_v2(uri, &opened, flags, nil)
        guard let database = unsafe opened else { throw .damaged }
        unsafe self.database = database
        guard status == SQLITE_OK else { throw .damaged }
        unsafe sqlite3_limit(database, SQLITE_LIMIT_LENGTH, Int32(ArchiveLimit.storedTile))
        // A view may contain an endless query: it is interrupted at the first call of this function.
        unsafe sqlite3_progress_handler(database, Self.maximumSteps, { _ in 1 }, nil)
        for setting in ["trusted_schema = OFF", "mmap_size = 0", "cache_size = -2000"] {
            guard unsafe sqlite3_exec(database, "PRAGMA \(setting)", nil, nil, nil) == SQLITE_OK else { throw .damaged }
        }
    }

    deinit {
        unsafe sqlite3_close_v2(database)
    }

    /// Returns the first column of a query's first row; `nil` if there is no row or no value.
    func bytes(_ query: String, _ values: [Int]) throws(BasemapProblem) -> [UInt8]? {
        var prepared: OpaquePointer?
        guard unsafe sqlite3_prepare_v2(database, query, -1, &prepared, nil) == SQLITE_OK,
            let statement = unsafe prepared
        else { throw .damaged }
        defer { unsafe sqlite3_finalize(statement) }
        for (index, value) in values.enumerated() {
            unsafe sqlite3_bind_int64(statement, Int32(index + 1), Int64(value))
        }
        switch unsafe sqlite3_step(statement) {
        case SQLITE_DONE: return nil
        case SQLITE_ROW: break
        default: throw .damaged
        }
        guard let start = unsafe sqlite3_column_blob(statement, 0) else { return nil }
        let count = Int(unsafe sqlite3_column_bytes(statement, 0))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Returns the first column of a query's first row as text of at most 10,000 bytes.
    func text(_ query: String) throws(BasemapProblem) -> String? {
        try bytes(query, []).map { String(decoding: $0.prefix(10_000), as: UTF8.self) }
    }
}
