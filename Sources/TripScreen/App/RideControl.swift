import Runtime
import TripFeed
import TripModel
import TripText

/// A change of the emulated ride's clock; `nil` values do not change.
package struct RideChange: Sendable, Equatable {
    /// Whether the clock is paused.
    package var isPaused: Bool?
    /// Virtual seconds per real second.
    package var speed: Double?
    /// How far the clock advances at once.
    package var step: Duration?
}

/// What the presenter can change about the emulated ride.
package struct RideSettings: Sendable, Equatable {
    /// The available scenarios; empty if the emulator runs in another process.
    package var scenarios: [String] = []
    /// Whether the wait for a driver is fast-forwarded, so that a vehicle moves within seconds.
    package var skipsBeginning = false
}

/// The caption of the ride, and how the presenter's keys change its clock; without side effects.
struct RideControl: Sendable {
    /// The selectable speeds in virtual seconds per real second.
    static let speeds = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500]
    /// The speed of a skip to the next status.
    static let skippingSpeed = 120.0
    /// How long a poll may last during a skip; slower polls slow the skip down, so that it does not run past a status.
    static let longestPoll = Duration.seconds(10)
    /// The size of one step.
    static let step = Duration.seconds(10)

    /// A fast-forward until any trip has a new status.
    private struct Skip: Sendable {
        /// The status of each trip at the start.
        var from: [JourneyID: JourneyStatus]
        /// The speed to restore.
        var speed: Double
        /// The speed of the skip.
        var fast: Double
        /// The number of polls with a new status to wait for.
        var polls: Int
    }

    /// The speed while the clock runs.
    private var speed = 1.0
    private(set) var isHeld = false
    /// The current caption of the scenario; empty if none is true now, `nil` if there never was one.
    var caption: String?
    /// When it began; `nil` before the first one.
    var captionSince: Moment?
    /// The conditions under which it is shown, in the words of the scenario; empty if they are not known.
    var captionConditions = ""
    private var skip: Skip?
    private var hasBegun = false

    /// Records the rate of the clock; 0 while it is paused.
    mutating func observe(rate: Double) {
        isHeld = rate == 0
        if rate > 0, skip == nil { speed = rate }
    }

    /// Pauses or resumes the ride.
    func toggled() -> RideChange { RideChange(isPaused: !isHeld) }

    /// Pauses the ride and advances it by one step.
    func stepped() -> RideChange { RideChange(isPaused: true, step: Self.step) }

    /// Returns the next higher or lower speed; `nil` if there is none.
    ///
    /// It ends a skip to the next status.
    mutating func changed(faster: Bool) -> RideChange? {
        let next = faster ? Self.speeds.first { $0 > speed * 1.01 } : Self.speeds.last { $0 < speed * 0.99 }
        skip = nil
        guard let next else { return nil }
        speed = next
        return RideChange(speed: next)
    }

    /// Starts or stops a skip to the next status.
    ///
    /// - Returns: The change; `nil` if no trip can have another status.
    mutating func skipped(_ trips: SharedArray<FollowedTrip>) -> RideChange? {
        if let skip {
            self.skip = nil
            return RideChange(speed: skip.speed)
        }
        let statuses = trips.compactMap { trip in trip.state.journey.map { (trip.id, $0.status) } }
        if !statuses.isEmpty, statuses.count == trips.count, statuses.allSatisfy(\.1.isTerminal) { return nil }
        return begin(statuses, polls: 1)
    }

    private mutating func begin(_ statuses: [(JourneyID, JourneyStatus)], polls: Int) -> RideChange {
        let fast = max(Self.skippingSpeed, speed)
        skip = Skip(from: Dictionary(statuses) { $1 }, speed: speed, fast: fast, polls: polls)
        return RideChange(isPaused: false, speed: fast)
    }

    /// Processes the answer to a poll that lasted a time; restores the speed after a new status.
    mutating func handle(
        _ journey: JourneyID,
        _ status: JourneyStatus?,
        after time: Duration,
        skipsBeginning: Bool
    ) -> RideChange? {
        guard let status else { return nil }
        if !hasBegun {
            hasBegun = true
            // Wait for two polls in motion, so that the vehicle has visibly moved.
            if skipsBeginning, status == .trip(.new) { return begin([(journey, status)], polls: 2) }
        }
        guard let from = skip?.from[journey] else { return nil }
        guard from != status else { return slowed(by: time) }
        skip?.polls -= 1
        guard let ended = skip, ended.polls <= 0 || status.isTerminal else { return nil }
        skip = nil
        return RideChange(speed: ended.speed)
    }

    /// Slows a skip down after a poll that lasted too long.
    private mutating func slowed(by poll: Duration) -> RideChange? {
        guard let skip, poll > Self.longestPoll, skip.fast > skip.speed else { return nil }
        let fast = max(skip.speed, skip.fast * (Self.longestPoll / poll))
        self.skip?.fast = fast
        return RideChange(speed: fast)
    }

    /// Restores the speed when no trip is followed any more.
    mutating func ended() -> RideChange? {
        defer { skip = nil }
        return skip.map { RideChange(speed: $0.speed) }
    }
}

