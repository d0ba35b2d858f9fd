import Glibc

/// Standard input, output and error.
package enum StandardFiles {
    /// Opens `/dev/null` in place of those that are closed, so that no file that is opened later gets the number 0, 1 or 2
    /// and receives what was meant for a terminal.
    ///
    /// It is opened the wrong way round: reading and writing still fail and are noticed. Call it before anything is opened.
    package static func fillGaps() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is this one, as those below it are taken.
            _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
