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

/// The machine's own clocks, for an app that embeds the provider.
///
/// The steady side counts the time that the machine was suspended, so that a token that ended meanwhile is known to have
/// ended. On Linux both sides are read from the kernel's coarse clocks, which are up to ten milliseconds behind and much
/// cheaper than the others: a cached token costs little more than reading the clocks.
public final class SystemClock: TripClock {
    /// Real time: 1.
    public let speed = 1.0
    private let start = ContinuousClock.now

    #if canImport(Darwin)
    private let base = clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW)

    /// A clock of which the steady side begins at zero.
    public init() {}

    /// The time of day, and the time since the clock was made.
    public func now() -> Moment {
        Moment(wall: Date(), steady: .nanoseconds(Int64(clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW) - base)))
    }
    #else
    private let base: Int64
    /// How long the machine was suspended since it was started, in nanoseconds.
    private let suspended: Atomic<Int64>
    /// Time of day minus the time that the machine was awake, when it was last looked how long it was suspended.
    private let difference = Atomic<Int64>(0)

    /// A clock of which the steady side begins at zero.
    public init() {
        suspended = Atomic(Self.suspension())
        base = Self.nanoseconds(of: CLOCK_BOOTTIME)
    }

    /// The time of day, and the time since the clock was made.
    ///
    /// There is no coarse clock that counts suspensions. But a suspension shows as a step of the time of day against the
    /// coarse clock that stands still in it: only then is the exact clock asked.
    public func now() -> Moment {
        let wall = Self.nanoseconds(of: CLOCK_REALTIME_COARSE)
        let awake = Self.nanoseconds(of: CLOCK_MONOTONIC_COARSE)
        if abs(wall - awake - difference.load(ordering: .relaxed)) > Self.tolerance {
            difference.store(wall - awake, ordering: .relaxed)
            let now = Self.suspension()
            // Less than that is noise of two readings, which must not make the clock step back.
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

    /// Twice the step of the coarsest clock that a kernel has.
    private static let tolerance: Int64 = 20_000_000

    private static func suspension() -> Int64 {
        let whole = nanoseconds(of: CLOCK_BOOTTIME)
        return whole - nanoseconds(of: CLOCK_MONOTONIC)
    }

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

    /// Waits until the steady side shows a time.
    public func sleep(until deadline: Duration) async throws {
        // The clock that sleeps is exact, the one that is read afterwards is a little behind.
        try await Task.sleep(until: start + deadline + .milliseconds(10), clock: .continuous)
    }
}
