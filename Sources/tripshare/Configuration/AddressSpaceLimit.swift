import Failures
import Glibc
import TripText

/// The limit on the address space of the process (`RLIMIT_AS`).
///
/// Without memory for a thread or a list, the libraries trap or access invalid addresses, which cannot be reported.
enum AddressSpaceLimit {
    /// Bytes for code, libraries and data; with about 350 MB, a session starts.
    private static let leastWithoutStacks: rlim_t = 512 << 20
    /// Threads per processor: an event loop and a thread of the concurrency library.
    private static let threadsPerProcessor: rlim_t = 2
    /// The size of a stack in bytes if it has no limit, and the largest that is counted.
    private static let (usualStack, largestStack): (rlim_t, rlim_t) = (8 << 20, 1 << 30)

    /// Throws a ``CommandFailure`` if the limit is too low.
    static func check() throws(CommandFailure) {
        guard let limit = current(RLIMIT_AS) else { return }
        let stack = min(current(RLIMIT_STACK) ?? usualStack, largestStack)
        let processors = rlim_t(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        let least = leastWithoutStacks + processors * threadsPerProcessor * stack
        guard limit < least else { return }
        throw CommandFailure(
            .unavailable,
            .failureAddressSpace,
            ["limit": String(limit >> 20), "least": String(least >> 20)]
        )
    }

    /// Returns a limit in bytes; `nil` if there is none.
    private static func current(_ resource: __rlimit_resource) -> rlim_t? {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0, limit.rlim_cur != .max else {
            return nil
        }
        return limit.rlim_cur
    }
}
