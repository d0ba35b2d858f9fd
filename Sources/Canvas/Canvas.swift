import Runtime

/// A grid of cells, drawn by the views and displayed by the terminal layer.
///
/// Every drawing function clips at the edges and accepts any coordinates and sizes. A wide character occupies two cells, the
/// second one empty. Overwriting one half blanks the other half. Text passes ``Printable``; characters missing in the glyph set
/// are replaced.
package struct Canvas: Sendable, Equatable {
    /// The area of the map behind a cell; the theme tints it.
    package enum Ground: UInt8, Sendable, CaseIterable {
        case plain, water, park, building
    }

    /// A cell.
    package struct Cell: Sendable, Equatable {
        /// The text; empty in the second cell of a wide character.
        package var text: String
        /// The role.
        package var role: Role
        /// The area behind the text; writing text removes it.
        package var ground = Ground.plain

        /// Whether the cell is the second half of a wide character.
        package var isContinuation: Bool { text.isEmpty }

        static let blank = Cell(text: " ", role: .text)
    }

    /// A position on the canvas.
    package struct Place: Sendable, Equatable {
        package var x: Int
        package var y: Int
    }

    /// A drawn line of text, and whether it was truncated.
    package struct DrawnText: Sendable, Equatable {
        /// The start position.
        package var place: Place
        /// The requested text with unsupported characters replaced.
        package var wanted: String
        /// The drawn text; shorter than ``wanted`` and with an ellipsis if it was truncated.
        package var drawn: String
        /// The number of columns.
        package var columns: Int

        /// Whether the text was truncated.
        package var isCut: Bool { wanted != drawn }
    }

    /// The number of columns, at most 1,000.
    package let width: Int
    /// The number of rows, at most 1,000.
    package let height: Int
    /// The characters used for drawing.
    package let glyphs: GlyphSet
    /// The position of the terminal's cursor; `nil` hides it.
    package var cursor: Place?
    /// The texts that open something when they are clicked.
    package internal(set) var links: [Link] = []
    /// Every drawn line of text in order, for layout tests; `nil` unless recording is enabled.
    package internal(set) var drawnTexts: [DrawnText]?
    /// The cells in row order.
    package private(set) var cells: [Cell]

    package init(width: Int, height: Int, glyphs: GlyphSet = GlyphSet(), recordsTexts: Bool = false) {
        drawnTexts = recordsTexts ? [] : nil
        self.width = min(max(0, width), 1000)
        self.height = min(max(0, height), 1000)
        self.glyphs = glyphs
        self.cells = Array(repeating: .blank, count: self.width * self.height)
    }

    /// The whole canvas.
    package var bounds: Rect { Rect(x: 0, y: 0, width: width, height: height) }

    /// The cell at a position; `nil` if it is outside.
    package subscript(x: Int, y: Int) -> Cell? {
        guard x >= 0, x < width, y >= 0, y < height else { return nil }
        return cells[y * width + x]
    }

    /// Clamps coordinates so that sums do not overflow.
    static func bounded(_ value: Int) -> Int { min(max(value, -1_000_000), 1_000_000) }

    /// Sets a character of one or two columns; does nothing if any part is outside.
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

    /// Changes only the role of a cell; both halves of a wide character change.
    mutating func setRole(_ role: Role, x: Int, y: Int) {
        guard x >= 0, x < width, y >= 0, y < height else { return }
        let index = y * width + x
        cells[index].role = role
        if cells[index].isContinuation, x > 0 { cells[index - 1].role = role }
        if x + 1 < width, cells[index + 1].isContinuation { cells[index + 1].role = role }
    }

    /// Tints a cell; both halves of a wide character are tinted by one call each.
    package mutating func setGround(_ ground: Ground, x: Int, y: Int) {
        guard x >= 0, x < width, y >= 0, y < height else { return }
        cells[y * width + x].ground = ground
    }

    /// Copies a row of another canvas to a place; cells outside are left out.
    package mutating func copy(_ other: Canvas, row source: Int, toRow row: Int, column: Int) {
        guard (0..<other.height).contains(source), (0..<height).contains(row) else { return }
        for x in 0..<other.width where (0..<width).contains(column + x) {
            cells[row * width + column + x] = other.cells[source * other.width + x]
        }
    }

    /// Blanks the other half of a wide character before one half is overwritten.
    private mutating func mend(_ index: Int, _ x: Int) {
        if cells[index].isContinuation, x > 0 { cells[index - 1].text = " " }
        if x + 1 < width, cells[index + 1].isContinuation { cells[index + 1].text = " " }
    }
}
