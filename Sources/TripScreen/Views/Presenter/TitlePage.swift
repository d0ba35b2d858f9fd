package import Canvas
import Runtime
import TripText

/// A page of large words: between the rides of a tour, and at its end.
package struct TitlePage: Sendable, Equatable {
    /// The number of the ride and of all rides; empty for none.
    package var number: String
    /// One to three words.
    package var title: String
    /// A sentence.
    package var about: String
    /// A note in the last line; empty for none.
    package var note: String

    package init(number: String, title: String, about: String, note: String) {
        (self.number, self.title, self.about, self.note) = (number, title, about, note)
    }

    /// Draws the page on the whole canvas.
    func draw(on canvas: inout Canvas) {
        let screen = canvas.bounds.inset(horizontal: 2, vertical: 0)
        canvas.fill(canvas.bounds)
        let face =
            canvas.glyphs.level == .ascii
            ? nil : BigFace.largest(for: [title], width: screen.width, height: max(1, screen.height / 3))
        let lines = Printable.wrapped(about, to: max(1, min(screen.width, 90)), limit: 4)
        let words = face.map { $0.rowsAbove(title) + $0.rowsBelow } ?? 1
        let rows = screen.centered(width: screen.width, height: words + lines.count + 4)
            .rows([.fixed(1), .fixed(1), .fixed(words), .fixed(1), .fixed(lines.count)])
        canvas.put(number, in: rows[0], align: .center, role: .secondary)
        if let face, let width = face.width(of: title), !rows[2].isEmpty {
            let x = rows[2].x + max(0, rows[2].width - width) / 2
            canvas.putBig(title, x: x, baseline: rows[2].maxY - face.rowsBelow, face: face, role: .accent)
        } else {
            canvas.put(title, in: rows[2], align: .center, role: .accent)
        }
        for (row, line) in lines.enumerated() { canvas.put(line, in: rows[4], row: row, align: .center) }
        canvas.put(note, in: screen, row: screen.height - 1, align: .center, role: .secondary)
    }
}

/// Draws a page while the program is not yet ready.
package func pageView(_ page: TitlePage, width: Int, height: Int, glyphs: GlyphSet) -> Canvas {
    var canvas = Canvas(width: width, height: height, glyphs: glyphs)
    page.draw(on: &canvas)
    return canvas
}
