import Foundation

/// Stores notices until they are delivered, so that none is lost with the process.
///
/// A notice may be for several receivers; each of them finishes it on its own. The calls are short and may block for a file, for a bounded time.
protocol NoticeStore: Sendable {
    /// Where it is, for messages.
    var path: String { get }
    /// Whether the notices are there for a later session.
    var isPersistent: Bool { get }
    /// The name of this session among all that use the store: random hexadecimal digits.
    var session: String { get }

    /// Stores the name of a receiver that may be shown.
    func register(_ receiver: String, shownName: String) throws(NoticeStoreError)
    /// Stores a notice for receivers before it is sent.
    ///
    /// For a receiver for which a notice with this ID waits already, it is not stored twice.
    func add(_ notice: StoredNotice, for receivers: [String]) throws(NoticeStoreError)
    /// Takes over what sessions that are gone have left for these receivers, in the order of the notices.
    func adopt(for receivers: [String]) throws(NoticeStoreError) -> [String: [StoredNotice]]
    /// Removes a notice that was delivered, or whose conclusion was reported.
    func finish(_ id: NoticeID, for receiver: String) throws(NoticeStoreError)
    /// Stores when a notice is sent again.
    func postpone(_ id: NoticeID, for receiver: String, attempts: Int, due: Date) throws(NoticeStoreError)
    /// Stores why a notice is not sent any more, before that is reported.
    func conclude(_ id: NoticeID, for receiver: String, reason: String) throws(NoticeStoreError)
    /// Throws if nothing can be stored; notices that the file is gone, which ``dequeueLosses()`` says.
    func check() throws(NoticeStoreError)
    /// Sets whether calls wait only briefly for other processes, because a session polls and draws meanwhile.
    func waitBriefly(_ isBrief: Bool)
    /// Returns all that waits, oldest first.
    func waiting() throws(NoticeStoreError) -> [WaitingNotice]
    /// Removes what a filter selects; returns the number.
    func discard(_ filter: (WaitingNotice) -> Bool) throws(NoticeStoreError) -> Int
    /// Returns what was lost since the last call; the sender stores again what it has in memory.
    func dequeueLosses() -> [NoticeStoreLoss]
}

extension NoticeStore {
    func check() throws(NoticeStoreError) {}
    func waitBriefly(_ isBrief: Bool) {}
    func dequeueLosses() -> [NoticeStoreLoss] { [] }
}

/// How a store has lost its file, and begun a new one.
enum NoticeStoreLoss: Sendable, Equatable {
    /// The file was damaged, and is now at this path.
    case movedAside(String)
    /// The file was removed or moved by another process.
    case gone
    /// The file was removed or moved by another process, and there can be no new one at present.
    case missing
}

/// Why notices cannot be stored or read.
enum NoticeStoreError: Error, Sendable, Equatable {
    /// The store has as many notices, or is as large, as it may be.
    case full
    /// It is no database, or it is damaged.
    case unreadable(String)
    /// Another process writes the file, or reads it as a whole; a later attempt may succeed.
    case locked(String)
    /// The file cannot be opened or written; the reason is that of the system or of SQLite.
    case disk(String)
}
