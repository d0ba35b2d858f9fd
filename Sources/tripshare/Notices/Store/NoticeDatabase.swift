import Foundation
import Runtime
import TripScreen

/// The tables of the notices that wait, and the statements on them.
///
/// A write-ahead log makes each change whole after a process was killed, and lets another process read meanwhile. A store uses it
/// inside of its lock only, so that it may pass from one thread to another.
final class NoticeDatabase: @unchecked Sendable {
    /// The version of the tables.
    private static let version = 1
    private static let tables = """
        CREATE TABLE receivers (key TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE notices (
            number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, session TEXT NOT NULL,
            sequence INTEGER NOT NULL, journey TEXT NOT NULL, event TEXT NOT NULL, body BLOB NOT NULL, created REAL NOT NULL
        );
        CREATE TABLE deliveries (
            receiver TEXT NOT NULL, notice INTEGER NOT NULL REFERENCES notices (number), owner TEXT NOT NULL,
            attempts INTEGER NOT NULL, due REAL NOT NULL, conclusion TEXT, PRIMARY KEY (receiver, notice)
        ) WITHOUT ROWID;
        CREATE INDEX deliveries_of_notice ON deliveries (notice);
        CREATE INDEX deliveries_of_owner ON deliveries (owner);
        CREATE TABLE size (notices INTEGER NOT NULL);
        INSERT INTO size VALUES (0);
        CREATE TRIGGER added AFTER INSERT ON notices BEGIN UPDATE size SET notices = notices + 1; END;
        CREATE TRIGGER removed AFTER DELETE ON notices BEGIN UPDATE size SET notices = notices - 1; END;
        CREATE TRIGGER finished AFTER DELETE ON deliveries
            WHEN NOT EXISTS (SELECT 1 FROM deliveries WHERE notice = OLD.notice)
            BEGIN DELETE FROM notices WHERE number = OLD.notice; END;
        """

    private let database: SQLiteDatabase
    /// Which file it is, to notice that it was moved or removed.
    let identity: FileNumber?

    /// Opens the file, checks it, and creates the tables if it is new.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - thoroughly: Whether the indexes are compared with the tables, too.
    ///   - mostBytes: The most bytes of the file without the write-ahead log.
    /// - Throws: A problem that is damage if the file is no database, or not whole.
    init(path: String, thoroughly: Bool, mostBytes: Int) throws(SQLiteDatabase.Problem) {
        database = try SQLiteDatabase(path: path, .shared)
        identity = FileNumber(path: path)
        database.waitForOthers(milliseconds: 2000)
        // Pages have 4,096 bytes. Removed bodies are overwritten, because positions are personal data.
        for setting in [
            "auto_vacuum = INCREMENTAL", "journal_mode = WAL", "synchronous = NORMAL", "secure_delete = ON",
            "trusted_schema = OFF", "cache_size = -2000", "journal_size_limit = 4194304",
            "max_page_count = \(mostBytes / 4096)",
        ] {
            try database.rows("PRAGMA \(setting)")
        }
        let check = try database.rows("PRAGMA \(thoroughly ? "integrity_check" : "quick_check")(1)")
        guard check.first?.first?.text == "ok" else { throw .damage(check.first?.first?.text) }
        try database.transaction(\.self) { () throws(SQLiteDatabase.Problem) in
            switch try database.rows("PRAGMA user_version").first?.first?.integer {
            case 0: try database.execute(Self.tables + "PRAGMA user_version = \(Self.version)")
            case Self.version: break
            default: throw .otherVersion
            }
        }
        // Gives the space of what was removed back to the file system.
        try database.rows("PRAGMA incremental_vacuum")
    }

    /// Limits how long a statement waits for other processes.
    func wait(atMost limit: Duration) { database.waitForOthers(milliseconds: Int32(clamping: limit.milliseconds)) }

    /// Whether the file has about as many bytes as it may have.
    ///
    /// SQLite has the same result code for a file system that is full. The file is small then, unless both are full.
    var isAtLimit: Bool {
        guard let pages = try? database.rows("PRAGMA page_count").first?.first?.integer,
            let most = try? database.rows("PRAGMA max_page_count").first?.first?.integer
        else { return false }
        return pages > most / 2
    }

    /// The number of notices.
    func count() throws(SQLiteDatabase.Problem) -> Int {
        try database.rows("SELECT notices FROM size").first?.first?.integer ?? 0
    }

    func transaction<Result>(
        _ body: () throws(SQLiteDatabase.Problem) -> Result
    ) throws(SQLiteDatabase.Problem) -> Result {
        try database.transaction(\.self, body)
    }

    func register(_ receiver: String, _ name: String) throws(SQLiteDatabase.Problem) {
        try database.rows("INSERT OR REPLACE INTO receivers VALUES (?, ?)", [.text(receiver), .text(name)])
    }

