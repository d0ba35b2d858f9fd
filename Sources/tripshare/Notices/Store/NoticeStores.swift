import Failures
import Foundation
import Runtime
import TripText

/// The stored notices of this user, for commands without a session.
enum NoticeStores {
    /// Opens the store; in memory if there is no file, so that none is created.
    static func open() throws(CommandFailure) -> any NoticeStore {
        guard let path = NoticeFiles.path(environment: ProcessContext.current.environment),
            !NoticeFiles(database: path).isMissing
        else { return MemoryNoticeStore() }
        let store: SQLiteNoticeStore
        do throws(NoticeStoreError) {
            store = try SQLiteNoticeStore(path: path, now: { Date() })
        } catch {
            throw CommandFailure(error)
        }
        for case .movedAside(let path) in store.dequeueLosses() {
            Printing.warning(.noticeStoreMoved(file: excerpt(path: path)))
        }
        return store
    }

    /// Returns what waits, oldest first; without what is only to be reported.
    static func waiting(in store: any NoticeStore) throws(CommandFailure) -> [WaitingNotice] {
        do throws(NoticeStoreError) {
            return try store.waiting().filter { $0.notice.conclusion == nil }
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Returns the sentence for a command that has found nothing to do among these waiting notices.
    static func nothing(of count: Int, _ localizer: Localizer) -> String {
        localizer(count == 0 ? .noticesNone : .noticesNoneFit(count: count))
    }

    /// Removes what a filter selects; returns the number.
    static func discard(
        in store: any NoticeStore,
        _ filter: (WaitingNotice) -> Bool
    ) throws(CommandFailure) -> Int {
        do throws(NoticeStoreError) { return try store.discard(filter) } catch { throw CommandFailure(error) }
    }
}

extension CommandFailure {
    /// Creates the failure of a command that cannot read or change the stored notices.
    fileprivate init(_ error: NoticeStoreError) {
        self.init(.outputFailed) { $0(.failureNoticesStore(reason: error.reason)) }
    }
}
