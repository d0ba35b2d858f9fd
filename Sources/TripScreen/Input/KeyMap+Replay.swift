import Recording
import TripText

extension KeyMap {
    /// The keys of replays; they replace the keys of polls and of the emulated ride.
    static let replay: [KeyBinding] = [
        KeyBinding(.playReplay, [.character(" "), .character("p")], "space", .keyPause, .helpPlay),
        KeyBinding(.timeTravel, [.character("v")], "v", .keyTravel, .helpTravel),
        KeyBinding(.compareTimes, [.character("C")], "C", .keyCompare, .helpCompare),
        KeyBinding(.nextPoll, [.character(".")], ".", .keyNextPoll, .helpNextPoll),
        KeyBinding(.previousPoll, [.character(",")], ",", .keyPreviousPoll, .helpPreviousPoll),
        KeyBinding(.nextMark, [.character(")"), .character("e")], ") e", .keyNextMark, .helpNextMark),
        KeyBinding(.previousMark, [.character("(")], "(", .keyPreviousMark, .helpPreviousMark),
        KeyBinding(
            .nextEvent,
            [.character("+"), .character("=")],
            "+",
            .keyNextEvent,
            .helpNextEvent,
            isInKeyLine: false
        ),
        KeyBinding(
            .previousEvent,
            [.character("-")],
            "-",
            .keyPreviousEvent,
            .helpPreviousEvent,
            isInKeyLine: false
        ),
        KeyBinding(
            .slowerReplay,
            [.character("{")],
            "{",
            .keyReplaySlower,
            .helpReplaySlower,
            isInKeyLine: false
        ),
        KeyBinding(.fasterReplay, [.character("}")], "}", .keyReplayFaster, .helpReplayFaster),
        KeyBinding(.replayStart, [.character("^")], "^", .keyReplayStart, .helpReplayStart, isInKeyLine: false),
        KeyBinding(.replayEnd, [.character("$")], "$", .keyReplayEnd, .helpReplayEnd, isInKeyLine: false),
        KeyBinding(.loopReplay, [.character("L")], "L", .timeLineLoop, .helpLoop, isInKeyLine: false),
    ]
}

extension KeyBinding.Command {
    /// The commands of a replay.
    package static let ofReplays: Set<KeyBinding.Command> = [
        .playReplay, .nextPoll, .previousPoll, .nextEvent, .previousEvent, .nextMark, .previousMark, .slowerReplay,
        .fasterReplay, .replayStart, .replayEnd, .loopReplay, .timeTravel, .compareTimes,
    ]
    /// The commands of a session that polls, which have no effect in a replay.
    static let ofPolls: Set<KeyBinding.Command> = [
        .togglePause, .pollNow, .lessOften, .moreOften, .refreshToken, .remove,
    ]
    /// The commands about the present, which cannot be given while the past is shown.
    static let ofPresent: Set<KeyBinding.Command> = [.note, .expectations, .faults, .clearFaults]

    /// Whether both are never available at the same time, so that they may have the same key.
    func excludes(_ other: KeyBinding.Command) -> Bool {
        let live = Self.ofPolls.union(Self.ofRide)
        // The way into the past is available while polls run.
        let replay = Self.ofReplays.subtracting([.timeTravel])
        return replay.contains(self) && live.contains(other) || live.contains(self) && replay.contains(other)
    }

    /// Returns whether a replay command, or one that has no meaning in replays, is available with a time line.
    func isOffered(with timeLine: TimeLine?, isRecorded: Bool) -> Bool {
        let isTravel = timeLine?.isTravel ?? false
        switch self {
        case .timeTravel: return isTravel || timeLine == nil && isRecorded
        case .compareTimes: return isTravel
        default: break
        }
        if Self.ofReplays.contains(self) { return timeLine != nil }
        if Self.ofPolls.contains(self) || Self.ofRide.contains(self) { return timeLine == nil }
        return !isTravel || !Self.ofPresent.contains(self)
    }
}

extension Palette {
    /// The commands of a replay.
    static func replayCommands(in state: State) -> [Command] {
        let localizer = state.settings.localizer
        return [
            Command(name: "seek", argument: "TIME", help: localizer(.paletteSeek), values: ["start", "end"]),
            Command(
                name: "speed",
                argument: "FACTOR",
                help: localizer(.paletteSpeed),
                values: ReplayClock.steps.map { $0 == $0.rounded() ? String(Int($0)) : String($0) }
            ),
        ]
    }
}
