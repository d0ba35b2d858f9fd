import Canvas
import TripText

/// Lines of a panel that may be more than fit, wrapped and scrolled.
struct TextBlock {
    private(set) var lines: [[Canvas.Span]] = []
    /// The columns to wrap at.
    let width: Int

    init(width: Int) {
        self.width = max(1, width)
    }

    /// Adds a line as it is; what is too long is cut.
    mutating func add(_ spans: [Canvas.Span]) {
        lines.append(spans)
    }

    /// Adds text over as many lines as it takes, after a sign that stands in the first one.
    mutating func add(_ sign: Canvas.Span? = nil, _ text: String, _ role: Role = .text, indent: Int = 0) {
        let margin = max(indent, sign.map { TextWidth.of($0.text) + 1 } ?? 0)
        for (index, line) in Printable.wrapped(text, to: max(1, width - margin)).enumerated() {
            let first = index == 0 ? sign : nil
            let used = first.map { TextWidth.of($0.text) } ?? 0
            let gap = Canvas.Span(String(repeating: " ", count: max(0, margin - used)))
            lines.append((first.map { [$0] } ?? []) + [gap, Canvas.Span(line, role)])
        }
    }

    /// Draws from a line on, at most so far that the last line stands at the bottom, and says what is not seen.
    func draw(on canvas: inout Canvas, in rect: Rect, from first: Int, say: Wording) {
        let start = max(0, min(first, lines.count - rect.height))
        for (row, line) in lines.dropFirst(start).prefix(rect.height).enumerated() {
            canvas.put(line, in: rect, row: row)
        }
        Self.drawEdge(on: &canvas, in: rect, above: start, below: lines.count - start - rect.height, say: say)
    }

    /// Says in the frame below a rectangle how many lines are not seen; nothing where all are.
    static func drawEdge(on canvas: inout Canvas, in rect: Rect, above: Int, below: Int, say: Wording) {
        guard below > 0 || above > 0, rect.height > 0 else { return }
        let first = above > 0 ? say(.linesAbove, String(above)) + " " : ""
        let words = " \(first)\(below > 0 ? say(.linesBelow, String(below)) + " " : "")"
        let edge = Rect(x: rect.x, y: rect.maxY, width: rect.width, height: 1)
        canvas.put(words, in: edge, align: .right, role: .secondary)
    }
}
