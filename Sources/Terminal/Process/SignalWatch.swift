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
