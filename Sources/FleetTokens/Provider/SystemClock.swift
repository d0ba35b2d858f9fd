import Foundation
import Synchronization
public import TripModel

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The machine's clocks, for an app that embeds the provider.
///
/// The steady clock includes the time while the machine was suspended, so that tokens that expired meanwhile are detected. On
/// Linux, both clocks are read from the kernel's coarse clocks. They are up to 10 ms late but much cheaper, which matters
/// because a cache hit costs little more than reading the clocks.
public final class SystemClock: TripClock {
    /// Real time: 1.
    public let speed = 1.0
    private let start = ContinuousClock.now

    #if canImport(Darwin)
    private let base = clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW)

    /// Creates a clock whose steady time starts at zero.
    public init() {}

    /// Returns the wall time and the time since the clock was created.
    public func now() -> Moment {
        Moment(wall: Date(), steady: .nanoseconds(Int64(clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW) - base)))
    }
    #else
    private let base: Int64
    /// The total duration of suspensions since boot, in nanoseconds.
    private let suspended: Atomic<Int64>
    /// Wall time minus the time awake, at the last reading of the suspension time.
    private let difference = Atomic<Int64>(0)

    /// Creates a clock whose steady time starts at zero.
    public init() {
        suspended = Atomic(Self.suspension())
        base = Self.nanoseconds(of: CLOCK_BOOTTIME)
    }

    /// Returns the wall time and the time since the clock was created.
    ///
    /// There is no coarse clock that includes suspensions. But a suspension is visible as a jump between the wall clock and the
    /// coarse clock that excludes it. Only then is the exact clock read.
    public func now() -> Moment {
        let wall = Self.nanoseconds(of: CLOCK_REALTIME_COARSE)
        let awake = Self.nanoseconds(of: CLOCK_MONOTONIC_COARSE)
        if abs(wall - awake - difference.load(ordering: .relaxed)) > Self.tolerance {
            difference.store(wall - awake, ordering: .relaxed)
            let now = Self.suspension()
            // Smaller differences are noise between two readings and must not move the clock back.
            if now > suspended.load(ordering: .relaxed) + Self.tolerance { suspended.store(now, ordering: .relaxed) }
        }
        let steady = max(awake + suspended.load(ordering: .relaxed) - base, 0)
        return Moment(
            wall: Date(
                timeIntervalSinceReferenceDate: Double(wall) * 1e-9 - Date.timeIntervalBetween1970AndReferenceDate
            ),
            steady: .nanoseconds(steady)
        )
    }

    /// Twice the resolution of the coarsest kernel clock, in nanoseconds.
    private static let tolerance: Int64 = 20_000_000

    private static func suspension() -> Int64 {
        let whole = nanoseconds(of: CLOCK_BOOTTIME)
        return whole - nanoseconds(of: CLOCK_MONOTONIC)
    }

    /// Reads a clock; a `timespec` consists of two words, seconds and nanoseconds.
    ///
    /// The code does not name its members, because several system modules define them.
    private static func nanoseconds(of clock: clockid_t) -> Int64 {
        unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: 2) { words in
            unsafe words.initialize(repeating: 0)
            // This cannot fail: the clock exists on every Linux and the pointer is valid.
            unsafe words.withMemoryRebound(to: timespec.self) { times in
                guard let time = times.baseAddress else { return }
                _ = unsafe clock_gettime(clock, time)
            }
            return unsafe Int64(words[0]) * 1_000_000_000 + Int64(words[1])
        }
    }
    #endif

    /// Sleeps until a steady time.
    public func sleep(until deadline: Duration) async throws {
        // `Task.sleep` uses the exact clock, while `now()` may be up to 10 ms behind.
        try await Task.sleep(until: start + deadline + .milliseconds(10), clock: .continuous)
    }
}
