import Canvas

extension TripView {
    /// What happened last, in a panel.
    func drawEvents(on canvas: inout Canvas, in rect: Rect) {
        let note = state.log.scroll > 0 ? "\(state.log.scroll) newer below" : ""
        let inner = canvas.frame(rect, title: "Events", note: note)
        drawEntries(of: state, on: &canvas, in: inner)
    }
}

/// Draws the view of all events.
func drawLog(of state: State, on canvas: inout Canvas, in rect: Rect) {
    let log = state.log
    let count = log.filter.isEmpty ? "\(log.entries.count)" : "\(log.shown.count) of \(log.entries.count)"
    let note = "\(count) events" + (log.scroll > 0 ? ", \(log.scroll) newer below" : "")
    let title = log.filter.isEmpty ? "Log" : "Log with ‘\(log.filter)’"
    let inner = canvas.frame(rect, title: title, note: note)
    drawEntries(of: state, on: &canvas, in: inner)
}

/// Draws the events that the filter lets through, the newest that is not scrolled away at the bottom.
private func drawEntries(of state: State, on canvas: inout Canvas, in rect: Rect) {
    let log = state.log
    guard !rect.isEmpty else { return }
    let entries = log.shown
    guard !entries.isEmpty else {
        let words = log.filter.isEmpty ? "Nothing has happened yet" : "No event holds this text"
        canvas.put(words, in: rect.inset(horizontal: 1, vertical: 0), role: .secondary)
        return
    }
    // An event may take several rows, but not the whole panel.
    var row = rect.height
    for entry in entries.dropLast(log.scroll).reversed() where row > 0 {
        let width = max(1, rect.width - 9)
        let lines = Printable.wrapped(entry.text, to: width, limit: max(2, rect.height * 3 / 4))
        let start = max(0, row - lines.count)
        for (index, line) in lines.suffix(row - start).enumerated() {
            let place = Rect(x: rect.x + 9, y: rect.y + start + index, width: width, height: 1)
            canvas.put(line, in: place, role: entry.role)
        }
        if lines.count <= row {
            let time = Rect(x: rect.x, y: rect.y + start, width: min(8, rect.width), height: 1)
            canvas.put(state.settings.zone.clock(entry.time), in: time, role: .secondary)
        }
        row = start
    }
}
