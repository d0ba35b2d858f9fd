import Canvas
import Runtime
import TripText

/// Draws the view of all events.
func drawLog(_ panel: LogPanel, of state: State, on canvas: inout Canvas, in rect: Rect) {
    let shown = panel.shown(of: state.log)
    let localizer = state.settings.localizer
    let all = state.log.entries.count
    let count =
        panel.filter.isEmpty
        ? localizer(.eventCount(count: all))
        : localizer(.eventsShown(number: String(shown.count), total: String(all)))
    let note =
        count + (panel.scroll > 0 ? localizer(.clauseComma) + localizer(.newerBelow(number: String(panel.scroll))) : "")
    let title = panel.filter.isEmpty ? localizer(.viewLog) : localizer(.logWith(filter: panel.filter))
    let inner = canvas.frame(rect, title: title, note: note).inset(horizontal: 1, vertical: 0)
    guard !shown.isEmpty else {
        canvas.put(localizer(panel.filter.isEmpty ? .nothingHappened : .noEventHolds), in: inner, role: .secondary)
        return
    }
    let entries = shown.dropLast(panel.scroll)
    guard inner.width < LogTable.narrowest || inner.height < 3 else {
        return LogTable(state, in: inner).draw(entries, on: &canvas)
    }
    drawEntries(entries, state.settings.zone, isBrief: false, on: &canvas, in: inner)
}

/// Draws events, the newest at the bottom.
///
/// A brief event with an advice has two lines: what happened, and who may be the cause.
func drawEntries(
    _ entries: some BidirectionalCollection<EventLog.Entry>,
    _ zone: Zone,
    isBrief: Bool,
    on canvas: inout Canvas,
    in rect: Rect
) {
    guard !rect.isEmpty else { return }
    let clock = zone.clockWidth
    let width = max(1, rect.width - clock - 1)
    // An event may take several rows, but not the whole of a large panel.
    let limit = rect.height < 4 ? rect.height : rect.height * 3 / 4
    func lines(_ entry: EventLog.Entry, text rows: Int, both: Int) -> [(text: String, role: Role)] {
        var lines = Printable.wrapped(entry.text, to: width, limit: rows).map { ($0, entry.role) }
        if let advice = entry.advice, width > 4, lines.count < both {
            lines += Printable.wrapped(advice, to: width - 2, limit: both - lines.count).map { ("  " + $0, .secondary) }
        }
        return lines
    }
    var shown: [(entry: EventLog.Entry, lines: [(text: String, role: Role)])] = []
    var free = rect.height
    for entry in entries.reversed() where free > 0 {
        let isShort = isBrief && entry.advice != nil
        let lines = lines(entry, text: isShort ? 1 : limit, both: isShort ? min(2, limit) : limit)
        // Omit an event that does not fit completely, because its visible part could be misread.
        guard lines.count <= free else { break }
        shown.append((entry, lines))
        free -= lines.count
    }
    // The newest events get the rows that are left.
    for index in shown.indices where free > 0 && isBrief && shown[index].entry.advice != nil {
        let (entry, brief) = shown[index]
        let rows = min(limit, brief.count + free)
        guard rows > brief.count else { continue }
        shown[index].lines = lines(entry, text: rows - 1, both: rows)
        free -= shown[index].lines.count - brief.count
    }
    var row = rect.height
    for (entry, lines) in shown {
        let start = row - lines.count
        for (index, (line, role)) in lines.enumerated() {
            let place = Rect(x: rect.x + clock + 1, y: rect.y + start + index, width: width, height: 1)
            canvas.put(line, in: place, role: role)
        }
        let time = Rect(x: rect.x, y: rect.y + start, width: min(clock, rect.width), height: 1)
        canvas.put(zone.clock(entry.time), in: time, role: .secondary)
        row = start
    }
}
