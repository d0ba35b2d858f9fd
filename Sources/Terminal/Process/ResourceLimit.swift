import CProcess
import Foundation

/// The limits of the process on resources.
package enum ResourceLimit {
    /// The soft limit on open files and connections (`RLIMIT_NOFILE`); `nil` if there is none.
    package static var openFiles: UInt64? { finite(platform_limit(PLATFORM_OPEN_FILES)) }
    /// The soft limit on the address space in bytes (`RLIMIT_AS`); `nil` if there is none, as on Darwin.
    package static var addressSpace: UInt64? { finite(platform_limit(PLATFORM_ADDRESS_SPACE)) }
    /// The soft limit on the stack of a thread in bytes (`RLIMIT_STACK`); `nil` if there is none.
    package static var stack: UInt64? { finite(platform_limit(PLATFORM_STACK)) }
    /// The number of processors in use, at least 1.
    package static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Raises the soft limit on open files as far as an unprivileged process may.
    ///
    /// - Parameter wanted: The wanted limit; a higher one stays.
    /// - Returns: The limit that now applies; `nil` if there is none.
    package static func raiseOpenFiles(to wanted: UInt64) -> UInt64? { finite(platform_raise_open_files(wanted)) }

    private static func finite(_ limit: UInt64) -> UInt64? { limit == .max ? nil : limit }
}
