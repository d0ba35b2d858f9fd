import Glibc
import Synchronization

/// Remembers one thread.
final class ThreadMark: Sendable {
    private let thread = Atomic<UInt>(0)

    /// Remembers the thread that calls.
    func markThisThread() {
        thread.store(UInt(pthread_self()), ordering: .releasing)
    }

    /// Whether the thread that calls is the one remembered.
    var isThisThread: Bool { thread.load(ordering: .acquiring) == UInt(pthread_self()) }
}
