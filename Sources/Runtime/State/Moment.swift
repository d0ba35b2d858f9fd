public import Foundation

/// A reading of a ``TripClock``: the same instant on a wall clock and on a steady clock.
public struct Moment: Sendable, Hashable {
    /// The time of day.
    ///
    /// It jumps if the clock is set.
    public var wall: Date
    /// The time since a fixed start.
    ///
    /// It never goes back, and includes the time while the machine was suspended.
    public var steady: Duration

    /// Creates a moment from two readings of the same instant.
    public init(wall: Date, steady: Duration) {
        self.wall = wall
        self.steady = steady
    }

    /// Returns the moment after a duration on both clocks.
    ///
    /// The duration may be negative.
    public func advanced(by duration: Duration) -> Moment {
        Moment(wall: wall.addingTimeInterval(duration.seconds), steady: steady + duration)
    }
}

/// The single source of time of a process, for readings and waits.
///
/// A clock may run faster or slower than real time. Its users are not affected, because all their waits use the same clock.
public protocol TripClock: Sendable {
    /// Returns the current time.
    func now() -> Moment

    /// Virtual seconds per real second; 1 for real time.
    ///
    /// Network timeouts are in real time. Divide or multiply by this value to convert.
    var speed: Double { get }

    /// The real time since a fixed start, regardless of the speed, pauses and steps of the clock.
    ///
    /// Only for measuring latencies, which are in real time.
    var realTime: Duration { get }

    /// Waits until a steady time; returns at once if it has passed.
    ///
    /// - Parameter deadline: A reading of ``Moment/steady``.
    /// - Throws: `CancellationError` if the task is cancelled.
    func sleep(until deadline: Duration) async throws
}

extension TripClock {
    /// ``speed``, or 1 for a paused clock with speed 0, so that it is safe to divide by.
    public var pace: Double { speed >= 0.001 ? speed : 1 }

    /// The steady time without the speed, for clocks that are never paused or stepped.
    public var realTime: Duration { now().steady / pace }
}

extension Duration {
    /// The duration in seconds, including fractions.
    public var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }

    /// The duration in whole milliseconds, rounded down.
    public var milliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }

    /// Creates a duration with nanosecond precision, clamped to ±100 years.
    package init(clampedSeconds seconds: Double) {
        let century = 3_155_760_000.0
        guard !seconds.isNaN else {
            self = .zero
            return
        }
        let bounded = min(max(seconds, -century), century)
        let whole = bounded.rounded(.down)
        self = .seconds(Int64(whole)) + .nanoseconds(Int64(((bounded - whole) * 1e9).rounded()))
    }
}
