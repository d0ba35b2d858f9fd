/// A picture made of cells, drawn by the views and shown by the terminal layer.
///
/// Every drawing function clips at the edges and takes any coordinates and sizes. A wide character takes two cells, the
/// second one empty; whatever overwrites half of it blanks the other half, so that no character is ever torn. Text
/// passes ``Printable``; what the glyph set cannot show is replaced.
package struct Canvas: Sendable, Equatable {
    /// One place of the picture.
    package struct Cell: Sendable, Equatable {
        /// What is drawn; empty in the second cell of a wide character.
        package var text: String
        /// What it means.
        package var role: Role

        /// Whether the character to the left reaches in here.
        package var isContinuation: Bool { text.isEmpty }

        static let blank = Cell(text: " ", role: .text)
    }

    /// A place in the picture.
    package struct Place: Sendable, Equatable {
        package var x: Int
        package var y: Int

        package init(x: Int, y: Int) {
            self.x = x
            self.y = y
        }
    }

    /// A line of text as it was drawn, and whether that was all of it.
    package struct DrawnText: Sendable, Equatable {
        /// Where it begins.
        package var place: Place
        /// What was asked for, as far as the terminal has the characters.
        package var wanted: String
        /// What was drawn; shorter than ``wanted`` and with an ellipsis where it was cut.
        package var drawn: String
        /// The columns that it takes.
        package var columns: Int

        /// Whether something is missing.
        package var isCut: Bool { wanted != drawn }
    }

    /// The columns, at most 1,000.
    package let width: Int
    /// The rows, at most 1,000.
    package let height: Int
    /// The characters to draw with.
    package let glyphs: GlyphSet
    /// Where the terminal's cursor stands, or `nil` to hide it.
    package var cursor: Place?
    /// Every line of text in the order of drawing, for tests of layouts; `nil` where that is not asked for.
    package internal(set) var drawnTexts: [DrawnText]?
    /// The cells, row by row.
    package private(set) var cells: [Cell]

    package init(width: Int, height: Int, glyphs: GlyphSet = GlyphSet(), recordsTexts: Bool = false) {
        drawnTexts = recordsTexts ? [] : nil
        self.width = min(max(0, width), 1000)
        self.height = min(max(0, height), 1000)
        self.glyphs = glyphs
        self.cells = Array(repeating: .blank, count: self.width * self.height)
    }

    /// The whole picture.
    package var bounds: Rect { Rect(x: 0, y: 0, width: width, height: height) }

    /// The cell at a place, `nil` outside.
    package subscript(x: Int, y: Int) -> Cell? {
        guard x >= 0, x < width, y >= 0, y < height else { return nil }
        return cells[y * width + x]
    }

    /// Keeps coordinates so small that no sum of a few overflows.
    static func bounded(_ value: Int) -> Int { min(max(value, -1_000_000), 1_000_000) }

    /// Puts a character of one or two columns; outside, or with a half outside, nothing happens.
    mutating func set(_ text: String, width columns: Int, x: Int, y: Int, role: Role) {
        guard x >= 0, x < width, y >= 0, y < height else { return }
        guard columns == 1 || x + 1 < width else {
            set(" ", width: 1, x: x, y: y, role: role)
            return
        }
        let index = y * width + x
        mend(index, x)
        cells[index] = Cell(text: text, role: role)
        guard columns == 2 else { return }
        mend(index + 1, x + 1)
        cells[index + 1] = Cell(text: "", role: role)
    }

    /// Changes only what a cell means; a wide character changes as a whole.
    mutating func setRole(_ role: Role, x: Int, y: Int) {
        guard x >= 0, x < width, y >= 0, y < height else { return }
        let index = y * width + x
        cells[index].role = role
        if cells[index].isContinuation, x > 0 { cells[index - 1].role = role }
        if x + 1 < width, cells[index + 1].isContinuation { cells[index + 1].role = role }
    }

    /// Blanks the other half of a wide character of which one half is about to be overwritten.
    private mutating func mend(_ index: Int, _ x: Int) {
        if cells[index].isContinuation, x > 0 { cells[index - 1].text = " " }
        if x + 1 < width, cells[index + 1].isContinuation { cells[index + 1].text = " " }
    }
}
