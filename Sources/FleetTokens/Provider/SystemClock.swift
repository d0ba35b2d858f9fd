import Foundation
public import TripModel

/// The machine's clocks, for an app that embeds the provider.
///
/// The steady clock includes the time while the machine was suspended, so that tokens that expired meanwhile are detected.
public final class SystemClock: TripClock {
    /// Real time: 1.
    public let speed = 1.0
    private let start = ContinuousClock.now

    /// Creates a clock whose steady time starts at zero.
    public init() {}

    /// Returns the wall time and the time since the clock was created.
    public func now() -> Moment { Moment(wall: Date(), steady: ContinuousClock.now - start) }

    /// Sleeps until a steady time.
    public func sleep(until deadline: Duration) async throws {
        try await ContinuousClock().sleep(until: start + deadline)
    }
}
