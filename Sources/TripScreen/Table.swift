import Canvas

/// Rows of cells below headings.
struct Table {
    /// A column.
    struct Column {
        var title: String
        /// In cells; `nil` for a share of what is left.
        var width: Int?
        var isRight = false
    }

    var columns: [Column]
    var rows: [[[Canvas.Span]]] = []
    /// The first row that is shown.
    var first = 0
    /// The chosen row; `nil` for none.
    var chosen: Int?
    /// The heading that is told apart, as the one of the order.
    var marked: Int?

    /// Draws the headings and as many rows as fit.
    func draw(on canvas: inout Canvas, in rect: Rect) {
        let parts: [Rect.Part] = columns.map { $0.width.map(Rect.Part.fixed) ?? .flexible() }
        let places = rect.columns(parts, gap: 1)
        for (index, (place, column)) in zip(places, columns).enumerated() {
            let role: Role = index == marked ? .heading : .secondary
            canvas.put(column.title, in: place, align: column.isRight ? .right : .left, role: role)
        }
        for (offset, row) in rows.dropFirst(first).prefix(max(0, rect.height - 1)).enumerated() {
            for (index, cell) in row.enumerated() where index < places.count {
                let align: Canvas.Alignment = columns[index].isRight ? .right : .left
                canvas.put(cell, in: places[index], row: offset + 1, align: align)
            }
            if first + offset == chosen { canvas.recolor(rect.row(offset + 1), role: .selection) }
        }
    }
}
