import Canvas
import Runtime
import TripText

extension MapView {
    /// Draws the north arrow, the scale bar, and the attribution or the hint into corners, where they cover no symbol.
    ///
    /// No labels are placed there afterwards.
    func drawScale(_ space: inout LabelSpace, on canvas: inout Canvas) {
        let rect = camera.rect
        let places = picture.markers.map(\.place) + [estimate?.place ?? picture.vehicle].compactMap(\.self)
        let cells = places.compactMap(camera.cell)
        /// Writes into the first free position of two.
        func put(_ text: String, row: Int, isRightFirst: Bool, role: Role = .grid) {
            let width = TextWidth.of(text)
            guard width <= rect.width else { return }
            let columns = isRightFirst ? [rect.maxX - width, rect.x] : [rect.x, rect.maxX - width]
            let free = columns.first { column in
                space.isFree(column, row, width: width)
                    && !cells.contains { $0.y == row && $0.x >= column - 2 && $0.x <= column + width + 1 }
            }
            guard let free else { return }
            canvas.put(text, x: free, y: row, role: role, maxWidth: width)
            space.reserve(free, row, width: width)
        }
        let north = localizer(.compass).split(separator: " ").first ?? "N"
        put("\(north)\(canvas.glyphs.arrow(0))", row: rect.y, isRightFirst: true)
        let metersPerCell = 2 * metersPerDot
        guard metersPerCell.isFinite, metersPerCell > 0, rect.width >= 16, rect.height >= 4 else { return }
        let length = localizer.roundLength(atMost: metersPerCell * Double(rect.width / 4))
        // At an extreme zoom, rounding may give another length than the length that fits.
        let columns = min(max((length.meters / metersPerCell).rounded(), 1), Double(rect.width))
        guard columns.isFinite else { return }
        let count = Int(columns)
        let box = canvas.glyphs.box
        let bar = box.teeRight + String(repeating: box.horizontal, count: max(0, count - 2)) + box.teeLeft
        put("\(bar) \(length.name)", row: rect.maxY - 1, isRightFirst: false)
        let note = (basemap?.attribution).map(localizer.attribution) ?? (hasHint ? localizer(.mapHint) : "")
        guard !note.isEmpty, TextWidth.of(note) <= rect.width / 2 else { return }
        put(note, row: rect.maxY - 1, isRightFirst: true)
    }
}
