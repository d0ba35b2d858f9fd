import Canvas
import Runtime
import TripText

/// The wrapped and scrollable lines of a panel.
struct TextBlock {
    private(set) var lines: [[Canvas.Span]] = []
    /// The row of each line of labelled texts; empty for other lines.
    private(set) var rows: [Int] = []
    /// The wrap width in columns.
    let width: Int

    init(width: Int) {
        self.width = max(1, width)
    }

    /// Creates a block of labelled texts, with the labels in a column.
    init(_ rows: [FailureDetails.Row], width: Int) {
        self.init(width: width)
        let labels = min(rows.map { TextWidth.of($0.label) }.max() ?? 0, max(8, self.width / 3))
        for (place, row) in rows.enumerated() {
            let label = Printable.wrapped(row.label, to: labels)
            let value = Printable.wrapped(row.value, to: max(1, self.width - labels - 2))
            for index in 0..<max(1, label.count, value.count) {
                let name = index < label.count ? label[index] : ""
                let gap = String(repeating: " ", count: max(0, labels - TextWidth.of(name)) + 2)
                add([.init(name, .secondary), .init(gap), .init(index < value.count ? value[index] : "")])
                self.rows.append(place)
            }
        }
    }

    /// Adds a line without wrapping; it is truncated if it is too long.
    mutating func add(_ spans: [Canvas.Span]) {
        lines.append(spans)
    }

    /// Adds wrapped text with an optional sign on the first line.
    mutating func add(_ sign: Canvas.Span? = nil, _ text: String, _ role: Role = .text, indent: Int = 0) {
        let margin = max(indent, sign.map { TextWidth.of($0.text) + 1 } ?? 0)
        for (index, line) in Printable.wrapped(text, to: max(1, width - margin)).enumerated() {
            let first = index == 0 ? sign : nil
            let used = first.map { TextWidth.of($0.text) } ?? 0
            let gap = Canvas.Span(String(repeating: " ", count: max(0, margin - used)))
            lines.append((first.map { [$0] } ?? []) + [gap, Canvas.Span(line, role)])
        }
    }

    /// Draws lines from `first` on, clamped to the end, and the numbers of hidden lines.
    func draw(on canvas: inout Canvas, in rect: Rect, from first: Int, localizer: Localizer) {
        let start = max(0, min(first, lines.count - rect.height))
        for (row, line) in lines.dropFirst(start).prefix(rect.height).enumerated() {
            canvas.put(line, in: rect, row: row)
        }
        Self.drawEdge(
            on: &canvas,
            in: rect,
            above: start,
            below: lines.count - start - rect.height,
            localizer: localizer
        )
    }

    /// Draws in the bottom frame how many lines are hidden; nothing if all are visible.
    static func drawEdge(on canvas: inout Canvas, in rect: Rect, above: Int, below: Int, localizer: Localizer) {
        guard below > 0 || above > 0, rect.height > 0 else { return }
        let first = above > 0 ? localizer(.linesAbove(number: String(above))) + " " : ""
        let words = " \(first)\(below > 0 ? localizer(.linesBelow(number: String(below))) + " " : "")"
        let edge = Rect(x: rect.x, y: rect.maxY, width: rect.width, height: 1)
        canvas.put(words, in: edge, align: .right, role: .secondary)
    }
}
