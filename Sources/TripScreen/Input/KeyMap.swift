import Runtime
import TripFeed
import TripText

/// What keys do; the key line, the help and the table in the manual are made from it.
package enum KeyMap {
    /// All bindings in display order.
    package static let bindings: [KeyBinding] =
        general + ViewKind.all.compactMap { $0.panel.opening } + ofAllViews + ExpectationsPanel.keys + FaultsPanel.keys
        + RideControl.keys + replay
        + ViewKind.all.flatMap(\.keys) + [scrollText]

    /// The bindings by their commands.
    static let rows = Dictionary(uniqueKeysWithValues: bindings.map { ($0.command, $0) })

    /// Returns the binding of a key in a state; `nil` if it has none.
    static func binding(for key: Key, in state: State) -> KeyBinding? {
        state.settings.keys.first { $0.keys.contains(key) && $0.isValid(in: state) }
    }

    /// Returns the bindings that are active in a state.
    package static func valid(in state: State) -> [KeyBinding] {
        state.settings.keys.filter { $0.isValid(in: state) }
    }

    /// The key map as a Markdown table for the manual.
    package static var markdown: String {
        let rows = bindings.map { binding in
            let views = binding.views.isEmpty ? "all" : binding.views.map(\.name).joined(separator: ", ")
            let action = binding.needsKey ? "–" : "`\(binding.command.rawValue)`"
            return "| `\(binding.name)` | \(views) | \(binding.help(.english)) | \(action) |"
        }
        return (["| key | view | what it does | action |", "|---|---|---|---|"] + rows).joined(separator: "\n")
    }
}

// MARK: The rows of several views

extension KeyMap {
    /// Filters a list.
    static let filter = KeyBinding("filter", "/", .keyFilter, .helpFilter) { $0.open(.filter, $0.needle) }
        .inViews(ViewKind.all.filter { $0.panel is any FilteredPanel.Type })

    /// Scrolls a text.
    static let scrollText = KeyBinding(
        .scrollText,
        "Up Down k j PgUp PgDn Home",
        shown: "Up Dn",
        .keyScroll,
        .helpScroll,
        perform: { state, key in
            state.scrollText(by: key.rows(page: state.page))
            return []
        }
    )
    .inViews(ViewKind.all.filter { ($0.panel as? any TextPanel.Type)?.isScrolledByKeys ?? false }).byDirection()

    /// Shows a view by its number.
    private static let showView = KeyBinding(
        .showView,
        ViewKind.allCases.prefix(9).map { String($0.number) }.joined(separator: " "),
        shown: "1-\(min(ViewKind.allCases.count, 9))",
        .keyViews,
        nil,
        perform: { state, key in
            state.show(by: key)
            return []
        }
    )
    .byDirection().hidden()

    /// Before an audience, a letter that is hit by mistake does not end the show; Ctrl-C and the last page of a tour do.
    private static let quit = KeyBinding(
        .quit,
        "q C-c",
        shown: "q",
        .keyQuit,
        .helpQuit,
        perform: { state, key in
            guard state.settings.isPresenter, state.titlePage?.isLast != true, case .character = key else {
                return [.quit]
            }
            state.ask(.quit)
            return []
        }
    )
    .overOverlays()

    private static let general: [KeyBinding] = [
        quit,
        KeyBinding(.help, "? F1", .keyHelp, .helpHelp) { $0.toggleHelp() }.overOverlays(),
        showView,
    ]

