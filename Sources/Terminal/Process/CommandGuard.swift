import CProcess
import Foundation

/// Ends the processes of commands with this process.
///
/// A second, small process waits for the end of this one, because no code runs here after SIGKILL or a crash. The kernel's
/// PR_SET_PDEATHSIG would have to be set between fork and exec, and affects only the command itself, not its children.
///
/// Without it, a token command that waits, for example for a login in a browser, runs on after SIGKILL, a crash or the end by
/// ``Watchdog``: `TokenCommandTests`, “a signal ends a fetch, and its command with all child processes”.
package enum CommandGuard {
    /// From now on, a process group is killed when this process ends, however it ends.
    ///
    /// - Parameter group: The ID of the group.
    /// - Returns: Whether the group is guarded; otherwise the system refused a process.
    @discardableResult
    package static func add(group: Int32) -> Bool { process_guard(group, 0) == 0 }

    /// Kills what is left of a process group after its leader has ended, and forgets it.
    ///
    /// - Parameter group: The ID of the group.
    package static func end(group: Int32) {
        // It fails if no process is left, which is usual.
        _ = kill(-group, SIGKILL)
        _ = process_guard(group, 1)
    }
}
