import CNcurses
import Synchronization

/// Stores a thread's identity.
final class ThreadMark: Sendable {
    private let thread = Atomic<UInt>(0)

    /// Stores the current thread.
    func markThisThread() {
        thread.store(UInt(tn_thread()), ordering: .releasing)
    }

    /// Whether the current thread is the stored one.
    var isThisThread: Bool { thread.load(ordering: .acquiring) == UInt(tn_thread()) }
}