    /// Adds a notice for a receiver; its body is stored once.
    func add(_ notice: StoredNotice, for receivers: [String], owner: String) throws(SQLiteDatabase.Problem) {
        try database.rows(
            """
            INSERT OR IGNORE INTO notices (id, session, sequence, journey, event, body, created) VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(notice.id.text), .text(notice.session), .integer(notice.sequence), .text(notice.journey),
                .text(notice.event), .bytes(notice.body), .real(notice.created.timeIntervalSince1970),
            ]
        )
        for receiver in receivers {
            try database.rows(
                """
                INSERT OR IGNORE INTO deliveries (receiver, notice, owner, attempts, due)
                SELECT ?, number, ?, ?, ? FROM notices WHERE id = ?
                """,
                [
                    .text(receiver), .text(owner), .integer(notice.attempts),
                    .real(notice.due.timeIntervalSince1970), .text(notice.id.text),
                ]
            )
        }
    }

    /// The sessions that have something for a receiver.
    func owners(of receiver: String) throws(SQLiteDatabase.Problem) -> [String] {
        try database.rows("SELECT DISTINCT owner FROM deliveries WHERE receiver = ?", [.text(receiver)])
            .compactMap { $0.first?.text }
    }

    /// Lets a session deliver what another one has left for a receiver.
    func pass(_ receiver: String, from owner: String, to session: String) throws(SQLiteDatabase.Problem) {
        try database.rows(
            "UPDATE deliveries SET owner = ? WHERE receiver = ? AND owner = ?",
            [.text(session), .text(receiver), .text(owner)]
        )
    }

    private static let waiting = """
        SELECT id, session, sequence, journey, event, body, created, attempts, due, conclusion, receiver, name, owner
        FROM deliveries JOIN notices ON notice = number LEFT JOIN receivers ON receiver = key
        """

    /// What waits for a receiver and is delivered by a session, oldest first.
    func waiting(for receiver: String, owner: String) throws(SQLiteDatabase.Problem) -> [StoredNotice] {
        try database.rows(
            Self.waiting + " WHERE receiver = ? AND owner = ? ORDER BY number",
            [.text(receiver), .text(owner)]
        )
        .compactMap { WaitingNotice($0)?.notice }
    }

    /// All that waits, oldest first.
    func waiting() throws(SQLiteDatabase.Problem) -> [WaitingNotice] {
        try database.rows(Self.waiting + " ORDER BY number, receiver").compactMap { WaitingNotice($0) }
    }

    func remove(_ id: NoticeID, for receiver: String) throws(SQLiteDatabase.Problem) {
        try change("DELETE FROM deliveries", [], id, receiver)
    }

    func postpone(_ id: NoticeID, _ receiver: String, _ attempts: Int, _ due: Date) throws(SQLiteDatabase.Problem) {
        let values: [SQLiteDatabase.Value] = [.integer(attempts), .real(due.timeIntervalSince1970)]
        try change("UPDATE deliveries SET attempts = ?, due = ?", values, id, receiver)
    }

    func conclude(_ id: NoticeID, _ receiver: String, _ reason: String) throws(SQLiteDatabase.Problem) {
        try change("UPDATE deliveries SET conclusion = ?", [.text(reason)], id, receiver)
    }

    private func change(
        _ statement: String,
        _ values: [SQLiteDatabase.Value],
        _ id: NoticeID,
        _ receiver: String
    ) throws(SQLiteDatabase.Problem) {
        try database.rows(
            statement + " WHERE receiver = ? AND notice = (SELECT number FROM notices WHERE id = ?)",
            values + [.text(receiver), .text(id.text)]
        )
    }
}

extension WaitingNotice {
    /// Reads a row of ``NoticeDatabase``; `nil` if a value is missing.
    fileprivate init?(_ row: [SQLiteDatabase.Value]) {
        guard row.count == 13, let id = row[0].text, let session = row[1].text, let sequence = row[2].integer,
            let journey = row[3].text, let event = row[4].text, let body = row[5].bytes, let created = row[6].real,
            let attempts = row[7].integer, let due = row[8].real, let receiver = row[10].text
        else { return nil }
        notice = StoredNotice(
            id: NoticeID(text: id),
            session: session,
            sequence: sequence,
            journey: journey,
            event: event,
            body: body,
            created: Date(timeIntervalSince1970: created),
            attempts: attempts,
            due: Date(timeIntervalSince1970: due),
            conclusion: row[9].text
        )
        self.receiver = receiver
        receiverName = row[11].text ?? receiver
        owner = row[12].text ?? ""
    }
}

extension SQLiteDatabase.Problem {
    /// A check of the database has found damage.
    fileprivate static func damage(_ message: String?) -> Self { Self(damage: message ?? "") }
    /// A newer program has other tables.
    fileprivate static var otherVersion: Self { Self(mismatch: "user_version") }
}
