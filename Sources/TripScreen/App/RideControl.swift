import TripFeed
import TripModel

/// A change of the clock that an emulated ride runs by; what is `nil` stays as it is.
package struct RideChange: Sendable, Equatable {
    /// Whether the clock stands still.
    package var isPaused: Bool?
    /// Virtual seconds per real second.
    package var speed: Double?
    /// How far the clock is moved on at once.
    package var step: Duration?

    package init(isPaused: Bool? = nil, speed: Double? = nil, step: Duration? = nil) {
        self.isPaused = isPaused
        self.speed = speed
        self.step = step
    }
}

/// What a presenter can do with the ride of an emulator.
package struct RideSettings: Sendable, Equatable {
    /// The scenarios that can be started instead; empty where none can, as in the emulator of another process.
    package var scenarios: [String]
    /// Whether the wait for a driver is run through quickly, so that a vehicle moves on the map within seconds.
    package var skipsBeginning: Bool

    package init(scenarios: [String] = [], skipsBeginning: Bool = false) {
        self.scenarios = scenarios
        self.skipsBeginning = skipsBeginning
    }
}

/// Decides what the presenter's keys do with the clock of the ride; pure.
struct RideControl: Sendable {
    /// The speeds that keys step through, in virtual seconds per real second.
    static let speeds = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500]
    /// The speed at which the ride runs to its next status.
    static let skippingSpeed = 120.0
    /// How far one step goes.
    static let step = Duration.seconds(10)

    /// A run to the next status of any trip.
    private struct Skip: Sendable {
        /// The status of each trip when it began.
        var from: [TripID: TripStatus]
        /// The speed to return to.
        var speed: Double
        /// The polls with a new status that are still awaited.
        var polls: Int
    }

    /// The speed of the running clock.
    private var speed = 1.0
    private(set) var isHeld = false
    private var skip: Skip?
    private var hasBegun = false

    /// Notes the rate of the clock: 0 while it stands still.
    mutating func observe(rate: Double) {
        isHeld = rate == 0
        if rate > 0, skip == nil { speed = rate }
    }

    /// Holds the ride, or lets it go on.
    func toggled() -> RideChange { RideChange(isPaused: !isHeld) }

    /// Holds the ride and moves it on by one step.
    func stepped() -> RideChange { RideChange(isPaused: true, step: Self.step) }

    /// The next faster or slower speed; `nil` where there is none.
    ///
    /// It ends a run to the next status.
    mutating func changed(faster: Bool) -> RideChange? {
        let next = faster ? Self.speeds.first { $0 > speed * 1.01 } : Self.speeds.last { $0 < speed * 0.99 }
        skip = nil
        guard let next else { return nil }
        speed = next
        return RideChange(speed: next)
    }

    /// Runs to the next status, or stops such a run.
    mutating func skipped(_ trips: [FollowedTrip]) -> RideChange {
        if let skip {
            self.skip = nil
            return RideChange(speed: skip.speed)
        }
        return begin(trips.compactMap { trip in trip.state.trip.map { (trip.id, $0.status) } }, polls: 1)
    }

    private mutating func begin(_ statuses: [(TripID, TripStatus)], polls: Int) -> RideChange {
        skip = Skip(from: Dictionary(statuses) { $1 }, speed: speed, polls: polls)
        return RideChange(isPaused: false, speed: max(Self.skippingSpeed, speed))
    }

    /// Takes a trip's answer: returns to the former speed once a status is new.
    mutating func take(_ trip: TripID, _ status: TripStatus?, skipsBeginning: Bool) -> RideChange? {
        guard let status else { return nil }
        if !hasBegun {
            hasBegun = true
            // Two polls on the way, so that the vehicle has moved between them.
            if skipsBeginning, status == .new { return begin([(trip, status)], polls: 2) }
        }
        guard let from = skip?.from[trip], from != status else { return nil }
        skip?.polls -= 1
        guard let ended = skip, ended.polls <= 0 || status.isTerminal else { return nil }
        skip = nil
        return RideChange(speed: ended.speed)
    }

    /// Returns to the former speed where no trip is followed any more.
    mutating func ended() -> RideChange? {
        defer { skip = nil }
        return skip.map { RideChange(speed: $0.speed) }
    }
}
