import CSQLite
import Foundation

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
