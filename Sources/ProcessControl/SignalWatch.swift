import CProcess
import Foundation
import Glibc
import Synchronization

/// Receives the signals that ask a program without a screen to end, and leaves the end to the program.
///
/// A thread of its own receives them, so that a computation that occupies all threads of the task pool delays nothing.
package final class SignalWatch: Sendable {
    private let isStopped = Mutex(false)

    /// Watches SIGINT, SIGTERM and SIGHUP from now on, one watch at a time in a process; a second signal of the same number
    /// ends the process at once.
    ///
    /// - Parameter heard: Called on the watch's own thread with the number of each signal.
    package init(_ heard: @escaping @Sendable (Int32) -> Void) {
        let reading = process_catch_signals()
        // Without a pipe the signals keep their default effect, which ends the program as well.
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

    /// Leaves the signals to the system again.
    package func stop() {
        let isFirst = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        if isFirst { process_release_signals() }
    }
}
