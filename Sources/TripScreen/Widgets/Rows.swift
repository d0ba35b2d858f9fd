import Canvas
import Runtime
import TripText

/// The lines of a panel; the least important ones are omitted if there is too little room.
struct Rows {
    /// A line.
    struct Row {
        /// The name of the value; the values of all named lines are aligned.
        var name: String?
        var spans: [Canvas.Span]
        /// The content at the right edge.
        var right: [Canvas.Span] = []
        /// What follows the content if there is room for all of it.
        var extra: [Canvas.Span] = []
        /// The priority; higher numbers are omitted first.
        var rank: Int
    }

    private(set) var rows: [Row] = []

    /// Adds a line.
    mutating func add(_ spans: [Canvas.Span], right: [Canvas.Span] = [], rank: Int) {
        rows.append(Row(spans: spans, right: right, rank: rank))
    }

    /// Adds a line with a name and an aligned value.
    mutating func add(_ name: String, _ value: [Canvas.Span], extra: [Canvas.Span] = [], rank: Int) {
        rows.append(Row(name: name, spans: value, extra: extra, rank: rank))
    }

    /// Returns the lines that are shown if there is room for `count` lines.
    func fitting(_ count: Int) -> [Row] {
        var retained = rows
        while retained.count > max(0, count) {
            guard let worst = retained.map(\.rank).max(), let index = retained.lastIndex(where: { $0.rank == worst })
            else {
                break
            }
            retained.remove(at: index)
        }
        return retained
    }

    /// All lines with their names, without the content at the right edge.
    var lines: [[Canvas.Span]] { rows.map { named($0) + $0.extra } }

    /// Draws as many lines as fit.
    ///
    /// - Returns: The number of rows used.
    func draw(on canvas: inout Canvas, in rect: Rect) -> Int {
        let shown = fitting(rect.height)
        for (index, row) in shown.enumerated() {
            let whole = named(row) + row.extra
            let fits = whole.reduce(0) { $0 + TextWidth.of($1.text) } <= rect.width
            let used = canvas.put(fits ? whole : named(row), in: rect, row: index)
            guard !row.right.isEmpty else { continue }
            let columns = row.right.reduce(0) { $0 + TextWidth.of($1.text) }
            if used + columns < rect.width { canvas.put(row.right, in: rect, row: index, align: .right) }
        }
        return shown.count
    }

    /// Draws in the panel's bottom frame how many lines are omitted, and the key that shows them.
    func drawLeftOut(shown: Int, key: String, on canvas: inout Canvas, in rect: Rect, localizer: Localizer) {
        guard rows.count > shown, rect.height > 0, !key.isEmpty else { return }
        let edge = Rect(x: rect.x, y: rect.maxY, width: rect.width, height: 1)
        let words = " \(localizer(.moreLines(number: String(rows.count - shown), key: key))) "
        canvas.put(words, in: edge, align: .right, role: .secondary)
    }

    private func named(_ row: Row) -> [Canvas.Span] {
        guard let name = row.name else { return row.spans }
        let width = rows.reduce(8) { max($0, TextWidth.of($1.name ?? "")) }
        return [.init(name.padding(width + 1), .secondary)] + row.spans
    }
}
