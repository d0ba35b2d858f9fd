import Canvas

/// Draws the keys that are valid now along the bottom, those first that matter most.
func drawKeys(of state: State, on canvas: inout Canvas, in rect: Rect) {
    var column = rect.x + 1
    for binding in KeyMap.valid(in: state) {
        let name = " \(binding.name) "
        let label = "\(binding.label(in: state)) "
        guard column + TextWidth.of(name + label) <= rect.maxX else { continue }
        column += canvas.put(name, x: column, y: rect.y, role: .keyName)
        column += canvas.put(label, x: column, y: rect.y, role: .keyHelp)
    }
}

/// Draws the help over the screen: every key, and the signs of the map.
func drawHelp(of state: State, on canvas: inout Canvas) {
    let glyphs = state.settings.glyphs
    let keys = KeyMap.bindings.filter { $0.command != .closeOverlay }
    let screen = canvas.bounds
    let area = screen.centered(width: min(76, screen.width - 2), height: min(keys.count + 12, screen.height - 2))
    canvas.fill(area)
    let inner = canvas.frame(area, title: "Help", note: "Esc closes", role: .focusedBorder).inset(
        horizontal: 1,
        vertical: 0
    )
    var row = 0
    for key in keys {
        canvas.put(key.name, in: inner, row: row, role: .keyName)
        let text = Rect(x: inner.x + 7, y: inner.y, width: inner.width - 7, height: inner.height)
        canvas.put(key.help, in: text, row: row)
        row += 1
    }
    row += 1
    let signs: [[Canvas.Span]] = [
        [.init("Map", .heading)],
        [
            .init(glyphs.vehicle(heading: 90, estimated: false), .vehicle), .init(" vehicle, towards its heading   "),
            .init(glyphs.pickup, .pickup), .init(" pickup   "), .init(glyphs.dropoff, .dropoff), .init(" drop-off   "),
            .init(glyphs.stop, .stop), .init(" stop"),
        ],
        [
            .init("solid", .routeRemaining), .init(" route ahead   "), .init("dashed", .trafficSlow),
            .init(" slow   "), .init("short dashes", .trafficJam), .init(" jam   "),
        ],
        [
            .init("dotted", .routeDriven), .init(" driven   "), .init("sparse", .routeOther),
            .init(" after the next stop"),
        ],
        [.init("Times", .heading)],
        [.init("≈ is an estimate, ≤ means: it was so already when we first looked")],
    ]
    for sign in signs {
        canvas.put(sign, in: inner, row: row)
        row += 1
    }
}
