package import Canvas

/// The past and the present beside each other, in the same view; what differs is highlighted.
///
/// ```text
///  trip-7f3a               past   │  trip-7f3a               live
/// ╭ Map ──────────╮╭ Arrival ───╮ │ ╭ Map ──────────╮╭ Arrival ───╮
///  past  3:12 ago  ──────────────●──────────────────────────────────
///  keys
/// ```
package struct SideBySide {
    /// The narrowest screen that is divided.
    package static let narrowest = 160

    private let past: State
    private let present: State
    private let width: Int
    /// The row about the past that only its half has; `nil` if there is no room for it.
    private let banner: Int?

    /// Divides the screen that shows the past; `nil` if it is too narrow, or shows a panel, a text input or the present.
    package init?(_ screen: State, beside now: State.Snapshot) {
        guard screen.width >= Self.narrowest, screen.timeLine?.scene == .past, screen.focus == .view,
            !screen.showsPresenter
        else { return nil }
        width = (screen.width - 3) / 2
        var past = screen
        past.width = width
        banner = past.layout.banner.isEmpty ? nil : past.layout.banner.y
        var present = screen
        present.restore(now)
        // Without the rows about the past, the panels have the same size as the panels of the past.
        (present.width, present.height) = (width, screen.height - (banner == nil ? 1 : 2))
        present.timeLine = nil
        let rows = past.panelRows.larger(present.panelRows)
        (past.display.leastRows, present.display.leastRows) = (rows, rows)
        past.refit()
        present.refit()
        (self.past, self.present) = (past, present)
    }

    /// Draws both halves over the picture of the whole screen, above its time line.
    package func draw(on canvas: inout Canvas) {
        let rows = past.layout.timeLine.y
        var (left, right) = (view(past), Canvas(width: width, height: rows, glyphs: canvas.glyphs))
        let below = view(present)
        for row in 0..<rows where row != banner {
            right.copy(below, row: row - (banner.map { row > $0 } == true ? 1 : 0), toRow: row, column: 0)
        }
        for row in 1..<max(1, rows) where row != banner { highlight(row, &left, &right) }
        for row in 0..<rows where row != banner {
            canvas.fill(Rect(x: 0, y: row, width: canvas.width, height: 1))
            canvas.copy(left, row: row, toRow: row, column: 0)
            canvas.copy(right, row: row, toRow: row, column: canvas.width - width)
            canvas.put("│", x: width + 1, y: row, role: .border)
        }
    }

    /// Highlights the words of a row that differ.
    private func highlight(_ row: Int, _ left: inout Canvas, _ right: inout Canvas) {
        func isWord(_ x: Int) -> Bool { x < width && (Self.isText(left[x, row]) || Self.isText(right[x, row])) }
        var x = 0
        while x < width {
            guard isWord(x) else {
                x += 1
                continue
            }
            let end = (x...width).first { !isWord($0) } ?? width
            if (x..<end).contains(where: { left[$0, row]?.text != right[$0, row]?.text && !isMap($0, row) }) {
                let word = Rect(x: x, y: row, width: end - x, height: 1)
                left.recolor(word, role: .warning)
                right.recolor(word, role: .warning)
            }
            x = end
        }
    }

    /// Whether the maps of both halves are there: they differ in every cell as soon as one moves.
    private func isMap(_ x: Int, _ y: Int) -> Bool { past.mapRect.contains(x: x, y: y) }

    /// Whether a cell has a letter, a digit or a sign, not a part of a chart or a frame.
    private static func isText(_ cell: Canvas.Cell?) -> Bool {
        guard let scalar = cell?.text.unicodeScalars.first, scalar != " " else { return false }
        return !(0x2500...0x259F).contains(scalar.value) && !(0x2800...0x28FF).contains(scalar.value)
    }
}
