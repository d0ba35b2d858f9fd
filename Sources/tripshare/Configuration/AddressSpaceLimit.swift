import Failures
import Terminal
import TripText

/// The limit on the address space of the process (`RLIMIT_AS`).
///
/// Without memory for a thread or a list, the libraries trap or access invalid addresses, which cannot be reported. Without
/// the check, a user in a container or a batch system with `ulimit -v` sees a program that a signal ends, with no reason:
/// `HostileEnvironmentTests`, “reports too little address space instead of ending by a signal”.
enum AddressSpaceLimit {
    /// Bytes for code, libraries and data; with about 350 MB, a session starts.
    private static let leastWithoutStacks: UInt64 = 512 << 20
    /// Threads per processor: an event loop and a thread of the concurrency library.
    private static let threadsPerProcessor: UInt64 = 2
    /// The size of a stack in bytes if it has no limit, and the largest that is counted.
    private static let (usualStack, largestStack): (UInt64, UInt64) = (8 << 20, 1 << 30)

    /// Throws a ``CommandFailure`` if the limit is too low.
    static func check() throws(CommandFailure) {
        guard let limit = ResourceLimit.addressSpace else { return }
        let stack = min(ResourceLimit.stack ?? usualStack, largestStack)
        let processors = UInt64(ResourceLimit.processors)
        let least = leastWithoutStacks + processors * threadsPerProcessor * stack
        guard limit < least else { return }
        throw CommandFailure(
            .unavailable,
            .failureAddressSpace(limit: String(limit >> 20), least: String(least >> 20))
        )
    }
}
