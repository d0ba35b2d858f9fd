import Canvas

/// The keys that are valid now, along the bottom, those first that matter most.
enum KeyLine {
    /// One key, what it does and where it stands.
    struct Item: Sendable {
        var binding: KeyBinding
        var name: String
        var label: String
        var rect: Rect

        /// Whether the mouse points to it.
        func holds(_ pointer: Pointer) -> Bool { rect.contains(x: pointer.x, y: pointer.y) }
    }

    /// The keys that fit in a row.
    static func items(of state: State, in rect: Rect) -> [Item] {
        var items: [Item] = []
        var column = rect.x + 1
        let valid = KeyMap.valid(in: state).filter(\.isInKeyLine)
        let always = valid.filter { $0.command == .quit || $0.command == .help }
        let own = valid.filter { !$0.views.isEmpty }
        let rest = valid.filter { $0.views.isEmpty && $0.command != .quit && $0.command != .help }
        for binding in always + own + rest {
            let name = " \(binding.name) "
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

/// Draws the keys that are valid now, or what there is to say once.
func drawKeys(of state: State, on canvas: inout Canvas, in rect: Rect) {
    if let message = state.message {
        canvas.put(message, in: rect.inset(horizontal: 1, vertical: 0), role: .warning)
        return
    }
    for item in KeyLine.items(of: state, in: rect) {
        canvas.put([.init(item.name, .keyName), .init(item.label, .keyHelp)], in: item.rect)
    }
}

/// Draws the help over the screen: the keys of the shown view, those that work everywhere, and the signs of the map.
func drawHelp(of state: State, on canvas: inout Canvas) {
    let screen = canvas.bounds
    let own = KeyMap.bindings.filter { $0.views.contains(state.view) }
    let everywhere = KeyMap.bindings.filter { $0.views.isEmpty }
    var lines: [[Canvas.Span]] = []
    if !own.isEmpty { lines += [[.init("In this view", .heading)]] + own.map(line) + [[]] }
    lines += [[.init("Everywhere", .heading)]] + everywhere.map(line)
    let signs = signs(of: state)
    let isWide = screen.width >= 116
    let wanted = isWide ? max(lines.count, signs.count) : lines.count + (signs.isEmpty ? 0 : 1 + signs.count)
    let area = screen.centered(
        width: min(isWide && !signs.isEmpty ? 114 : 76, screen.width - 2),
        height: min(wanted + 2, screen.height - 2)
    )
    canvas.fill(area)
    let title = "Help: \(state.view.title)"
    let inner = canvas.frame(area, title: title, note: "Esc closes", role: .focusedBorder).inset(
        horizontal: 1,
        vertical: 0
    )
    if isWide, !signs.isEmpty {
        let columns = inner.columns([.flexible(), .fixed(36)], gap: 1)
        for (row, line) in lines.enumerated() { canvas.put(line, in: columns[0], row: row) }
        for (row, line) in signs.enumerated() { canvas.put(line, in: columns[1], row: row) }
    } else {
        // Where there is no room the signs of the map give way.
        for (row, line) in (lines + [[]] + signs).enumerated() { canvas.put(line, in: inner, row: row) }
    }
}

private func line(_ binding: KeyBinding) -> [Canvas.Span] {
    [.init(binding.name.padding(7), .keyName), .init(binding.help)]
}

/// What the map's signs mean.
private func signs(of state: State) -> [[Canvas.Span]] {
    guard state.view == .trip else { return [] }
    let glyphs = state.settings.glyphs
    return [
        [.init("Map", .heading)],
        [
            .init(glyphs.vehicle(heading: 90, estimated: false), .vehicle),
            .init(" vehicle as measured, to its heading"),
        ],
        [.init(glyphs.vehicle(heading: 90, estimated: true), .vehicleEstimated), .init(" where it should be by now")],
        [
            .init(glyphs.pickup, .pickup), .init(" pickup   "), .init(glyphs.dropoff, .dropoff), .init(" drop-off   "),
            .init(glyphs.stop, .stop), .init(" stop"),
        ],
        [.init("solid", .routeRemaining), .init(" route ahead")],
        [.init("dashed", .trafficSlow), .init(" slow   "), .init("short dashes", .trafficJam), .init(" jam")],
        [.init("dotted", .routeDriven), .init(" driven   "), .init("sparse", .routeOther), .init(" later")],
        [],
        [.init("Times", .heading)],
        [.init("≈ is an estimate; ≤ was so already")],
        [.init("when we first looked")],
    ]
}
