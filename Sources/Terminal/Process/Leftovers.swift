import CProcess

/// Files and empty folders that must not outlive this process.
///
/// They are removed before the process ends, whether by a signal, a trap, `exit` or the watchdog. Only SIGKILL, and a stack overflow
/// on a thread of Swift's task pool, leave them: no code runs then.
///
/// Without it, an emulator that is interrupted twice, or that ends while its machine is busy, leaves its ready file, and callers
/// wait for an emulator that has ended: `SuddenEndTests`.
package enum Leftovers {
    /// Notes that the file or folder that is now at a path has to be removed.
    ///
    /// What another process puts at the path is not removed. If the path is too long, or one of too many, it is not noted.
    package static func add(_ path: String) { _ = unsafe process_add_leftover(path) }

    /// Forgets a path, because the file was removed or is to last.
    package static func forget(_ path: String) { unsafe process_forget_leftover(path) }

    /// Removes all of them; the process has to end after it, and can't write any more files.
    package static func remove() { process_remove_leftovers() }

    /// From now on, the signals that end the process by default remove the files first.
    ///
    /// A file that would exceed a limit of the system (`ulimit -f`) is an error of its write instead of a signal.
    package static func coverSignals() { process_cover_signals() }
}

/// A change of files that an end of the process does not interrupt.
package enum UninterruptedWrite {
    /// Performs a change, which must neither wait for another process nor contain another such change.
    ///
    /// A signal that comes meanwhile ends the process after it, but one second later at the latest.
    package static func perform<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var write = process_write()
        unsafe process_write_begins(&write)
        defer { unsafe process_write_ends(&write) }
        return try body()
    }
}