/// The keys and the commands of the emulated ride; they need an emulator whose clock can be changed.
extension RideControl {
    static let keys: [KeyBinding] = [
        ride(.holdRide, "p", .keyHoldRide, .helpHoldRide) { state in [.ride(state.ride.toggled())] }
            .labelled { $0.ride.isHeld ? .keyGoOn : .keyHoldRide },
        ride("stepRide", ".", .keyStepRide, .helpStepRide) { state in
            // Paused polls do not detect the step by themselves.
            [.ride(state.ride.stepped())] + (state.isPaused ? state.pollNow() : [])
        }
        .hidden(),
        ride(.nextStage, "e", .keyNextStage, .helpNextStage) { state in
            guard let change = state.ride.skipped(state.trips) else {
                state.message = state.settings.localizer(.noNextStage)
                return []
            }
            let resumed =
                state.isPaused ? state.togglePause().filter { if case .feed = $0 { true } else { false } } : []
            return [.ride(change)] + resumed
        },
        ride("slowerRide", "{", .keyRideSlower, .helpRideSlower) { state in
            state.ride.changed(faster: false).map { [.ride($0)] } ?? []
        }
        .hidden(),
        ride("fasterRide", "}", .keyRideFaster, .helpRideFaster) { state in
            state.ride.changed(faster: true).map { [.ride($0)] } ?? []
        }
        .hidden(),
    ]

    /// Returns the row of a key that changes the ride.
    private static func ride(
        _ command: KeyBinding.Command,
        _ keys: String,
        _ label: Text,
        _ help: Text,
        perform: @escaping @Sendable (inout State) -> [Effect]
    ) -> KeyBinding {
        KeyBinding(command, keys, label, help) { state in state.settings.ride == nil ? [] : perform(&state) }
            .inSessions(.live) { $0.settings.ride != nil }
    }

    static let commands = [
        CommandRow("scenario", "NAME", .paletteScenario) { state, name in
            guard state.settings.ride?.scenarios.contains(name) == true else {
                return state.complain(state.settings.localizer(.noScenario(scenario: name)))
            }
            return [.play(name)]
        }
        .offered { $0.canRestartRide }.values { $0.settings.ride?.scenarios ?? [] },
        CommandRow("restart", nil, .paletteRestart) { _, _ in [.play(nil)] }.offered { $0.canRestartRide },
    ]
}

extension State {
    fileprivate var canRestartRide: Bool { timeLine == nil && settings.ride.map { !$0.scenarios.isEmpty } ?? false }
}

extension KeyBinding.Command {
    static let holdRide: Self = "holdRide"
    static let nextStage: Self = "nextStage"
}
