import Foundation

/// Standard input, output and error.
package enum StandardFiles {
    /// Returns whether a path names an open file of a process, to which `/dev/stdout` is a link.
    package static func isOpenFile(_ path: String) -> Bool {
        #if os(Linux)
        path.hasPrefix("/proc/") && path.contains("/fd/")
        #else
        path.hasPrefix("/dev/fd/")
        #endif
    }

    /// Opens `/dev/null` for each of the three descriptors that is closed.
    ///
    /// Otherwise a file opened later could get descriptor 0, 1 or 2 and receive output meant for a terminal.
    ///
    /// It is opened in the wrong direction, so that reads and writes still fail and are detected. Call it before any file is
    /// opened.
    package static func fillGaps() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // This is the lowest free descriptor, because the lower ones are open.
            _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
