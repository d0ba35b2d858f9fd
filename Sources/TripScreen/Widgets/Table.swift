import Canvas

/// A table with headings.
struct Table {
    /// A column.
    struct Column {
        var title: String
        /// The width in cells; `nil` for a share of the remaining width.
        var width: Int?
        var isRight = false
        /// Whether its heading is highlighted, as for the sort column.
        var isMarked = false
    }

    var columns: [Column]
    var rows: [[[Canvas.Span]]] = []
    /// The first visible row.
    var first = 0
    /// The selected row; `nil` for none.
    var chosen: Int?

    /// Draws the headings and as many rows as fit.
    func draw(on canvas: inout Canvas, in rect: Rect) {
        let parts: [Rect.Part] = columns.map { $0.width.map(Rect.Part.fixed) ?? .flexible() }
        let places = rect.columns(parts, gap: 1)
        for (place, column) in zip(places, columns) {
            let role: Role = column.isMarked ? .heading : .secondary
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
