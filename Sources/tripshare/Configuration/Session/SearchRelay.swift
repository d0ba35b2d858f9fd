import Synchronization
import TripFeed

/// Passes the searches that a user asks for to the session that runs, so that they are among its events.
///
/// An answer may come after the session has ended.
final class SearchRelay: Sendable {
    private let searched = Mutex<(@Sendable (SearchEvent) -> Void)?>(nil)

    /// Passes the searches to a closure, which must not block; the earlier closure gets no more.
    func connect(_ searched: @escaping @Sendable (SearchEvent) -> Void) { self.searched.withLock { $0 = searched } }

    /// Ends the connection.
    func disconnect() { searched.withLock { $0 = nil } }

    /// Passes on a page or a failed search; it is lost without a connection.
    func pass(_ event: SearchEvent) { searched.withLock(\.self)?(event.requested) }
}
