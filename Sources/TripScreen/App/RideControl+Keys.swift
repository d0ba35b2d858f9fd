import TripFeed
import TripText

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
