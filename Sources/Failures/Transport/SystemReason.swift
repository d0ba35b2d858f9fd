import Foundation

/// The reason of a failed system call in words.
package enum SystemReason {
    /// Returns the reason for an error number; for too many open files, with the limit and what to do.
    package static func text(_ number: Int32) -> String {
        switch number {
        case EMFILE: "too many open files: the limit is \(openFileLimit); raise it with ulimit -n"
        case ENFILE: "too many open files on this machine: close other programs"
        default: unsafe String(cString: strerror(number))
        }
    }

    /// Whether a number is the error number for too many open files.
    package static func isOfOpenFiles(_ number: Int32) -> Bool { number == EMFILE || number == ENFILE }

    /// Returns the reason why no more files can be opened now; `nil` if one can.
    ///
    /// A failed search for a host does not report that it could not read the system's files.
    package static func ofMissingFiles() -> String? {
        let file = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard file < 0 else {
            close(file)
            return nil
        }
        return isOfOpenFiles(errno) ? text(errno) : nil
    }

    private static var openFileLimit: String {
        // POSIX: the soft limit of the process.
        let limit = sysconf(Int32(_SC_OPEN_MAX))
        return limit >= 0 ? String(limit) : "unknown"
    }
}
