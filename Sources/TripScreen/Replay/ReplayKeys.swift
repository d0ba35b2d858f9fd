import Recording
import Runtime
import TripText

/// The keys and the commands of replays; they replace those of polls and of the emulated ride.
extension KeyMap {
    static let replay: [KeyBinding] = [
        replay(.playReplay, "Space p", shown: "space", .keyPause, .helpPlay, .replay(.togglePause))
            .labelled { $0.timeLine?.isPaused ?? false ? .keyGoOn : .keyPause },
        KeyBinding(.timeTravel, "v", .keyTravel, .helpTravel) { _ in [.travel(.toggle)] }
            // The way into the past, and back.
            .offered { $0.timeLine?.isTravel ?? $0.settings.isRecorded }
            .labelled { $0.timeLine == nil ? .keyTravel : .keyTravelBack },
        KeyBinding(.compareTimes, "C", .keyCompare, .helpCompare) { _ in [.travel(.compare)] }
            .inSessions(.replay) { $0.timeLine?.isTravel ?? false },
        replay(.nextPoll, ".", .keyNextPoll, .helpNextPoll, .replay(.seek(.poll(forward: true)))),
        replay(.previousPoll, ",", .keyPreviousPoll, .helpPreviousPoll, .replay(.seek(.poll(forward: false)))),
        replay(.nextMark, ") e", .keyNextMark, .helpNextMark, .replay(.seek(.mark(forward: true)))),
        replay("previousMark", "(", .keyPreviousMark, .helpPreviousMark, .replay(.seek(.mark(forward: false)))),
        replay("nextEvent", "+ =", shown: "+", .keyNextEvent, .helpNextEvent, .replay(.seek(.event(forward: true))))
            .hidden(),
        replay("previousEvent", "-", .keyPreviousEvent, .helpPreviousEvent, .replay(.seek(.event(forward: false))))
            .hidden(),
        replay("slowerReplay", "{", .keyReplaySlower, .helpReplaySlower, .replay(.changeSpeed(faster: false))).hidden(),
        replay(.fasterReplay, "}", .keyReplayFaster, .helpReplayFaster, .replay(.changeSpeed(faster: true))),
        replay("replayStart", "^", .keyReplayStart, .helpReplayStart, .replay(.seek(.start)))
            .hidden(),
        replay("replayEnd", "$", .keyReplayEnd, .helpReplayEnd, .replay(.seek(.end))).hidden(),
        replay("loopReplay", "L", .timeLineLoop, .helpLoop, .replay(.toggleLoop)).hidden(),
    ]

    /// Returns the row of a key that controls a replay.
    private static func replay(
        _ command: KeyBinding.Command,
        _ keys: String,
        shown: String? = nil,
        _ label: Text,
        _ help: Text,
        _ effect: Effect
    ) -> KeyBinding {
        KeyBinding(command, keys, shown: shown, label, help) { _ in [effect] }.inSessions(.replay)
    }
}

extension CommandRow {
    /// The commands of a replay.
    static let ofReplays = [
        CommandRow("seek", "TIME", .paletteSeek) { state, time in
            guard let action = ReplayAction.seek(time) else {
                return state.complain(state.settings.localizer(.seekTakes))
            }
            return [.replay(action)]
        }
        .offered { $0.timeLine != nil }.values { _ in ["start", "end"] },
        CommandRow("speed", "FACTOR", .paletteSpeed) { state, factor in
            guard let speed = Double(decimal: factor), ReplayClock.speeds.contains(speed) else {
                return state.complain(state.settings.localizer(.speedTakes))
            }
            return [.replay(.setSpeed(speed))]
        }
        .offered { $0.timeLine != nil }
        .values { _ in ReplayClock.steps.map { $0 == $0.rounded() ? String(Int($0)) : String($0) } },
    ]
}

extension KeyBinding.Command {
    static let playReplay: Self = "playReplay"
    static let timeTravel: Self = "timeTravel"
    static let compareTimes: Self = "compareTimes"
    static let nextPoll: Self = "nextPoll"
    static let previousPoll: Self = "previousPoll"
    static let nextMark: Self = "nextMark"
    static let fasterReplay: Self = "fasterReplay"
}
