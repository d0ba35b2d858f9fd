import Glibc

/// The time after which a process of its own ends, as the deadline of the test that waits for it does not reach it.
enum ProcessLimit {
    /// Lets SIGALRM end this process after some minutes.
    static func set(minutes: UInt32) { alarm(60 * minutes) }
}
