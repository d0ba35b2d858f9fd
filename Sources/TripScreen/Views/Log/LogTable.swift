import Canvas
import Runtime
import TripModel
import TripText

/// Draws events in columns, the newest last.
///
/// ```text
/// │ Time      Trip        Event                         What to do                    │
/// │ 17:00:00  trip-7f3a   Token received, good until …                                │
/// ```
struct LogTable {
    private let state: State
    private let rect: Rect
    private let columns: [Rect]

    private var localizer: Localizer { state.settings.localizer.about(state.shownKind) }
    private var zone: Zone { state.settings.zone }

    /// The narrowest view with columns.
    static let narrowest = 100

    init(_ state: State, in rect: Rect) {
        (self.state, self.rect) = (state, rect)
        let entries = state.log.entries
        func widest(_ text: (EventLog.Entry) -> String) -> Int { entries.reduce(0) { max($0, TextWidth.of(text($1))) } }
        let gap = 2
        let clock = state.settings.zone.clockWidth
        let title = state.settings.localizer.about(state.shownKind)(.viewTrip)
        let trip = max(TextWidth.of(title), min(widest(Self.name), 24))
        let room = rect.width - clock - trip - 3 * gap
        // An advice has a column of its own only if no event and no advice is wrapped for it.
        let (event, advice) = (widest(\.text), widest { $0.advice ?? "" })
        let width = advice > 0 && event + advice <= room ? min(max(advice, room * 2 / 5), room - event) : 0
        columns = rect.columns([.fixed(clock), .fixed(trip), .flexible(), .fixed(width)], gap: gap)
    }

    /// Draws the headings, and as many of the last entries as fit.
    func draw(_ entries: some BidirectionalCollection<EventLog.Entry>, on canvas: inout Canvas) {
        let titles = [localizer(.callsTime), localizer(.viewTrip), localizer(.columnEvent), localizer(.columnAdvice)]
        for (title, column) in zip(titles, columns) where !column.isEmpty {
            canvas.put(title, in: column, role: .secondary)
        }
        var shown: [(entry: EventLog.Entry, text: [(text: String, role: Role)], advice: [String])] = []
        var free = rect.height - 1
        for entry in entries.reversed() {
            let (text, advice) = lines(entry)
            free -= max(text.count, advice.count)
            // An event that does not fit completely is omitted, because its visible part could be misread.
            guard free >= 0 else { break }
            shown.append((entry, text, advice))
        }
        var row = 1
        for (entry, text, advice) in shown.reversed() {
            canvas.put(zone.clock(entry.time), in: columns[0], row: row, role: .secondary)
            canvas.put(Self.name(of: entry), in: columns[1], row: row, role: .secondary)
            for (index, line) in text.enumerated() {
                canvas.put(line.text, in: columns[2], row: row + index, role: line.role)
            }
            for (index, line) in advice.enumerated() {
                canvas.put(line, in: columns[3], row: row + index, role: .secondary)
            }
            row += max(text.count, advice.count)
        }
    }

    /// Returns the lines of an entry and those of its advice, which is below its text without a column of its own.
    private func lines(_ entry: EventLog.Entry) -> (text: [(text: String, role: Role)], advice: [String]) {
        // The name has a column of its own.
        let prefix = "\(Self.name(of: entry)): "
        let shown = entry.text.hasPrefix(prefix) ? String(entry.text.dropFirst(prefix.count)) : entry.text
        // An event may take several rows, but not the whole of a large panel.
        let most = max(1, (rect.height - 1) * 3 / 4)
        var text = Printable.wrapped(shown, to: columns[2].width, limit: most).map { ($0, entry.role) }
        guard let advice = entry.advice else { return (text, []) }
        guard columns[3].isEmpty else { return (text, Printable.wrapped(advice, to: columns[3].width, limit: most)) }
        if text.count < most {
            text += Printable.wrapped(advice, to: columns[2].width - 2, limit: most - text.count)
                .map { ("  " + $0, .secondary) }
        }
        return (text, [])
    }

    /// Returns the name of the trip that an entry is about; empty if it is about all.
    private static func name(of entry: EventLog.Entry) -> String {
        entry.journey.map { Reporter.sanitized($0.rawValue, limit: 64) } ?? ""
    }
}
