import Failures
import Glibc
import TripText

/// The limit on open files and connections of the process (`RLIMIT_NOFILE`).
enum OpenFileLimit {
    /// The requested limit.
    ///
    /// Child processes inherit it, and some of them iterate over every possible descriptor.
    private static let wanted: rlim_t = 65_536
    /// Descriptors needed besides the event loops.
    private static let leastWithoutLoops: rlim_t = 64
    /// Descriptors per event loop; there is one loop per processor.
    private static let perLoop: rlim_t = 3

    /// Raises the soft limit as far as an unprivileged process may.
    ///
    /// Throws a ``CommandFailure`` if the result is too low: event loops trap if they cannot open descriptors.
    static func raise() throws(CommandFailure) {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0 else { return }
        let target = min(limit.rlim_max, wanted)
        if limit.rlim_cur < target {
            var raised = limit
            raised.rlim_cur = target
            if unsafe setrlimit(resource, &raised) == 0 { limit = raised }
        }
        let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let least = leastWithoutLoops + perLoop * rlim_t(processors)
        guard limit.rlim_cur < least else { return }
        throw CommandFailure(
            .unavailable,
            .failureOpenFiles,
            [
                "limit": String(limit.rlim_cur),
                "least": String(least),
            ]
        )
    }
}
