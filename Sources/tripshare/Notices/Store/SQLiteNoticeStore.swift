import Failures
import Foundation
import Runtime
import Synchronization
import TripScreen
import TripText

/// Stores notices in an SQLite database that several sessions use at the same time.
///
/// A damaged database is moved aside and a new one is begun; ``dequeueLosses()`` says so.
final class SQLiteNoticeStore: NoticeStore {
    /// The most notices, and the most bytes of the database and its write-ahead log together.
    static let mostNotices = 100_000
    static let mostBytes = 64 << 20
    /// The bytes of the write-ahead log, which SQLite empties after every 1,000 pages of 4,096 bytes, and of its index.
    private static let logBytes = 8 << 20
    /// How long a call waits for other processes before and after a session.
    static let longestWait = Duration.seconds(2)
    /// How long a call waits for other processes while a session polls and draws.
    static let shortWait = Duration.milliseconds(50)

    private struct State {
        var database: NoticeDatabase?
        var losses: [NoticeStoreLoss] = []
        /// Whether the file is gone, and there can be no new one.
        var isMissing = false
        /// How long a call waits for another process.
        var patience = SQLiteNoticeStore.longestWait
        /// Whether another process still held the lock at the last call, so that the next one does not wait for it again.
        var isLocked = false
    }

    let path: String
    let session: String
    var isPersistent: Bool { true }
    private let files: NoticeFiles
    private let mark: SessionMark
    private let mostNotices: Int
    private let mostBytes: Int
    private let now: @Sendable () -> Date
    private let state: Locked<State>

    /// Opens the database of a path for a session that ends with this object or with the process.
    ///
    /// - Parameters:
    ///   - path: The file; it and its folder are created for the owner alone.
    ///   - session: The name of the session.
    ///   - mostNotices: With how many notices it is full.
    ///   - mostBytes: With how many bytes it is full.
    ///   - now: The time for the name of a damaged file.
    /// - Throws: The reason if there can be no file.
    init(
        path: String,
        session: String = .randomSession(),
        mostNotices: Int = SQLiteNoticeStore.mostNotices,
        mostBytes: Int = SQLiteNoticeStore.mostBytes,
        now: @escaping @Sendable () -> Date
    ) throws(NoticeStoreError) {
        files = NoticeFiles(database: path)
        try files.prepare()
        files.removeOldMarks()
        guard let mark = SessionMark(files.mark(of: session)) else { throw .disk(SystemReason.text(errno)) }
        (self.path, self.session, self.mark, self.now) = (path, session, mark, now)
        (self.mostNotices, self.mostBytes) = (mostNotices, mostBytes)
        state = Locked(State())
        try state.withLock { (state) throws(NoticeStoreError) in try open(&state, wasDamaged: false) }
    }

    deinit {
        state.withLock { close(&$0) }
    }

    /// Returns what was lost since the last call.
    func dequeueLosses() -> [NoticeStoreLoss] {
        state.withLock { state in
            defer { state.losses = [] }
            return state.losses
        }
    }

    func register(_ receiver: String, shownName: String) throws(NoticeStoreError) {
        try perform { (database) throws(SQLiteDatabase.Problem) in try database.register(receiver, shownName) }
    }

    func add(_ notice: StoredNotice, for receivers: [String]) throws(NoticeStoreError) {
        let isFull = try perform { [mostNotices, session] (database) throws(SQLiteDatabase.Problem) in
            try database.transaction { () throws(SQLiteDatabase.Problem) in
                guard try database.count() < mostNotices else { return true }
                try database.add(notice, for: receivers, owner: session)
                return false
            }
        }
        if isFull { throw .full }
    }

    func adopt(for receivers: [String]) throws(NoticeStoreError) -> [String: [StoredNotice]] {
        try perform { [files, session] (database) throws(SQLiteDatabase.Problem) in
            // In one transaction, so that no other session can take over the same.
            try database.transaction { () throws(SQLiteDatabase.Problem) in
                var gone: [String: Bool] = [session: false]
                var adopted: [String: [StoredNotice]] = [:]
                for receiver in Set(receivers) {
                    var hasNew = false
                    for owner in try database.owners(of: receiver) {
                        let isGone = gone[owner] ?? SessionMark.isGone(files.mark(of: owner))
                        gone[owner] = isGone
                        guard isGone else { continue }
                        try database.pass(receiver, from: owner, to: session)
                        hasNew = true
                    }
                    if hasNew { adopted[receiver] = try database.waiting(for: receiver, owner: session) }
                }
                return adopted
            }
        }
    }

    func finish(_ id: NoticeID, for receiver: String) throws(NoticeStoreError) {
        try perform { (database) throws(SQLiteDatabase.Problem) in try database.remove(id, for: receiver) }
    }

    func postpone(_ id: NoticeID, for receiver: String, attempts: Int, due: Date) throws(NoticeStoreError) {
        try perform { (database) throws(SQLiteDatabase.Problem) in try database.postpone(id, receiver, attempts, due) }
    }

    func conclude(_ id: NoticeID, for receiver: String, reason: String) throws(NoticeStoreError) {
        try perform { (database) throws(SQLiteDatabase.Problem) in try database.conclude(id, receiver, reason) }
    }

    func check() throws(NoticeStoreError) {
        _ = try perform { (database) throws(SQLiteDatabase.Problem) in try database.count() }
    }

    func waitBriefly(_ isBrief: Bool) {
        state.withLock { state in
            (state.patience, state.isLocked) = (isBrief ? Self.shortWait : Self.longestWait, false)
            state.database?.wait(atMost: state.patience)
        }
    }

