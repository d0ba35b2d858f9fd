import Canvas
import Failures
import FleetTokens
import Runtime
import TripFeed
import TripModel
import TripText

/// Draws the last answer as a tree with the changes of the last poll.
struct InspectorView {
    let inspector: Inspector
    let state: State
    let trip: FollowedTrip

    private typealias Span = Canvas.Span
    private var localizer: Localizer { state.settings.localizer.about(state.shownKind) }
    private var glyphs: GlyphSet { state.settings.glyphs }

    func draw(on canvas: inout Canvas, in rect: Rect) {
        let isOld = trip.lastReport?.failure != nil && !trip.answers.isEmpty
        let title = localizer(inspector.showsChangesOnly ? .changesTitle : isOld ? .lastGoodAnswer : .lastAnswer)
        _ = canvas.frame(rect, title: title, note: note(room: rect.width - 20))
        let (error, inner) = Self.parts(of: state, trip, in: rect)
        for (row, line) in error.lines.enumerated() { canvas.put(line, in: error.rect, row: row, role: .critical) }
        guard !inner.isEmpty else { return }
        guard !inspector.rows.isEmpty else {
            canvas.putWrapped(emptiness, in: inner, role: .secondary)
            return
        }
        let first = Self.first(inspector, visible: inner.height)
        for (offset, row) in inspector.rows.dropFirst(first).prefix(inner.height).enumerated() {
            draw(row, on: &canvas, in: inner.row(offset))
            if first + offset == inspector.cursor { canvas.recolor(inner.row(offset), role: .selection) }
        }
    }

    /// Returns the areas of the rows and of the note above them, which explains why there is no newer answer.
    static func parts(
        of state: State,
        _ trip: FollowedTrip,
        in rect: Rect
    ) -> (error: (rect: Rect, lines: [String]), rows: Rect) {
        let inner = rect.inset(by: 1).inset(horizontal: 1, vertical: 0)
        var lines: [String] = []
        if let report = trip.lastReport, let failed = trip.failedPoll {
            let localizer = state.settings.localizer
            let sentence = failed.message(about: trip.id, state.settings)
            let time = state.settings.zone.clock(report.finished.wall)
            let text = "\(state.settings.glyphs.cross) \(time) \(sentence.what)\(localizer(.fullStop))"
            lines = Printable.wrapped(text, to: inner.width, limit: max(1, inner.height / 4))
        }
        let parts = inner.rows([.fixed(lines.count), .flexible()])
        return ((parts[0], lines), parts[1])
    }

    /// Returns the first visible row, so that the selected one is centered if possible.
    static func first(_ inspector: Inspector, visible: Int) -> Int {
        max(0, min(inspector.cursor - visible / 2, inspector.rows.count - visible))
    }

    /// Returns facts about the answer; the first ones are omitted if there is too little room.
    private func note(room: Int) -> String {
        var words: [String] = []
        if let answer = trip.answers.last ?? trip.failedAnswer {
            words.append(state.settings.zone.clock(answer.time))
            if let status = answer.status { words.append(status.label) }
            let size = localizer.bytes(answer.body.size)
            words.append(answer.body.isCut ? localizer(.bodyCut(size: size)) : size)
        } else if let status = trip.lastReport?.status {
            words.append(status.label)
        }
        words.append(
            inspector.changes == 0 ? localizer(.nothingChanged) : localizer(.changes(count: inspector.changes))
        )
        if !inspector.search.isEmpty {
            words.append(
                localizer(
                    .matchesWith(number: String(inspector.rows.count { $0.isMatch }), search: inspector.search)
                )
            )
        }
        while words.count > 1, words.reduce(0, { $0 + TextWidth.of($1) + 3 }) > room { words.removeFirst() }
        return words.joined(separator: " \(glyphs.separator) ")
    }

    private var emptiness: String {
        if trip.bodies.isEmpty { return localizer(.noAnswerYet) }
        if inspector.isUnreadable {
            return localizer(trip.bodies.last?.isCut == true ? .bodyCutUnreadable : .answerNotJSON)
        }
        return localizer(inspector.showsChangesOnly ? .pollChangedNothing : .answerEmpty)
    }

    private func draw(_ row: Inspector.Row, on canvas: inout Canvas, in rect: Rect) {
        let fold = row.isOpen.map { $0 ? glyphs.opened : glyphs.closed } ?? " "
        let (sign, role) = mark(row.change)
        let key: Role = row.isMatch ? .match : role ?? .secondary
        let value: Role = row.isMatch ? .match : role ?? (row.isOpen == nil ? .text : .secondary)
        var spans = [
            Span(sign, role ?? .text), Span(" " + String(repeating: "  ", count: row.depth)), Span("\(fold) ", .accent),
            Span(row.key, key), Span(": ", .secondary),
        ]
        if row.isOpen != true { spans.append(Span(row.value, value)) }
        if case .changed(let old) = row.change {
            spans.append(Span("  \(localizer(.wasBefore(value: old)))", .secondary))
        }
        canvas.put(spans, in: rect)
    }

    private func mark(_ change: Inspector.Change?) -> (String, Role?) {
        switch change {
        case .added: ("+", .added)
        case .removed: ("-", .removed)
        case .changed: ("~", .changed)
        case .within, nil: (" ", nil)
        }
    }
}
