import TripText

/// What keys do; the key line, the help and the table in the manual are made from it.
///
/// The keys of single views and of replays are in extensions.
package enum KeyMap {
    /// All bindings in display order.
    package static let bindings: [KeyBinding] =
        everywhere + testing + ride + replay + trip + trips + network + text + inspector + log

    private static let everywhere: [KeyBinding] = [
        KeyBinding(.quit, [.character("q"), .control("c")], "q", .keyQuit, .helpQuit),
        KeyBinding(.help, [.character("?"), .function(1)], "? F1", .keyHelp, .helpHelp),
        KeyBinding(
            .showView,
            ViewKind.allCases.map { .character(Character(String($0.number))) },
            "1-\(ViewKind.allCases.count)",
            .keyViews,
            nil,
            isInKeyLine: false
        ),
        KeyBinding(.showSides, [.character("8")], "8", .viewSides, .helpSides, isInKeyLine: false),
        KeyBinding(.palette, [.character(":")], ":", .keyCommand, .helpCommand),
        KeyBinding(.nextView, [.tab], "Tab", .keyNextView, .helpNextView, isInKeyLine: false),
        KeyBinding(.previousView, [.backTab], "S-Tab", .keyPreviousView, .helpPreviousView, isInKeyLine: false),
        KeyBinding(.back, [.escape], "Esc", .keyBack, .helpBack),
        KeyBinding(
            .togglePause,
            [.character(" ")],
            "space",
            .keyPause,
            .helpPause
        ),
        KeyBinding(.pollNow, [.character("r")], "r", .keyPollNow, .helpPollNow),
        KeyBinding(
            .lessOften,
            [.character("+"), .character("=")],
            "+",
            .keySlower,
            .helpSlower
        ),
        KeyBinding(.moreOften, [.character("-")], "-", .keyFaster, .helpFaster),
        KeyBinding(
            .refreshToken,
            [.character("t")],
            "t",
            .keyNewToken,
            .helpNewToken
        ),
        KeyBinding(.copy, [.character("c")], "c", .keyCopy, .helpCopy, isInKeyLine: false),
        KeyBinding(
            .saveRecording,
            [.character("w")],
            "w",
            .keySaveRecording,
            .helpSaveRecording,
            isInKeyLine: false
        ),
        KeyBinding(.export, [.character("X")], "X", .keyExport, .helpExport, isInKeyLine: false),
        KeyBinding(
            .saveBugReport,
            [.character("B")],
            "B",
            .keyBugReport,
            .helpBugReport,
            isInKeyLine: false
        ),
        KeyBinding(.note, [.character("m")], "m", .keyNote, .helpNote, isInKeyLine: false),
        KeyBinding(.receipt, [.character("R")], "R", .keyReceipt, .helpReceipt, isInKeyLine: false),
        KeyBinding(.evidence, [.character("y")], "y", .keyEvidence, .helpEvidence, isInKeyLine: false),
        KeyBinding(.talk, [.character("W")], "W", .keyTalk, .helpTalk, isInKeyLine: false),
        KeyBinding(
            .failure,
            [.enter],
            "Enter",
            .keyFailure,
            .helpFailure,
            in: [.trip, .token, .findings, .log, .sides],
            isInKeyLine: false
        ),
        KeyBinding(
            .toggleMouse,
            [.character("M")],
            "M",
            .keyMouse,
            .helpMouse,
            isInKeyLine: false
        ),
        KeyBinding(
            .presenter,
            [.character("P")],
            "P",
            .keyPresenter,
            .helpPresenter
        ),
        KeyBinding(
            .nextTheme,
            [.character("T")],
            "T",
            .keyTheme,
            .helpTheme,
            isInKeyLine: false
        ),
        KeyBinding(.nextTrip, [.character("]")], "]", .keyNextTrip, .helpNextTrip),
        KeyBinding(
            .previousTrip,
            [.character("[")],
            "[",
            .keyPreviousTrip,
            .helpPreviousTrip,
            isInKeyLine: false
        ),
    ]

    private static let testing: [KeyBinding] = [
        KeyBinding(.expectations, [.character("E")], "E", .keyExpectations, .helpExpectations),
        KeyBinding(.faults, [.character("i")], "i", .keyFaults, .helpFaults),
        KeyBinding(.clearFaults, [.character("I")], "I", .keyClearFaults, .helpClearFaults),
    ]

    private static let ride: [KeyBinding] = [
        KeyBinding(.holdRide, [.character("p")], "p", .keyHoldRide, .helpHoldRide),
        KeyBinding(.stepRide, [.character(".")], ".", .keyStepRide, .helpStepRide, isInKeyLine: false),
        KeyBinding(.nextStage, [.character("e")], "e", .keyNextStage, .helpNextStage),
        KeyBinding(.slowerRide, [.character("{")], "{", .keyRideSlower, .helpRideSlower, isInKeyLine: false),
        KeyBinding(.fasterRide, [.character("}")], "}", .keyRideFaster, .helpRideFaster, isInKeyLine: false),
    ]

    /// Returns the command of a key in a state; `nil` if it has none.
    package static func command(for key: Key, in state: State) -> KeyBinding.Command? {
        state.settings.keys.first { $0.keys.contains(key) && $0.isValid(in: state) }?.command
    }

    /// Returns the bindings that are active in a state.
    package static func valid(in state: State) -> [KeyBinding] {
        state.settings.keys.filter { $0.isValid(in: state) }
    }

    /// The key map as a Markdown table for the manual.
    package static var markdown: String {
        let rows = bindings.map { binding in
            let views = binding.views.isEmpty ? "all" : binding.views.map(\.name).joined(separator: ", ")
            let action = binding.command.needsKey ? "–" : "`\(binding.command.rawValue)`"
            return "| `\(binding.name)` | \(views) | \(binding.help(.english)) | \(action) |"
        }
        return (["| key | view | what it does | action |", "|---|---|---|---|"] + rows).joined(separator: "\n")
    }
}
