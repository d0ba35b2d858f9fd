/// What keys do; the key line, the help and the table in the README are made from it.
package enum KeyMap {
    /// All keys, in the order in which they are shown.
    package static let bindings: [KeyBinding] = everywhere + trip + trips + text + inspector + log

    private static let everywhere: [KeyBinding] = [
        KeyBinding(.quit, [.character("q"), .control("c")], "q", "quit", "End the program; Ctrl-C does the same."),
        KeyBinding(.help, [.character("?")], "?", "help", "Show or hide this help."),
        KeyBinding(
            .showView,
            ViewKind.allCases.map { .character(Character(String($0.number))) },
            "1-\(ViewKind.allCases.count)",
            "views",
            "Show " + ViewKind.allCases.map(\.name).joined(separator: ", ") + ".",
            isInKeyLine: false
        ),
        KeyBinding(.palette, [.character(":")], ":", "command", "Type a command; Tab completes, Up and Down recall."),
        KeyBinding(.nextView, [.tab], "Tab", "next view", "Show the next view.", isInKeyLine: false),
        KeyBinding(.previousView, [.backTab], "S-Tab", "previous view", "Show the previous view.", isInKeyLine: false),
        KeyBinding(.back, [.escape], "Esc", "back", "Close what lies over the screen, clear a filter, or go back."),
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
        KeyBinding(
            .toggleMouse,
            [.character("m")],
            "m",
            "mouse",
            "Take the mouse for clicks, wheel and drag, or leave it for selecting.",
            isInKeyLine: false
        ),
        KeyBinding(
            .presenter,
            [.character("P")],
            "P",
            "presenter",
            "Show the trip in large words, without IDs, or as before.",
            isInKeyLine: false
        ),
        KeyBinding(
            .nextTheme,
            [.character("T")],
            "T",
            "next theme",
            "Look different: the next theme.",
            isInKeyLine: false
        ),
        KeyBinding(.nextTrip, [.character("]")], "]", "next trip", "Go to the next trip."),
        KeyBinding(
            .previousTrip,
            [.character("[")],
            "[",
            "previous trip",
            "Go to the previous trip.",
            isInKeyLine: false
        ),
    ]

    private static let trip: [KeyBinding] = [
        KeyBinding(
            .follow,
            [.character("f")],
            "f",
            "follow",
            "Keep the vehicle near the middle of the map.",
            in: [.trip]
        ),
        KeyBinding(.fit, [.character("0")], "0", "fit", "Show all of the way again.", in: [.trip]),
        KeyBinding(
            .zoomIn,
            [.character("z"), .character(">")],
            "z >",
            "zoom in",
            "Look closer.",
            in: [.trip]
        ),
        KeyBinding(
            .zoomOut,
            [.character("Z"), .character("<")],
            "Z <",
            "zoom out",
            "See more of the map.",
            in: [.trip],
            isInKeyLine: false
        ),
        KeyBinding(
            .pan,
            [
                .left, .right, .up, .down, .character("h"), .character("l"), .character("k"), .character("j"),
            ],
            "Arrows",
            "move map",
            "Move the map; h, j, k and l do the same.",
            in: [.trip],
            isInKeyLine: false
        ),
        KeyBinding(
            .largeMap,
            [.character("b")],
            "b",
            "big map",
            "Give the map the whole screen, or take it back.",
            in: [.trip]
        ),
        KeyBinding(.olderEvents, [.pageUp], "PgUp", "events", "Scroll the events back.", in: [.trip]),
        KeyBinding(.newerEvents, [.pageDown], "PgDn", "newer events", "Scroll the events forward.", in: [.trip]),
        KeyBinding(.newestEvents, [.end], "End", "newest events", "Show the newest events again.", in: [.trip]),
    ]

    private static let trips: [KeyBinding] = [
        KeyBinding(.open, [.enter], "Enter", "open", "Show the chosen trip.", in: [.trips]),
        KeyBinding(
            .moveInList,
            [.up, .down, .character("k"), .character("j")],
            "Up Dn",
            "choose",
            "Choose another trip; k and j do the same.",
            in: [.trips]
        ),
        KeyBinding(
            .pageInList,
            [.pageUp, .pageDown, .home, .end, .character("g"), .character("G")],
            "PgUp",
            "page",
            "Page through the trips; PgDn, Home, End, g and G too.",
            in: [.trips],
            isInKeyLine: false
        ),
        KeyBinding(.order, [.character("s")], "s", "order", "Order the trips by the next column.", in: [.trips]),
        KeyBinding(
            .reverseOrder,
            [.character("S")],
            "S",
            "reverse",
            "Turn the order of the trips round.",
            in: [.trips]
        ),
        KeyBinding(
            .filter,
            [.character("/")],
            "/",
            "filter",
            "Show only the trips or the events with a text.",
            in: [.trips, .log]
        ),
    ]

    private static let text: [KeyBinding] = [
        KeyBinding(
            .scrollText,
            [.up, .down, .character("k"), .character("j"), .pageUp, .pageDown, .home],
            "Up Dn",
            "scroll",
            "Scroll what does not fit; k, j, PgUp, PgDn and Home too.",
            in: [.token, .network, .findings]
        )
    ]

    private static let inspector: [KeyBinding] = [
        KeyBinding(
            .moveInTree,
            [.up, .down, .character("k"), .character("j")],
            "Up Dn",
            "move",
            "Go to the next or previous row; k and j do the same.",
            in: [.inspector]
        ),
        KeyBinding(
            .pageInTree,
            [.pageUp, .pageDown, .home, .end, .character("g"), .character("G")],
            "PgUp",
            "page",
            "Page through the answer; PgDn, Home, End, g and G too.",
            in: [.inspector],
            isInKeyLine: false
        ),
        KeyBinding(
            .fold,
            [.enter, .right, .left, .character("l"), .character("h")],
            "Enter",
            "open",
            "Open or close a row; Right and l open, Left and h close.",
            in: [.inspector]
        ),
        KeyBinding(
            .changesOnly,
            [.character("d")],
            "d",
            "changes",
            "Show only what the last poll changed, or all again.",
            in: [.inspector]
        ),
        KeyBinding(.search, [.character("/")], "/", "search", "Search keys and values.", in: [.inspector]),
        KeyBinding(.nextMatch, [.character("n")], "n", "next match", "Go to the next match.", in: [.inspector]),
        KeyBinding(
            .previousMatch,
            [.character("N")],
            "N",
            "previous match",
            "Go to the previous match.",
            in: [.inspector],
            isInKeyLine: false
        ),
    ]

    private static let log: [KeyBinding] = [
        KeyBinding(
            .scrollLog,
            [.up, .down, .character("k"), .character("j")],
            "Up Dn",
            "scroll",
            "Scroll the events; k and j do the same.",
            in: [.log]
        ),
        KeyBinding(.pageLog, [.pageUp, .pageDown], "PgUp", "page", "Page through the events; PgDn too.", in: [.log]),
        KeyBinding(
            .newestLog,
            [.end, .character("G")],
            "End G",
            "newest",
            "Show the newest events.",
            in: [.log]
        ),
    ]

    /// What a key does in a state; `nil` where it does nothing.
    package static func command(for key: Key, in state: State) -> KeyBinding.Command? {
        state.settings.keys.first { $0.keys.contains(key) && $0.isValid(in: state) }?.command
    }

    /// The keys that do something in a state.
    package static func valid(in state: State) -> [KeyBinding] {
        state.settings.keys.filter { $0.isValid(in: state) }
    }

    /// The keys as a table in Markdown, for the README.
    package static var markdown: String {
        let rows = bindings.map { binding in
            let views = binding.views.isEmpty ? "all" : binding.views.map(\.name).joined(separator: ", ")
            let action = binding.command.needsKey ? "–" : "`\(binding.command.rawValue)`"
            return "| `\(binding.name)` | \(views) | \(binding.help) | \(action) |"
        }
        return (["| key | view | what it does | action |", "|---|---|---|---|"] + rows).joined(separator: "\n")
    }
}
