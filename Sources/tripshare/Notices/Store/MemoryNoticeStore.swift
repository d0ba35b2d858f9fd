import Foundation
import Runtime
import Synchronization

/// Stores notices in memory: for tests, and where there is no folder for a file.
final class MemoryNoticeStore: NoticeStore {
    fileprivate struct Key: Hashable {
        var receiver: String
        var id: NoticeID
    }

    fileprivate struct Row {
        var notice: StoredNotice
        /// The session that delivers it.
        var owner: String
        /// The position among all rows.
        var number: Int
    }

    /// What several sessions share.
    final class Contents: Sendable {
        fileprivate let state = Locked(State())

        /// Creates an empty store.
        init() {}
    }

    fileprivate struct State {
        var rows: [Key: Row] = [:]
        /// For how many receivers a notice waits.
        var uses: [NoticeID: Int] = [:]
        var names: [String: String] = [:]
        var living: Set<String> = []
        var lastNumber = 0

        var sorted: [(key: Key, value: Row)] { rows.sorted { $0.value.number < $1.value.number } }

        mutating func remove(_ key: Key) {
            guard rows.removeValue(forKey: key) != nil, let count = uses[key.id] else { return }
            uses[key.id] = count > 1 ? count - 1 : nil
        }

        func waiting(_ row: (key: Key, value: Row)) -> WaitingNotice {
            WaitingNotice(
                notice: row.value.notice,
                receiver: row.key.receiver,
                receiverName: names[row.key.receiver] ?? row.key.receiver,
                owner: row.value.owner,
                isLeft: !living.contains(row.value.owner)
            )
        }
    }

    let path: String
    let isPersistent: Bool
    let session: String
    private let contents: Contents
    private let mostNotices: Int

    /// Opens the store for a session that lives until ``end()``.
    ///
    /// - Parameters:
    ///   - session: The name of the session; another one for each session with the same contents.
    ///   - contents: What earlier sessions have left.
    ///   - mostNotices: With how many notices it is full.
    ///   - isPersistent: Whether it acts as a file does, in a test.
    ///   - path: The file that it replaces.
    init(
        session: String = "memory",
        contents: Contents = Contents(),
        mostNotices: Int = 100_000,
        isPersistent: Bool = false,
        path: String = "memory"
    ) {
        (self.session, self.contents, self.mostNotices) = (session, contents, mostNotices)
        (self.isPersistent, self.path) = (isPersistent, path)
        _ = contents.state.withLock { $0.living.insert(session) }
    }

    /// Ends the session; others can take over what it has left.
    func end() { _ = contents.state.withLock { $0.living.remove(session) } }

    func register(_ receiver: String, shownName: String) throws(NoticeStoreError) {
        contents.state.withLock { $0.names[receiver] = shownName }
    }

    func add(_ notice: StoredNotice, for receivers: [String]) throws(NoticeStoreError) {
        try contents.state.withLock { (state) throws(NoticeStoreError) in
            guard state.uses[notice.id] != nil || state.uses.count < mostNotices else { throw .full }
            for receiver in receivers {
                let key = Key(receiver: receiver, id: notice.id)
                guard state.rows[key] == nil else { continue }
                state.lastNumber += 1
                state.rows[key] = Row(notice: notice, owner: session, number: state.lastNumber)
                state.uses[notice.id, default: 0] += 1
            }
        }
    }

    func adopt(for receivers: [String]) throws(NoticeStoreError) -> [String: [StoredNotice]] {
        contents.state.withLock { state in
            var adopted: [String: [StoredNotice]] = [:]
            for (key, row) in state.sorted
            where !state.living.contains(row.owner) && receivers.contains(key.receiver) {
                state.rows[key]?.owner = session
                adopted[key.receiver, default: []].append(row.notice)
            }
            return adopted
        }
    }

    func finish(_ id: NoticeID, for receiver: String) throws(NoticeStoreError) {
        contents.state.withLock { $0.remove(Key(receiver: receiver, id: id)) }
    }

    func postpone(_ id: NoticeID, for receiver: String, attempts: Int, due: Date) throws(NoticeStoreError) {
        contents.state.withLock { state in
            state.rows[Key(receiver: receiver, id: id)]?.notice.attempts = attempts
            state.rows[Key(receiver: receiver, id: id)]?.notice.due = due
        }
    }

    func conclude(_ id: NoticeID, for receiver: String, reason: String) throws(NoticeStoreError) {
        contents.state.withLock { $0.rows[Key(receiver: receiver, id: id)]?.notice.conclusion = reason }
    }

    func waiting() throws(NoticeStoreError) -> [WaitingNotice] {
        contents.state.withLock { state in state.sorted.map(state.waiting) }
    }

    func discard(_ filter: (WaitingNotice) -> Bool) throws(NoticeStoreError) -> Int {
        contents.state.withLock { state in
            let discarded = state.sorted.filter { filter(state.waiting($0)) }.map(\.key)
            for key in discarded { state.remove(key) }
            return discarded.count
        }
    }
}
