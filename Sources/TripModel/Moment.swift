public import Foundation

/// One reading of a ``TripClock``: the same instant by a clock that can be set and by one that can't.
public struct Moment: Sendable, Hashable {
    /// The time of day.
    ///
    /// It can step in either direction when somebody sets the clock.
    public var wall: Date
    /// Time since some fixed start.
    ///
    /// It never steps back and counts the time that the machine was suspended.
    public var steady: Duration

    /// Puts two readings of the same instant together.
    public init(wall: Date, steady: Duration) {
        self.wall = wall
        self.steady = steady
    }

    /// This moment, a while later by both clocks.
    ///
    /// A negative duration goes back.
    public func advanced(by duration: Duration) -> Moment {
        Moment(wall: wall.addingTimeInterval(duration.seconds), steady: steady + duration)
    }
}

/// The one source of time of a process: readings and waits come from here and nowhere else.
///
/// A clock may run faster or slower than real time; whoever asks does not notice, since everything it waits for lives in
/// the same time.
public protocol TripClock: Sendable {
    /// The time now, by both clocks.
    func now() -> Moment

    /// How many seconds pass on this clock in one real second; 1 unless somebody plays with time.
    ///
    /// Network deadlines and latencies are real: divide or multiply by this to get from one to the other.
    var speed: Double { get }

    /// Waits until the steady clock shows a time; returns at once if it already does.
    ///
    /// - Parameter deadline: A reading of ``Moment/steady``.
    /// - Throws: `CancellationError` when the task is cancelled while waiting.
    func sleep(until deadline: Duration) async throws
}

extension TripClock {
    /// ``speed``, or 1 where a clock that stands still says 0: there is always something to multiply and divide by.
    public var pace: Double { speed >= 0.001 ? speed : 1 }
}

extension Duration {
    /// The duration in seconds, fractions included.
    public var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }

    /// The duration in whole milliseconds, rounded down.
    public var milliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
