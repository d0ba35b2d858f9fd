import Canvas
import Runtime
import TripFeed
import TripText

/// The view names side by side, each after its number key.
enum Tabs {
    /// A view name and its position.
    struct Tab: Sendable, Equatable {
        var kind: ViewKind
        var text: String
        var rect: Rect
    }

    /// Returns the tabs that fit in a row, without gaps if all of them fit only then.
    static func all(_ views: [ViewKind], in rect: Rect, localizer: Localizer) -> [Tab] {
        let texts = views.map { " \($0.number) \(localizer($0.title)) " }
        let widths = texts.map(TextWidth.of)
        let total = 1 + widths.reduce(0, +)
        let gap = total <= rect.width && total + views.count - 1 > rect.width ? 0 : 1
        var tabs: [Tab] = []
        var column = rect.x + 1
        for ((kind, text), width) in zip(zip(views, texts), widths) {
            guard column + width <= rect.maxX, rect.height > 0 else { break }
            tabs.append(Tab(kind: kind, text: text, rect: Rect(x: column, y: rect.y, width: width, height: 1)))
            column += width + gap
        }
        return tabs
    }
}

/// Draws the tabs with the current one highlighted.
func drawTabs(of state: State, on canvas: inout Canvas, in rect: Rect) {
    for tab in Tabs.all(state.views, in: rect, localizer: state.settings.localizer.about(state.shownKind)) {
        canvas.put(tab.text, in: tab.rect, role: tab.kind == state.view ? .badge : .keyHelp)
        guard let role = tab.kind.panel.sign(in: state) else { continue }
        canvas.put(canvas.glyphs.attention, x: tab.rect.maxX - 1, y: tab.rect.y, role: role)
    }
}

/// Draws the text input at the bottom.
func drawPrompt(_ prompt: Prompt, _ localizer: Localizer, on canvas: inout Canvas, in rect: Rect) {
    canvas.fill(rect, role: .input)
    let sign =
        switch prompt.kind {
        case .filter: localizer(.promptFilter)
        case .search: localizer(.promptSearch)
        case .command: ":"
        case .remark: localizer(.promptRemark)
        case .note(_, let answer): localizer(.promptNote(answer: localizer.word(for: answer.outcome)))
        }
    let used = canvas.put(sign, in: rect, role: .keyName)
    let room = max(1, rect.width - used - 1)
    // Show the end of a long line, where the cursor is.
    let before = String(prompt.line.characters[..<prompt.line.cursor])
    let skipped = max(0, TextWidth.of(before) - room + 1)
    let shown = Printable.dropping(skipped, from: prompt.line.text)
    let place = Rect(x: rect.x + used, y: rect.y, width: room, height: 1)
    canvas.put(shown, in: place, role: .input)
    canvas.cursor = Canvas.Place(x: place.x + TextWidth.of(before) - skipped, y: rect.y)
}

/// Draws the completions above the command input.
func drawCompletions(of state: State, on canvas: inout Canvas, above rect: Rect) {
    guard let prompt = state.prompt, prompt.kind == .command else { return }
    let lines = Palette.completions(of: prompt.choice?.typed ?? prompt.line.text, in: state)
    guard !lines.isEmpty else { return }
    let room = min(10, max(0, rect.y - 5))
    let first = max(0, (prompt.choice?.index ?? 0) - room + 1)
    let shown = lines.dropFirst(first).prefix(room)
    let width = State.panelWidth(in: rect)
    let area = Rect(x: rect.x, y: rect.y - shown.count - 2, width: width, height: shown.count + 2)
    guard !shown.isEmpty else { return }
    canvas.fill(area)
    let localizer = state.settings.localizer
    let more = lines.count - shown.count
    let note =
        more > 0
        ? localizer(.moreCommands(number: String(more), note: localizer(.tabCompletes)))
        : localizer(.tabCompletes)
    let inner = canvas.frame(area, title: localizer(.commandsTitle), note: note, role: .focusedBorder)
    for (row, line) in shown.enumerated() {
        canvas.put([.init(line.line.padding(22), .keyName), .init(line.help)], in: inner, row: row)
        if first + row == prompt.choice?.index { canvas.recolor(inner.row(row), role: .selection) }
    }
}
