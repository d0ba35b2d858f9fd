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
    /// Whether it is the end of the tour, which says what was shown.
    package var isLast: Bool
    /// What was shown, in sentences; empty for another page, and until the page is shown.
    var recap: [String] = []

    package init(number: String, title: String, about: String, note: String, isLast: Bool = false) {
        (self.number, self.title, self.about, self.note) = (number, title, about, note)
        self.isLast = isLast
    }

    /// Draws the page on the whole canvas.
    func draw(on canvas: inout Canvas) {
        let screen = canvas.bounds.inset(horizontal: 2, vertical: 0)
        canvas.fill(canvas.bounds)
        let lines = lines(in: screen)
        // The sentences are more important than the size of the title.
        let height = min(screen.height / 3, screen.height - lines.count - 5)
        let face = face(width: screen.width, height: height, canvas.glyphs)
        let words = face.map { $0.rowsAbove(title) + $0.rowsBelow(title) } ?? 1
        let rows = screen.centered(width: screen.width, height: words + lines.count + 4)
            .rows([.fixed(number.isEmpty ? 0 : 1), .fixed(1), .fixed(words), .fixed(1), .fixed(lines.count)])
        canvas.put(number, in: rows[0], align: .center, role: .secondary)
        if let face, let width = face.width(of: title), !rows[2].isEmpty {
            let x = rows[2].x + max(0, rows[2].width - width) / 2
            canvas.putBig(title, x: x, baseline: rows[2].maxY - face.rowsBelow(title), face: face, role: .accent)
        } else {
            canvas.put(title, in: rows[2], align: .center, role: .accent)
        }
        for (row, line) in lines.enumerated() {
            // A list is easier to read from its left edge.
            canvas.put(line, in: rows[4], row: row, align: recap.isEmpty ? .center : .left)
        }
        canvas.put(note, in: screen, row: screen.height - 1, align: .center, role: .secondary)
    }

    private func face(width: Int, height: Int, _ glyphs: GlyphSet) -> BigFace? {
        guard glyphs.level > .ascii else { return nil }
        if let face = BigFace.largest(for: [title], width: width, height: max(1, height), isTight: true) { return face }
        guard glyphs.level == .braille, height >= 4, let fine = BigFace.fine, let columns = fine.width(of: title),
            columns <= width
        else { return nil }
        return fine
    }

    /// Returns the lines below the title: the sentence, or those of the recap with as much space between them as there is.
    private func lines(in screen: Rect) -> [String] {
        let width = max(1, min(screen.width, 90))
        guard !recap.isEmpty else { return Self.balanced(about, to: width) }
        let parts = (recap + [about]).map { Printable.wrapped($0, to: screen.width, limit: 3) }
        let rows = parts.reduce(0) { $0 + $1.count }
        let isLoose = rows + parts.count + 12 <= screen.height
        return parts.enumerated().flatMap { index, part in isLoose && index > 0 ? [""] + part : part }
    }

    /// Returns the lines of a sentence with about the same widths, so that the last one is not a word alone.
    private static func balanced(_ text: String, to width: Int) -> [String] {
        let lines = Printable.wrapped(text, to: width, limit: 4)
        guard lines.count > 1 else { return lines }
        let narrower = (1..<width).reversed().lazy
            .map { Printable.wrapped(text, to: $0, limit: lines.count + 1) }
            .prefix { $0.count == lines.count }
        return Array(narrower).last ?? lines
    }
}

/// Draws a page while the program is not yet ready.
package func pageView(_ page: TitlePage, width: Int, height: Int, glyphs: GlyphSet) -> Canvas {
    var canvas = Canvas(width: width, height: height, glyphs: glyphs)
    page.draw(on: &canvas)
    return canvas
}
