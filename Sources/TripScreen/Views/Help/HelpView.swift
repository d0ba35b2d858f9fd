import Canvas
import Runtime
import TripText

/// The line of active keys at the bottom, the most important first.
enum KeyLine {
    /// A key, its label and its position.
    struct Item: Sendable {
        var binding: KeyBinding
        var name: String
        var label: String
        var rect: Rect

        /// Returns whether the mouse points to it.
        func holds(_ pointer: Pointer) -> Bool { rect.contains(x: pointer.x, y: pointer.y) }
    }

    /// The commands of all views that are shown first, the most useful one first.
    private static let useful: [KeyBinding.Command] = [
        .back, .nextPoll, .previousPoll, .presenter, .faults, .timeTravel, .palette, .nextTrip, .holdRide, .nextStage,
        .togglePause, .pollNow,
    ]

    /// Returns the items that fit in a row.
    static func items(of state: State, in rect: Rect) -> [Item] {
        var items: [Item] = []
        var column = rect.x + 1
        let valid = KeyMap.valid(in: state).filter { $0.isInKeyLine(state) && !$0.keys.isEmpty }
        let first: Set<KeyBinding.Command> = [
            .quit, .help, .failure, .receipt, .playReplay, .nextMark, .fasterReplay, .compareTimes,
        ]
        let back: Set<KeyBinding.Command> = state.timeLine == nil ? [] : [.timeTravel]
        let always = valid.filter { first.union(back).contains($0.command) }
        let own = valid.filter { !$0.views.isEmpty && !first.contains($0.command) }
        let others = valid.filter { $0.views.isEmpty && !first.union(back).contains($0.command) }
        let rest =
            Self.useful.flatMap { command in others.filter { $0.command == command } }
            + others.filter { !Self.useful.contains($0.command) }
        // A long overlay is scrolled with the keys for long texts.
        let isLong = if case .help = state.overlay { HelpPage(of: state).lastRow > 0 } else { false }
        let scroll = isLong ? state.settings.keys.filter { $0.command == .scrollText } : []
        let later = own.filter(\.isLate)
        let sooner = own.filter { !$0.isLate }
        let top = rest.prefix { Self.useful.prefix(7).contains($0.command) }
        for binding in always + scroll + sooner + top + later + rest.dropFirst(top.count) {
            let name = " \(binding.shortName) "
            let label = "\(binding.label(in: state)) "
            guard column + TextWidth.of(name + label) <= rect.maxX else { continue }
            let width = TextWidth.of(name + label)
            items.append(
                Item(
                    binding: binding,
                    name: name,
                    label: label,
                    rect: Rect(x: column, y: rect.y, width: width, height: 1)
                )
            )
            column += width
        }
        return items
    }
}

/// Draws the active keys, or the current message.
func drawKeys(of state: State, on canvas: inout Canvas, in rect: Rect) {
    if let message = state.bottomNotice {
        canvas.put(message, in: rect.inset(horizontal: 1, vertical: 0), role: .warning)
        return
    }
    for item in KeyLine.items(of: state, in: rect) {
        canvas.put([.init(item.name, .keyName), .init(item.label, .keyHelp)], in: item.rect)
    }
}

/// The help overlay: the keys of the current view, the global keys and the map symbols.
struct HelpPage {
    private let keys: TextBlock
    private let signs: TextBlock
    private let area: Rect
    private let title: String
    private let note: String
    private let localizer: Localizer
    private static let signsWidth = 38

    init(of state: State) {
        let localizer = state.settings.localizer.about(state.shownKind)
        self.localizer = localizer
        let screen = Rect(x: 0, y: 0, width: state.width, height: state.height)
        let lines = state.view.panel.legend(in: state)
        let isWide = screen.width >= 116 && !lines.isEmpty
        let width = isWide ? 114 : State.panelWidth(in: screen)
        var keys = TextBlock(width: width - (isWide ? 4 + Self.signsWidth + 1 : 4))
        let bound = state.settings.keys.filter { !$0.keys.isEmpty && $0.isOffered(in: state) }
        let own = bound.filter { $0.views.contains(state.view) }
        if !own.isEmpty {
            keys.add([.init(localizer(.helpInThisView), .heading)])
            for binding in own { keys.add(.init(binding.name, .keyName), binding.help(localizer), indent: 7) }
            keys.add([])
        }
        keys.add([.init(localizer(.helpEverywhere), .heading)])
        for binding in bound where binding.views.isEmpty {
            keys.add(.init(binding.name, .keyName), binding.help(localizer), indent: 7)
        }
        var signs = TextBlock(width: Self.signsWidth)
        if state.timeLine != nil { for line in [[]] + TimeLineView.legend(state) { keys.add(line) } }
        if isWide {
            for line in lines { signs.add(line) }
        } else if !lines.isEmpty {
            for line in [[]] + lines { keys.add(line) }
        }
        state.view.panel.addHelp(to: &keys, in: state)
        self.keys = keys
        self.signs = signs
        let wanted = max(keys.lines.count, signs.lines.count)
        area = screen.centered(width: width, height: min(wanted + 2, screen.height - 2))
        title = localizer(.helpTitle(view: localizer(state.view.title)))
        note = bound.first { $0.command == .back }.map { localizer(.helpCloses(key: $0.name)) } ?? ""
    }

    /// The maximum first row.
    var lastRow: Int { max(0, keys.lines.count - (area.height - 2)) }

    /// Draws the help from a row on, and the number of hidden rows.
    func draw(on canvas: inout Canvas, from row: Int) {
        canvas.fill(area)
        let inner = canvas.frame(area, title: title, note: note, role: .focusedBorder).inset(horizontal: 1, vertical: 0)
        guard !signs.lines.isEmpty else { return keys.draw(on: &canvas, in: inner, from: row, localizer: localizer) }
        let columns = inner.columns([.flexible(), .fixed(Self.signsWidth)], gap: 1)
        keys.draw(on: &canvas, in: columns[0], from: row, localizer: localizer)
        signs.draw(on: &canvas, in: columns[1], from: 0, localizer: localizer)
    }
}

extension State {
    /// Returns the width of an overlay: 76 columns, or the full width of a narrow screen.
    static func panelWidth(in screen: Rect) -> Int { screen.width <= 84 ? screen.width : 76 }
}
