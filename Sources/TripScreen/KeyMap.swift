/// What keys do; the key line, the help and the table in the README are made from it.
package enum KeyMap {
    /// All keys, in the order in which they are shown.
    package static let bindings: [KeyBinding] = [
        KeyBinding(.quit, [.character("q"), .control("c")], "q", "quit", "End the program; Ctrl-C does the same."),
        KeyBinding(.help, [.character("?")], "?", "help", "Show or hide this help."),
        KeyBinding(
            .closeOverlay,
            [.escape, .enter],
            "Esc",
            "close",
            "Close what lies over the screen."
        ),
        KeyBinding(
            .togglePause,
            [.character(" ")],
            "space",
            "pause",
            "Stop asking, and let the screen stand still; once more to go on."
        ),
        KeyBinding(.pollNow, [.character("r")], "r", "poll now", "Ask for the trip at once, also while paused."),
        KeyBinding(
            .lessOften,
            [.character("+"), .character("=")],
            "+",
            "slower",
            "Ask less often: every 1, 2, 3, 5, 10, 15, 30, 60 s."
        ),
        KeyBinding(.moreOften, [.character("-")], "-", "faster", "Ask more often, as far as the service allows."),
        KeyBinding(
            .refreshToken,
            [.character("t")],
            "t",
            "new token",
            "Fetch a new token now; the old one serves until it is there."
        ),
        KeyBinding(.nextTrip, [.tab, .character("]")], "Tab", "next trip", "Show the next trip; ] does the same."),
        KeyBinding(
            .previousTrip,
            [.backTab, .character("[")],
            "S-Tab",
            "previous trip",
            "Show the previous trip; [ does the same."
        ),
        KeyBinding(
            .olderEvents,
            [.pageUp, .up, .character("k")],
            "PgUp",
            "older events",
            "Scroll the events back; Up and k do the same."
        ),
        KeyBinding(
            .newerEvents,
            [.pageDown, .down, .character("j")],
            "PgDn",
            "newer events",
            "Scroll the events forward; Down and j do the same."
        ),
        KeyBinding(.newestEvents, [.end], "End", "newest events", "Show the newest events again."),
    ]

    /// What a key does in a state; `nil` where it does nothing.
    package static func command(for key: Key, in state: State) -> KeyBinding.Command? {
        bindings.first { $0.keys.contains(key) && $0.isValid(in: state) }?.command
    }

    /// The keys that do something in a state.
    package static func valid(in state: State) -> [KeyBinding] {
        bindings.filter { $0.isValid(in: state) }
    }

    /// The keys as a table in Markdown, for the README.
    package static var markdown: String {
        let rows = bindings.map { "| `\($0.name)` | \($0.help) |" }
        return (["| key | what it does |", "|---|---|"] + rows).joined(separator: "\n")
    }
}

/// One row of the key map.
package struct KeyBinding: Sendable {
    /// What a key can do.
    package enum Command: Sendable, Hashable, CaseIterable {
        case quit, help, closeOverlay, togglePause, pollNow, lessOften, moreOften, refreshToken
        case nextTrip, previousTrip, olderEvents, newerEvents, newestEvents
    }

    /// What it does.
    package let command: Command
    /// The keys that do it.
    package let keys: [Key]
    /// The key as it is written.
    package let name: String
    /// What it does, in one or two words.
    package let label: String
    /// What it does, in a sentence.
    package let help: String

    init(_ command: Command, _ keys: [Key], _ name: String, _ label: String, _ help: String) {
        self.command = command
        self.keys = keys
        self.name = name
        self.label = label
        self.help = help
    }

    /// Whether it does something in a state.
    package func isValid(in state: State) -> Bool {
        switch command {
        case .quit, .help: true
        case .closeOverlay: state.overlay != nil
        case .togglePause, .lessOften, .moreOften: state.overlay == nil && !state.hasEnded && hasSchedule(state)
        case .pollNow, .refreshToken: state.overlay == nil && state.trip.map { $0.end == nil } ?? false
        case .nextTrip, .previousTrip: state.overlay == nil && state.trips.count > 1
        case .olderEvents: state.overlay == nil && state.log.scroll < state.log.entries.count - 1
        case .newerEvents, .newestEvents: state.overlay == nil && state.log.scroll > 0
        }
    }

    /// The label in a state: pausing and going on share a key.
    package func label(in state: State) -> String {
        command == .togglePause && state.isPaused ? "go on" : label
    }

    private func hasSchedule(_ state: State) -> Bool {
        state.trips.contains { $0.schedule != nil && $0.end == nil }
    }
}
