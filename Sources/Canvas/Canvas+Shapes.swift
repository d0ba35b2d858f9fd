import Runtime

/// Areas, frames, bars and charts.
extension Canvas {
    /// Fills a rectangle with one character of width 1; a blank clears it.
    package mutating func fill(_ rect: Rect, with text: String = " ", role: Role = .text) {
        let area = rect.intersection(bounds)
        guard !area.isEmpty, let cluster = glyphs.drawable(text, limit: 1).first, cluster.width == 1 else { return }
        for y in area.y..<area.maxY {
            for x in area.x..<area.maxX {
                set(cluster.text, width: 1, x: x, y: y, role: role)
            }
        }
    }

    /// Changes the role of a rectangle without changing its text, for example for the selected row of a list.
    package mutating func recolor(_ rect: Rect, role: Role) {
        let area = rect.intersection(bounds)
        guard !area.isEmpty else { return }
        for y in area.y..<area.maxY {
            for x in area.x..<area.maxX {
                setRole(role, x: x, y: y)
            }
        }
    }

    /// Draws a frame along the inside of a rectangle, with a title at the left and a note at the right of its upper edge.
    ///
    /// - Returns: The inner rectangle for the content.
    @discardableResult
    package mutating func frame(
        _ rect: Rect,
        title: String = "",
        note: String = "",
        role: Role = .border,
        titleRole: Role = .heading,
        noteRole: Role = .secondary
    ) -> Rect {
        let inner = rect.inset(by: 1)
        guard rect.width > 1, rect.height > 1 else { return inner }
        let box = glyphs.box
        horizontalLine(x: rect.x, y: rect.y, length: rect.width, role: role)
        horizontalLine(x: rect.x, y: rect.maxY - 1, length: rect.width, role: role)
        verticalLine(x: rect.x, y: rect.y, length: rect.height, role: role)
        verticalLine(x: rect.maxX - 1, y: rect.y, length: rect.height, role: role)
        set(box.topLeft, width: 1, x: rect.x, y: rect.y, role: role)
        set(box.topRight, width: 1, x: rect.maxX - 1, y: rect.y, role: role)
        set(box.bottomLeft, width: 1, x: rect.x, y: rect.maxY - 1, role: role)
        set(box.bottomRight, width: 1, x: rect.maxX - 1, y: rect.maxY - 1, role: role)
        let edge = Rect(x: rect.x + 2, y: rect.y, width: rect.width - 4, height: 1)
        var used = 0
        if !title.isEmpty, edge.width >= 3 { used = put(" \(title) ", in: edge, role: titleRole) }
        if !note.isEmpty {
            let room = edge.width - used - 1
            // A note truncated to one or two letters is useless.
            let cut = Printable.truncated(glyphs.drawable(note, limit: room), to: room - 2, ellipsis: glyphs.ellipsis)
            let isWhole = glyphs.drawable(note, limit: room).columns <= room - 2
            if isWhole || room >= 8 {
                put(" \(cut.map(\.text).joined()) ", in: edge, align: .right, role: noteRole)
            }
        }
        return inner
    }

    /// Draws a line to the right.
    package mutating func horizontalLine(x: Int, y: Int, length: Int, role: Role = .border) {
        fill(Rect(x: x, y: y, width: length, height: 1), with: glyphs.box.horizontal, role: role)
    }

    /// Draws a line down.
    package mutating func verticalLine(x: Int, y: Int, length: Int, role: Role = .border) {
        fill(Rect(x: x, y: y, width: 1, height: length), with: glyphs.box.vertical, role: role)
    }

    /// Draws a bar in the first row of a rectangle, filled from the left.
    ///
    /// - Parameters:
    ///     - fraction: The filled fraction, 0 to 1; NaN counts as 0. Above 0 at least the smallest step is drawn, below 1 never
    ///     a full bar.
    ///   - rect: Its first row is drawn.
    ///   - role: The role of the filled part.
    ///   - mark: The position of a mark, 0 to 1.
    package mutating func bar(_ fraction: Double, in rect: Rect, role: Role = .barFilled, mark: Double? = nil) {
        guard !rect.isEmpty else { return }
        let steps = glyphs.barSteps
        let whole = rect.width * steps.count
        let share = fraction.isFinite ? min(max(0, fraction), 1) : (fraction == .infinity ? 1 : 0)
        var filled = Int((share * Double(whole)).rounded())
        if share > 0 { filled = max(1, filled) }
        if share < 1 { filled = min(whole - 1, filled) }
        for column in 0..<min(rect.width, width) {
            let rest = filled - column * steps.count
            if rest <= 0 {
                set(glyphs.barEmpty, width: 1, x: rect.x + column, y: rect.y, role: .barEmpty)
            } else {
                set(steps[min(rest, steps.count) - 1], width: 1, x: rect.x + column, y: rect.y, role: role)
            }
        }
        if let mark, mark.isFinite {
            let column = Int(min(max(0, mark), 1) * Double(rect.width - 1))
            set(glyphs.barMark, width: 1, x: rect.x + column, y: rect.y, role: .barMark)
        }
    }

    /// Draws a column chart that fills a rectangle, the newest value at its right edge.
    ///
    /// - Parameters:
    ///   - values: From old to new; the oldest values are omitted if there is too little room. `nil` leaves a gap.
    ///   - rect: The area of the columns.
    ///   - top: The value of a full column, above 0. Values above 0 have at least the smallest step.
    ///   - role: The role of a column, by its value.
    package mutating func chart(
        _ values: [Double?],
        in rect: Rect,
        top: Double,
        role: (Double) -> Role = { _ in .chart }
    ) {
        guard !rect.isEmpty, top > 0, top.isFinite else { return }
        let steps = glyphs.chartSteps
        let shown = values.suffix(rect.width)
        let start = rect.maxX - shown.count
        for (offset, value) in shown.enumerated() {
            guard let value, value.isFinite, value > 0 else { continue }
            let level = max(1, Int((min(value / top, 1) * Double(rect.height * steps.count)).rounded()))
            for row in 0..<rect.height {
                let rest = level - row * steps.count
                guard rest > 0 else { break }
                let text = steps[min(rest, steps.count) - 1]
                set(text, width: 1, x: start + offset, y: rect.maxY - 1 - row, role: role(value))
            }
        }
    }
}
