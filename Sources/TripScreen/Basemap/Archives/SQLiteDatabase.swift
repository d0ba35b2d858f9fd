import CSQLite
import Foundation

/// A connection to an SQLite database, for one thread at a time.
///
/// Street maps are read with it, and the notices that wait for a receiver are stored with it.
@safe package final class SQLiteDatabase {
    /// Why SQLite cannot do something.
    package struct Problem: Error, Sendable, Equatable {
        /// The primary result code, such as `SQLITE_FULL`.
        package let code: Int32
        /// The message of SQLite, in English.
        package let message: String

        fileprivate init(code: Int32, message: String) { (self.code, self.message) = (code, message) }

        /// A check of the contents has found damage.
        package init(damage message: String) { self.init(code: SQLITE_CORRUPT, message: message) }

        /// The tables are not those that are expected.
        package init(mismatch message: String) { self.init(code: SQLITE_MISMATCH, message: message) }

        /// Whether the database is full, or the file system.
        package var isFull: Bool { code == SQLITE_FULL }
        /// Whether another process uses the database, so that a later attempt may succeed.
        package var isBusy: Bool { code == SQLITE_BUSY }
        /// Whether the tables are not those that are expected.
        package var isMismatch: Bool { code == SQLITE_MISMATCH }
        /// Whether the file is damaged, or no database.
        package var isDamage: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }
    }

    /// A value of a column or of a parameter.
    package enum Value: Sendable, Equatable {
        case null
        case integer(Int)
        case real(Double)
        case text(String)
        case bytes([UInt8])
    }

    /// How a database is opened.
    package enum Access: Sendable {
        /// For reading, as immutable: SQLite neither locks it nor searches for a journal.
        case immutable
        /// For reading and writing; other processes may use it at the same time.
        case shared
    }

    private let database: OpaquePointer
    private var statements: [String: OpaquePointer] = unsafe [:]

    /// Opens a database.
    package init(path: String, _ access: Access) throws(Problem) {
        var opened: OpaquePointer?
        let uri = URL(filePath: path).absoluteString
        let status =
            switch access {
            case .immutable:
                unsafe sqlite3_open_v2(
                    uri + "?mode=ro&immutable=1",
                    &opened,
                    SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
                    nil
                )
            case .shared:
                unsafe sqlite3_open_v2(
                    uri,
                    &opened,
                    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
                    nil
                )
            }
        guard let database = unsafe opened else { throw Problem(code: SQLITE_NOMEM, message: "") }
        unsafe self.database = database
        guard status == SQLITE_OK else { throw problem(status) }
    }

    deinit {
        let prepared = unsafe Array(statements.values)
        for index in unsafe prepared.indices { unsafe sqlite3_finalize(prepared[index]) }
        unsafe sqlite3_close_v2(database)
    }

    /// Limits the length of a value in bytes, and the number of steps of SQLite's virtual machine per query.
    package func limit(valueBytes: Int, steps: Int32) {
        unsafe sqlite3_limit(database, SQLITE_LIMIT_LENGTH, Int32(clamping: valueBytes))
        // A view may contain an endless query: it is interrupted at the first call of this function.
        unsafe sqlite3_progress_handler(database, steps, { _ in 1 }, nil)
    }

    /// Lets a statement wait for other processes, at most this number of milliseconds.
    package func waitForOthers(milliseconds: Int32) { unsafe sqlite3_busy_timeout(database, milliseconds) }

    /// Performs statements without parameters.
    package func execute(_ statements: String) throws(Problem) {
        let status = unsafe sqlite3_exec(database, statements, nil, nil, nil)
        guard status == SQLITE_OK else { throw problem(status) }
    }

    /// Performs changes as a whole or not at all; no other connection writes meanwhile.
    package func transaction<Result, Failure: Error>(
        _ failure: (Problem) -> Failure,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        do { try execute("BEGIN IMMEDIATE") } catch { throw failure(error) }
        do throws(Failure) {
            let result = try body()
            do throws(Problem) { try execute("COMMIT") } catch { throw failure(error) }
            return result
        } catch {
            // SQLite has ended the transaction itself after some errors, so that there is nothing to undo.
            try? execute("ROLLBACK")
            throw error
        }
    }

    /// Performs a statement; returns its rows, at most `limit`.
    @discardableResult
    package func rows(_ query: String, _ values: [Value] = [], limit: Int = .max) throws(Problem) -> [[Value]] {
        let statement = try unsafe statement(query)
        defer {
            unsafe sqlite3_reset(statement)
            unsafe sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            let status = unsafe bind(value, Int32(index + 1), statement)
            guard status == SQLITE_OK else { throw problem(status) }
        }
        var rows: [[Value]] = []
        while rows.count < limit {
            switch unsafe sqlite3_step(statement) {
            case SQLITE_ROW: rows.append(unsafe row(of: statement))
            case SQLITE_DONE: return rows
            case let status: throw problem(status)
            }
        }
        return rows
    }

    // MARK: Calls of SQLite

    /// Returns a statement that is ready to be performed; it is compiled once.
    private func statement(_ query: String) throws(Problem) -> OpaquePointer {
        if let statement = unsafe statements[query] { return unsafe statement }
        var prepared: OpaquePointer?
        let status = unsafe sqlite3_prepare_v2(database, query, -1, &prepared, nil)
        guard status == SQLITE_OK, let statement = unsafe prepared else { throw problem(status) }
        unsafe statements[query] = statement
        return unsafe statement
    }

    /// Tells SQLite to copy a value (`SQLITE_TRANSIENT`, a macro that Swift cannot import).
    private static let copies = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private func bind(_ value: Value, _ index: Int32, _ statement: OpaquePointer) -> Int32 {
        switch value {
        case .null: unsafe sqlite3_bind_null(statement, index)
        case .integer(let number): unsafe sqlite3_bind_int64(statement, index, Int64(number))
        case .real(let number): unsafe sqlite3_bind_double(statement, index, number)
        case .text(let text): unsafe sqlite3_bind_text(statement, index, text, -1, Self.copies)
        case .bytes(let bytes): unsafe sqlite3_bind_blob(statement, index, bytes, Int32(bytes.count), Self.copies)
        }
    }

    private func row(of statement: OpaquePointer) -> [Value] {
        (0..<(unsafe sqlite3_column_count(statement))).map { column in
            switch unsafe sqlite3_column_type(statement, column) {
            case SQLITE_INTEGER: .integer(Int(unsafe sqlite3_column_int64(statement, column)))
            case SQLITE_FLOAT: .real(unsafe sqlite3_column_double(statement, column))
            case SQLITE_TEXT: .text(String(decoding: unsafe bytes(of: statement, column), as: UTF8.self))
            case SQLITE_BLOB: .bytes(unsafe bytes(of: statement, column))
            default: .null
            }
        }
    }

    private func bytes(of statement: OpaquePointer, _ column: Int32) -> [UInt8] {
        guard let start = unsafe sqlite3_column_blob(statement, column) else { return [] }
        let count = Int(unsafe sqlite3_column_bytes(statement, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    private func problem(_ status: Int32) -> Problem {
        Problem(code: status & 0xFF, message: unsafe String(cString: sqlite3_errmsg(database)))
    }
}

extension SQLiteDatabase.Value {
    /// The number; `nil` for other values.
    package var integer: Int? { if case .integer(let number) = self { number } else { nil } }

    /// The number with its fraction; `nil` for other values.
    package var real: Double? {
        switch self {
        case .real(let number): number
        case .integer(let number): Double(number)
        default: nil
        }
    }

    /// The text; `nil` for other values.
    package var text: String? { if case .text(let text) = self { text } else { nil } }

    /// The bytes of a blob or of a text, or the digits of a number; `nil` without a value.
    package var bytes: [UInt8]? {
        switch self {
        case .bytes(let bytes): bytes
        case .text(let text): Array(text.utf8)
        case .integer(let number): Array(String(number).utf8)
        case .real(let number): Array(String(number).utf8)
        case .null: nil
        }
    }
}
