import Foundation
import Runtime

/// Readings of the processor time; other work on a busy machine does not count.
package enum ProcessorTime {
    /// The time that this thread has used; compare two readings without a suspension between them.
    package static var ofThread: Duration { reading(of: CLOCK_THREAD_CPUTIME_ID) }

    /// The time that all threads of this process have used.
    package static var ofProcess: Duration { reading(of: CLOCK_PROCESS_CPUTIME_ID) }

    /// Returns the time that this thread uses for a function.
    package static func used(by body: () throws -> Void) rethrows -> Duration {
        let start = ofThread
        try body()
        return ofThread - start
    }

    private static func reading(of clock: clockid_t) -> Duration {
        // A `timespec`, whose members belong to another module in each kind of build.
        var time = (seconds: 0, nanoseconds: 0)
        unsafe withUnsafeMutablePointer(to: &time) { time in
            _ = unsafe clock_gettime(clock, UnsafeMutableRawPointer(time).assumingMemoryBound(to: timespec.self))
        }
        return .seconds(time.seconds) + .nanoseconds(time.nanoseconds)
    }
}
