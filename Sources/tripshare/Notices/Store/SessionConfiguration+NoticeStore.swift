import Failures
import Foundation
import TripText

extension SessionConfiguration {
    /// Opens the store for the notices of the session; in memory if there are no receivers, or no usable file.
    ///
    /// - Returns: The store, and why there is no file, in the language of the process.
    func noticeStore() -> (store: any NoticeStore, problem: String?) {
        guard !notices.isEmpty else { return (MemoryNoticeStore(), nil) }
        guard let path = NoticeFiles.path(environment: ProcessContext.current.environment) else {
            let store = MemoryNoticeStore(session: .randomSession(), path: "~/.local/state/tripshare/notices.sqlite")
            return (store, NoticeStoreError.disk(SystemReason.text(ENOENT)).text(of: store))
        }
        do throws(NoticeStoreError) {
            return (try SQLiteNoticeStore(path: path, now: { Date() }), nil)
        } catch {
            let store = MemoryNoticeStore(session: .randomSession(), path: path)
            return (store, error.text(of: store))
        }
    }
}