    func waiting() throws(NoticeStoreError) -> [WaitingNotice] {
        let all = try perform { (database) throws(SQLiteDatabase.Problem) in try database.waiting() }
        var gone: [String: Bool] = [session: false]
        return all.map { waiting in
            var waiting = waiting
            waiting.isLeft = gone[waiting.owner] ?? SessionMark.isGone(files.mark(of: waiting.owner))
            gone[waiting.owner] = waiting.isLeft
            return waiting
        }
    }

    func discard(_ filter: (WaitingNotice) -> Bool) throws(NoticeStoreError) -> Int {
        try perform { (database) throws(SQLiteDatabase.Problem) in
            try database.transaction { () throws(SQLiteDatabase.Problem) in
                let discarded = try database.waiting().filter(filter)
                for row in discarded { try database.remove(row.notice.id, for: row.receiver) }
                return discarded.count
            }
        }
    }

    // MARK: The file

    /// Performs something on the database; begins a new one if it is damaged or gone.
    private func perform<Result: Sendable>(
        _ body: (NoticeDatabase) throws(SQLiteDatabase.Problem) -> Result
    ) throws(NoticeStoreError) -> Result {
        try state.withLock { (state) throws(NoticeStoreError) in
            if let identity = state.database?.identity, identity != FileNumber(path: path) {
                // Removed by hand, or moved aside by another session that has found damage.
                try replace(&state)
            }
            for isLast in [false, true] {
                guard let database = state.database else {
                    try open(&state, wasDamaged: false)
                    continue
                }
                do throws(SQLiteDatabase.Problem) {
                    return try attempt(on: database, &state, body)
                } catch {
                    guard error.isDamage, !isLast else {
                        throw NoticeStoreError(error, isAtLimit: database.isAtLimit)
                    }
                    try open(&state, wasDamaged: true)
                }
            }
            guard let database = state.database else { throw .unreadable("") }
            do throws(SQLiteDatabase.Problem) {
                return try attempt(on: database, &state, body)
            } catch {
                throw NoticeStoreError(error, isAtLimit: database.isAtLimit)
            }
        }
    }

    /// Performs something once; a lock that lasts is waited for only once.
    private func attempt<Result: Sendable>(
        on database: NoticeDatabase,
        _ state: inout State,
        _ body: (NoticeDatabase) throws(SQLiteDatabase.Problem) -> Result
    ) throws(SQLiteDatabase.Problem) -> Result {
        do throws(SQLiteDatabase.Problem) {
            let result = try body(database)
            if state.isLocked { database.wait(atMost: state.patience) }
            state.isLocked = false
            return result
        } catch {
            if error.isBusy, !state.isLocked {
                state.isLocked = true
                database.wait(atMost: .zero)
            }
            throw error
        }
    }

    /// Begins a new file, because the old one is gone.
    private func replace(_ state: inout State) throws(NoticeStoreError) {
        do throws(NoticeStoreError) {
            try open(&state, wasDamaged: false)
        } catch {
            if !state.isMissing { state.losses.append(.missing) }
            state.isMissing = true
            throw error
        }
        if !state.isMissing { state.losses.append(.gone) }
        state.isMissing = false
    }

    /// Closes the database.
    ///
    /// SQLite removes the write-ahead log by its path when it closes the last connection. If the file was replaced, that would be
    /// the log of the new one, so that the connection stays open until the process ends.
    private func close(_ state: inout State) {
        if let database = state.database, database.identity != FileNumber(path: path) {
            _ = unsafe Unmanaged.passRetained(database)
        }
        state.database = nil
    }

    /// Opens the database; a damaged one is moved aside first.
    private func open(_ state: inout State, wasDamaged: Bool) throws(NoticeStoreError) {
        try files.prepare()
        let mostBytes = mostBytes - Self.logBytes
        try files.exclusively { () throws(NoticeStoreError) in
            close(&state)
            do throws(SQLiteDatabase.Problem) {
                state.database = try NoticeDatabase(path: path, thoroughly: wasDamaged, mostBytes: mostBytes)
                state.database?.wait(atMost: state.patience)
                return
            } catch {
                guard error.isDamage else { throw NoticeStoreError(error, isAtLimit: false) }
            }
            state.losses.append(.movedAside(try files.moveAside(at: now())))
            try files.prepare()
            do throws(SQLiteDatabase.Problem) {
                state.database = try NoticeDatabase(path: path, thoroughly: false, mostBytes: mostBytes)
                state.database?.wait(atMost: state.patience)
            } catch {
                throw NoticeStoreError(error, isAtLimit: false)
            }
        }
    }
}

extension NoticeStoreError {
    /// Why SQLite cannot do something; `isAtLimit` tells a full store from a full disk.
    init(_ problem: SQLiteDatabase.Problem, isAtLimit: Bool) {
        if problem.isFull {
            self = isAtLimit ? .full : .disk(SystemReason.text(ENOSPC))
        } else if problem.isBusy {
            self = .locked(problem.message)
        } else if problem.isMismatch {
            self = .unreadable(Localizer.ofProcess(.noticeStoreVersion))
        } else if problem.isDamage {
            self = .unreadable(problem.message)
        } else {
            self = .disk(problem.message)
        }
    }
}

extension String {
    /// A name for a session that no other session has: 16 random hexadecimal digits.
    static func randomSession() -> String {
        var random = SystemRandomNumberGenerator()
        let text = String(random.next(), radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}
