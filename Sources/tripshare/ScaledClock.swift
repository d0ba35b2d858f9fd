import Foundation
import TripModel

/// The clock of a process: real time, run faster or slower.
///
/// The only place that knows the real time. Two processes with the same anchor read the same wall time, since both read it
/// off the machine's own.
struct ScaledClock: TripClock {
    /// A real time and the virtual time that belongs to it.
    struct Anchor: Sendable, Equatable {
        /// The machine's time.
        var real: Date
        /// What this clock showed then.
        var virtual: Date
        /// Virtual seconds per real second.
        var speed: Double
    }

    /// Speeds outside of these make nothing clearer.
    static let speeds = 0.1...600.0

    /// Where this clock and the machine's are tied together.
    let anchor: Anchor
    private let start: ContinuousClock.Instant

    /// A clock that goes through an anchor.
    init(anchor: Anchor) {
        self.anchor = anchor
        start = ContinuousClock.now
    }

    /// A clock that shows the machine's time now and runs on at a speed.
    init(speed: Double) {
        let now = Date()
        self.init(anchor: Anchor(real: now, virtual: now, speed: speed))
    }

    var speed: Double { anchor.speed }

    func now() -> Moment {
        Moment(
            wall: anchor.virtual.addingTimeInterval(Date().timeIntervalSince(anchor.real) * speed),
            steady: (ContinuousClock.now - start) * speed
        )
    }

    func sleep(until deadline: Duration) async throws {
        try await Task.sleep(until: start + deadline / speed, clock: .continuous)
    }
}
