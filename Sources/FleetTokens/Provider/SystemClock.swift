import Foundation
import Runtime
import TripModel

/// The machine's clocks, for an app that embeds the provider.
///
/// The steady clock includes the time while the machine was suspended, so that tokens that expired meanwhile are detected.
package final class SystemClock: TripClock {
    /// Real time: 1.
    package let speed = 1.0
    #if os(Linux)
    // First, so that a sleep ends no earlier than requested by this clock.
    private let startNanoseconds = SystemClock.nanoseconds(of: CLOCK_BOOTTIME)
    #endif
    private let start = ContinuousClock.now

    /// Creates a clock whose steady time starts at zero.
    package init() {}

    /// Returns the wall time, which is a few milliseconds late on Linux, and the time since the clock was created.
    package func now() -> Moment {
        #if os(Linux)
        // Every use of a cached token reads the clock. A coarse reading of the wall clock takes a third of the time of an exact reading.
        let wall = Date(timeIntervalSince1970: Double(Self.nanoseconds(of: CLOCK_REALTIME_COARSE)) / 1e9)
        let steady = Duration.nanoseconds(Self.nanoseconds(of: CLOCK_BOOTTIME) - startNanoseconds)
        return Moment(wall: wall, steady: steady)
        #else
        return Moment(wall: Date(), steady: ContinuousClock.now - start)
        #endif
    }

    /// Sleeps until a steady time.
    package func sleep(until deadline: Duration) async throws {
        try await ContinuousClock().sleep(until: start + deadline)
    }

    #if os(Linux)
    private static func nanoseconds(of clock: clockid_t) -> Int64 {
        // A `timespec`, whose members belong to another module in each kind of build.
        var time = (seconds: 0, nanoseconds: 0)
        unsafe withUnsafeMutablePointer(to: &time) { time in
            _ = unsafe clock_gettime(clock, UnsafeMutableRawPointer(time).assumingMemoryBound(to: timespec.self))
        }
        return Int64(time.seconds) * 1_000_000_000 + Int64(time.nanoseconds)
    }
    #endif
}
