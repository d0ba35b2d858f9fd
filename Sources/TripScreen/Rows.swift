import Canvas
import TripText

/// The lines of a panel, of which the least important ones give way where there is no room.
struct Rows {
    /// One line.
    struct Row {
        /// What the line tells of; the values of all lines with a name stand below one another.
        var name: String?
        var spans: [Canvas.Span]
        /// What stands at the right edge.
        var right: [Canvas.Span] = []
        /// 0 is never left out before a higher number.
        var rank: Int
    }

    private(set) var rows: [Row] = []

    /// Adds a line.
    mutating func add(_ spans: [Canvas.Span], right: [Canvas.Span] = [], rank: Int) {
        rows.append(Row(spans: spans, right: right, rank: rank))
    }

    /// Adds a line of a name and a value, the values below one another.
    mutating func add(_ name: String, _ value: [Canvas.Span], rank: Int) {
        rows.append(Row(name: name, spans: value, rank: rank))
    }

    /// The lines that are shown where there is room for so many.
    func fitting(_ count: Int) -> [Row] {
        var kept = rows
        while kept.count > max(0, count) {
            guard let worst = kept.map(\.rank).max(), let index = kept.lastIndex(where: { $0.rank == worst }) else {
                break
            }
            kept.remove(at: index)
        }
        return kept
    }

    /// All lines with their names, those at the right edge left out.
    var lines: [[Canvas.Span]] { rows.map(named) }

    /// Draws as many lines as fit.
    ///
    /// - Returns: The rows used.
    func draw(on canvas: inout Canvas, in rect: Rect) -> Int {
        let shown = fitting(rect.height)
        for (index, row) in shown.enumerated() {
            let used = canvas.put(named(row), in: rect, row: index)
            guard !row.right.isEmpty else { continue }
            let columns = row.right.reduce(0) { $0 + TextWidth.of($1.text) }
            if used + columns < rect.width { canvas.put(row.right, in: rect, row: index, align: .right) }
        }
        return shown.count
    }

    /// Says in the frame below a panel how many lines it leaves out, and which key shows them.
    func drawLeftOut(shown: Int, key: String, on canvas: inout Canvas, in rect: Rect, say: Wording) {
        guard rows.count > shown, rect.height > 0, !key.isEmpty else { return }
        let edge = Rect(x: rect.x, y: rect.maxY, width: rect.width, height: 1)
        let words = " \(say(.moreLines, String(rows.count - shown), key)) "
        canvas.put(words, in: edge, align: .right, role: .secondary)
    }

    private func named(_ row: Row) -> [Canvas.Span] {
        guard let name = row.name else { return row.spans }
        let width = rows.reduce(8) { max($0, TextWidth.of($1.name ?? "")) }
        return [.init(name.padding(width + 1), .secondary)] + row.spans
    }
}
