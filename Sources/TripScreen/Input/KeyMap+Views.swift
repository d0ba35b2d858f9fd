import TripText

/// The keys that belong to single views.
extension KeyMap {
    /// The keys of the view Trip.
    static let trip: [KeyBinding] = [
        KeyBinding(
            .follow,
            [.character("f")],
            "f",
            .keyFollow,
            .helpFollow,
            in: [.trip]
        ),
        KeyBinding(
            .showReports,
            [.character("o")],
            "o",
            .keyReports,
            .helpReports,
            in: [.trip],
            isInKeyLine: false
        ),
        KeyBinding(.fit, [.character("0")], "0", .keyFit, .helpFit, in: [.trip]),
        KeyBinding(
            .zoomIn,
            [.character("z"), .character(">")],
            "z >",
            .keyZoomIn,
            .helpZoomIn,
            in: [.trip]
        ),
        KeyBinding(
            .zoomOut,
            [.character("Z"), .character("<")],
            "Z <",
            .keyZoomOut,
            .helpZoomOut,
            in: [.trip],
            isInKeyLine: false
        ),
        KeyBinding(
            .pan,
            [
                .left, .right, .up, .down, .character("h"), .character("l"), .character("k"), .character("j"),
            ],
            "Arrows",
            .keyMoveMap,
            .helpMoveMap,
            in: [.trip],
            isInKeyLine: false
        ),
        KeyBinding(
            .largeMap,
            [.character("b")],
            "b",
            .keyBigMap,
            .helpBigMap,
            in: [.trip]
        ),
        KeyBinding(
            .largeArrival,
            [.character("a")],
            "a",
            .keyArrival,
            .helpArrival,
            in: [.trip],
            isInKeyLine: false
        ),
        KeyBinding(.olderEvents, [.pageUp], "PgUp", .keyEvents, .helpEvents, in: [.trip]),
        KeyBinding(.newerEvents, [.pageDown], "PgDn", .keyNewerEvents, .helpNewerEvents, in: [.trip]),
        KeyBinding(.newestEvents, [.end], "End", .keyNewestEvents, .helpNewestEvents, in: [.trip]),
    ]

    /// The keys of the list of trips.
    static let trips: [KeyBinding] = [
        KeyBinding(.open, [.enter], "Enter", .keyOpen, .helpOpen, in: [.trips]),
        KeyBinding(
            .moveInList,
            [.up, .down, .character("k"), .character("j")],
            "Up Dn",
            .keyChoose,
            .helpChoose,
            in: [.trips]
        ),
        KeyBinding(
            .pageInList,
            [.pageUp, .pageDown, .home, .end, .character("g"), .character("G")],
            "PgUp",
            .keyPage,
            .helpPageTrips,
            in: [.trips],
            isInKeyLine: false
        ),
        KeyBinding(.order, [.character("s")], "s", .keyOrder, .helpOrder, in: [.trips]),
        KeyBinding(
            .reverseOrder,
            [.character("S")],
            "S",
            .keyReverse,
            .helpReverse,
            in: [.trips]
        ),
        KeyBinding(
            .filter,
            [.character("/")],
            "/",
            .keyFilter,
            .helpFilter,
            in: [.trips, .network, .log]
        ),
        KeyBinding(.remove, [.character("x")], "x", .keyLeave, .helpLeave, in: [.trips]),
    ]

    /// The keys of the list of calls.
    static let network: [KeyBinding] = [
        KeyBinding(.openCall, [.enter], "Enter", .keyOpen, .helpOpenCall, in: [.network]),
        KeyBinding(
            .chooseCall,
            [.up, .down, .character("k"), .character("j")],
            "Up Dn",
            .keyChoose,
            .helpChooseCall,
            in: [.network]
        ),
        KeyBinding(
            .pageCalls,
            [.pageUp, .pageDown, .home, .end, .character("g"), .character("G")],
            "PgUp",
            .keyPage,
            .helpPageCalls,
            in: [.network],
            isInKeyLine: false
        ),
        KeyBinding(.nextFailure, [.character("n")], "n", .keyNextFailure, .helpNextFailure, in: [.network]),
        KeyBinding(
            .previousFailure,
            [.character("N")],
            "N",
            .keyPreviousFailure,
            .helpPreviousFailure,
            in: [.network],
            isInKeyLine: false
        ),
        KeyBinding(.failuresOnly, [.character("!")], "!", .keyFailuresOnly, .helpFailuresOnly, in: [.network]),
        KeyBinding(.orderCalls, [.character("s")], "s", .keyOrder, .helpOrderCalls, in: [.network]),
        KeyBinding(
            .reverseCalls,
            [.character("S")],
            "S",
            .keyReverse,
            .helpReverseCalls,
            in: [.network],
            isInKeyLine: false
        ),
    ]

    /// The keys of the views that are scrolled as a text.
    static let text: [KeyBinding] = [
        KeyBinding(
            .scrollText,
            [.up, .down, .character("k"), .character("j"), .pageUp, .pageDown, .home],
            "Up Dn",
            .keyScroll,
            .helpScroll,
            in: [.token, .findings, .sides]
        )
    ]

    /// The keys of the inspector.
    static let inspector: [KeyBinding] = [
        KeyBinding(
            .moveInTree,
            [.up, .down, .character("k"), .character("j")],
            "Up Dn",
            .keyMove,
            .helpMove,
            in: [.inspector]
        ),
        KeyBinding(
            .pageInTree,
            [.pageUp, .pageDown, .home, .end, .character("g"), .character("G")],
            "PgUp",
            .keyPage,
            .helpPageAnswer,
            in: [.inspector],
            isInKeyLine: false
        ),
        KeyBinding(
            .fold,
            [.enter, .right, .left, .character("l"), .character("h")],
            "Enter",
            .keyOpen,
            .helpFold,
            in: [.inspector]
        ),
        KeyBinding(
            .changesOnly,
            [.character("d")],
            "d",
            .keyChanges,
            .helpChanges,
            in: [.inspector]
        ),
        KeyBinding(.search, [.character("/")], "/", .keySearch, .helpSearch, in: [.inspector]),
        KeyBinding(.nextMatch, [.character("n")], "n", .keyNextMatch, .helpNextMatch, in: [.inspector]),
        KeyBinding(
            .previousMatch,
            [.character("N")],
            "N",
            .keyPreviousMatch,
            .helpPreviousMatch,
            in: [.inspector],
            isInKeyLine: false
        ),
    ]

    /// The keys of the view of all events.
    static let log: [KeyBinding] = [
        KeyBinding(
            .scrollLog,
            [.up, .down, .character("k"), .character("j")],
            "Up Dn",
            .keyScroll,
            .helpScrollLog,
            in: [.log]
        ),
        KeyBinding(.pageLog, [.pageUp, .pageDown], "PgUp", .keyPage, .helpPageLog, in: [.log]),
        KeyBinding(
            .newestLog,
            [.end, .character("G")],
            "End G",
            .keyNewest,
            .helpNewest,
            in: [.log]
        ),
    ]
}