    private static let ofAllViews: [KeyBinding] = [
        KeyBinding(.palette, ":", .keyCommand, .helpCommand) { $0.openPalette() },
        KeyBinding("nextView", "Tab", .keyNextView, .helpNextView) { $0.showView(after: 1) }.hidden(),
        KeyBinding("previousView", "S-Tab", .keyPreviousView, .helpPreviousView) { $0.showView(after: -1) }.hidden(),
        KeyBinding(.back, "Esc", .keyBack, .helpBack) { $0.goBack() }.overOverlays().effective { $0.canGoBack },
        KeyBinding(.togglePause, "Space", shown: "space", .keyPause, .helpPause) { $0.togglePause() }
            .ofPolls { $0.hasSchedule }.labelled { $0.isPaused ? .keyGoOn : .keyPause },
        KeyBinding(.pollNow, "r", .keyPollNow, .helpPollNow) { $0.pollNow() }.ofPolls { $0.isFollowing },
        KeyBinding("lessOften", "+ =", shown: "+", .keySlower, .helpSlower) { $0.changeInterval(longer: true) }
            .ofPolls { $0.hasSchedule },
        KeyBinding("moreOften", "-", .keyFaster, .helpFaster) { $0.changeInterval(longer: false) }
            .ofPolls { $0.hasSchedule },
        KeyBinding(.refreshToken, "t", .keyNewToken, .helpNewToken) { $0.trip.map { [.refreshToken($0.id)] } ?? [] }
            .ofPolls { $0.isFollowing },
        KeyBinding("copy", "c", .keyCopy, .helpCopy) { $0.copy() }.effective { $0.hasTrip }.hidden(),
        KeyBinding("saveRecording", "w", .keySaveRecording, .helpSaveRecording) { _ in [.saveRecording] }
            .offered { $0.settings.isRecorded }.asking(.saveRecordingQuestion).hidden(),
        KeyBinding("export", "X", .keyExport, .helpExport) { $0.open(.command, "export ") }
            .offered { !$0.settings.exportFormats.isEmpty }.hidden(),
        KeyBinding("saveBugReport", "B", .keyBugReport, .helpBugReport) { _ in [.saveBugReport] }
            .effective { $0.hasTrip }.asking(.saveBugReportQuestion).hidden(),
        KeyBinding("note", "m", .keyNote, .helpNote) { $0.openNote() }.inSessions(.present).hidden(),
        // It is offered at the end of a trip.
        KeyBinding(.receipt, "R", .keyReceipt, .helpReceipt) { $0.show(details: .receipt) }
            .effective { $0.hasTrip }.inKeyLine { $0.shown { $0.receipt.hasEnded } ?? false },
        KeyBinding(.evidence, "y", .keyEvidence, .helpEvidence) { $0.show(details: .evidence) }
            .effective { $0.hasEvidence }.hidden(),
        KeyBinding("talk", "W", .keyTalk, .helpTalk) { $0.display.showsTalk.toggle() }.hidden(),
        // What failed is offered while it fails.
        KeyBinding(.failure, "Enter", .keyFailure, .helpFailure) { $0.show(details: $0.explained) }
            .inViews(ViewKind.all.filter { !$0.keys.contains { $0.keys.contains(.enter) } })
            .effective { $0.explained == .evidence || $0.shown { $0.lastFailure != nil } ?? false }
            .inKeyLine { $0.shown { $0.lastFailure.map { $0.end == nil } } ?? false },
        KeyBinding("toggleMouse", "M", .keyMouse, .helpMouse) { $0.setMouse(!$0.display.hasMouse) }.hidden(),
        KeyBinding(.presenter, "P", .keyPresenter, .helpPresenter) { $0.togglePresenter() },
        KeyBinding("nextTheme", "T", .keyTheme, .helpTheme) { $0.showNextTheme() }
            .effective { $0.settings.themes.count > 1 }.hidden(),
        KeyBinding(.nextTrip, "]", .keyNextTrip, .helpNextTrip) { $0.select(after: 1) }
            .effective { $0.trips.count > 1 },
        KeyBinding("previousTrip", "[", .keyPreviousTrip, .helpPreviousTrip) { $0.select(after: -1) }
            .effective { $0.trips.count > 1 }.hidden(),
    ]
}

extension KeyBinding {
    /// Only in a session that polls, and if it has an effect there.
    fileprivate func ofPolls(if hasEffect: @escaping Condition) -> KeyBinding {
        inSessions(.live) { !$0.settings.hasSides }.effective(if: hasEffect)
    }
}

extension State {
    /// Whether a trip is shown.
    fileprivate var hasTrip: Bool { trips.indices.contains(selected) }

    /// Whether the shown trip has not ended.
    var isFollowing: Bool { shown { $0.end == nil } ?? false }

    /// Whether there are polls that can be paused.
    fileprivate var hasSchedule: Bool {
        !hasEnded && trips.indices.contains { trips[$0].schedule != nil && trips[$0].end == nil }
    }
}

extension KeyBinding.Command {
    package static let quit: Self = "quit"
    static let help: Self = "help"
    static let palette: Self = "palette"
    static let receipt: Self = "receipt"
    static let failure: Self = "failure"
    static let presenter: Self = "presenter"
    static let showView: Self = "showView"
    static let back: Self = "back"
    static let togglePause: Self = "togglePause"
    static let pollNow: Self = "pollNow"
    static let refreshToken: Self = "refreshToken"
    static let nextTrip: Self = "nextTrip"
    static let evidence: Self = "evidence"
    static let scrollText: Self = "scrollText"
}
