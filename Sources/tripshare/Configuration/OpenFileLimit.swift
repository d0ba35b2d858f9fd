import Failures
import Terminal
import TripText

/// The limit on open files and connections of the process (`RLIMIT_NOFILE`).
///
/// Without it, a user with a low limit sees a trap of an event loop instead of the limit to set, and one with a low soft limit
/// cannot start at all: `HostileEnvironmentTests`, “reports too few open files, and raises the limit if possible”, and
/// `TokenCommandTests`, “a token command fails at once if almost no files can be opened”.
enum OpenFileLimit {
    /// The requested limit.
    ///
    /// Child processes inherit it, and some of them iterate over every possible descriptor.
    private static let wanted: UInt64 = 65_536
    /// Descriptors needed besides the event loops.
    private static let leastWithoutLoops: UInt64 = 64
    /// Descriptors per event loop; there is one loop per processor.
    private static let perLoop: UInt64 = 3

    /// Raises the soft limit as far as an unprivileged process may.
    ///
    /// Throws a ``CommandFailure`` if the result is too low: event loops trap if they cannot open descriptors.
    static func raise() throws(CommandFailure) {
        guard let limit = ResourceLimit.raiseOpenFiles(to: wanted) else { return }
        let least = leastWithoutLoops + perLoop * UInt64(ResourceLimit.processors)
        guard limit < least else { return }
        throw CommandFailure(
            .unavailable,
            .failureOpenFiles(limit: String(limit), least: String(least))
        )
    }
}
