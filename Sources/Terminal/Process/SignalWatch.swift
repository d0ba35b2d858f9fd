import CProcess
import Foundation
import Synchronization

/// Receives termination signals for a program without a screen, and lets the program end itself.
///
/// It uses its own thread, so that a computation that occupies the whole task pool does not delay it.
package final class SignalWatch: Sendable {
    private let isStopped = Mutex(false)

    /// Watches SIGINT, SIGTERM, SIGHUP and SIGQUIT; only one watch may exist per process.
    ///
    /// A second signal with the same number ends the process at once, except SIGHUP, which a closed window may send twice.
    ///
    /// - Parameter heard: Called on the watch's thread with the number of each signal.
    package init(_ heard: @escaping @Sendable (Int32) -> Void) {
        let reading = process_catch_signals()
        // Without a pipe, the signals retain their default effect, which also ends the program.
        guard reading >= 0 else { return }
        Thread.detachNewThread {
            var number: UInt8 = 0
            while true {
                let count = unsafe read(reading, &number, 1)
                if count == 1 {
                    heard(Int32(number))
                } else if count == 0 || errno != EINTR {
                    break
                }
            }
            close(reading)
        }
    }

    /// Sets SIGQUIT to its default action unless it is ignored.
    ///
    /// Swift's runtime catches it, prints a backtrace, and continues.
    package static func useDefaultQuit() { process_default_quit() }

    /// Whether a signal has requested the end of the program, also if no watch has received it yet.
    package static var signalHasCome: Bool { process_signal_has_come() != 0 }

    /// Waits for a signal that requests the end; blocks the thread.
    package static func signalComes(within limit: Duration) -> Bool {
        let end = ContinuousClock.now + limit
        while !signalHasCome {
            guard ContinuousClock.now < end else { return false }
            usleep(10_000)
        }
        return true
    }

    /// Restores the default signal handling; SIGHUP stays ignored if it has come.
    package func stop() {
        let isFirst = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        if isFirst { process_release_signals() }
    }
}

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

/// A prompt on the terminal for a secret, which is not echoed.
package enum HiddenPrompt {
    /// Why nothing was read.
    package enum Failure: Error, Sendable, Equatable {
        /// A signal requests the end of the process.
        case interrupted(signal: Int32)
        /// There is no terminal, or it cannot be read.
        case unreadable
    }

    /// Shows a prompt and reads one line; waits until the process is in the foreground.
    ///
    /// The terminal echoes again when the function returns, and while the process is stopped (Ctrl-Z). It blocks the thread. Call
    /// it from one thread at a time, and not together with a ``SignalWatch``.
    ///
    /// - Parameters:
    ///   - prompt: The text before the input.
    ///   - limit: The maximum length of the line in bytes; the rest is discarded.
    /// - Returns: The line without its line feed; empty at the end of input.
    /// - Throws: ``Failure``.
    package static func read(_ prompt: String, limit: Int) throws(Failure) -> [UInt8] {
        var line = [CChar](repeating: 0, count: limit)
        var signal: Int32 = 0
        let length = unsafe process_read_hidden(prompt, &line, line.count, &signal)
        guard signal == 0 else { throw .interrupted(signal: signal) }
        guard length >= 0 else { throw .unreadable }
        return line.prefix(length).map { UInt8(bitPattern: $0) }
    }
}
