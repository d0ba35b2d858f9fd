import Foundation
public import TripModel

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The machine's own clocks, for an app that embeds the provider.
///
/// The steady side counts the time that the machine was suspended, so that a token that ended meanwhile is known to have
/// ended. On Linux the time of day is read from the kernel's coarse clock, which is a few milliseconds behind and much
/// cheaper: a cached token costs little more than reading the clocks.
public struct SystemClock: TripClock {
    /// Real time: 1.
    public let speed = 1.0
    private let start = ContinuousClock.now
    private let base = SystemClock.steadyNow()

    /// A clock of which the steady side begins at zero.
    public init() {}

    /// The time of day, and the time since the clock was made.
    public func now() -> Moment {
        Moment(wall: Self.wallNow(), steady: .nanoseconds(Self.steadyNow() - base))
    }

    /// Waits until the steady side shows a time.
    public func sleep(until deadline: Duration) async throws {
        try await Task.sleep(until: start + deadline, clock: .continuous)
    }

    #if canImport(Darwin)
    private static func wallNow() -> Date { Date() }

    /// Nanoseconds of the clock that goes on in sleep.
    private static func steadyNow() -> Int64 { Int64(clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW)) }
    #else
    private static func wallNow() -> Date {
        Date(timeIntervalSince1970: Double(nanoseconds(of: CLOCK_REALTIME_COARSE)) * 1e-9)
    }

    /// Nanoseconds of the clock that goes on in suspension, which is also that of `ContinuousClock`.
    private static func steadyNow() -> Int64 { nanoseconds(of: CLOCK_BOOTTIME) }

    /// Reads a clock; a `timespec` is two words, seconds and nanoseconds.
    ///
    /// Its members are not named, since several modules of the system claim to define them.
    private static func nanoseconds(of clock: clockid_t) -> Int64 {
        unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: 2) { words in
            unsafe words.initialize(repeating: 0)
            // It can't fail: the clock exists on every Linux, and the address is good.
            unsafe words.withMemoryRebound(to: timespec.self) { times in
                guard let time = times.baseAddress else { return }
                _ = unsafe clock_gettime(clock, time)
            }
            return unsafe Int64(words[0]) * 1_000_000_000 + Int64(words[1])
        }
    }
    #endif
}
