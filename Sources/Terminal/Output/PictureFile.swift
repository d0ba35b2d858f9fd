package import Canvas
import Runtime

/// A screenshot as SVG in the true colors of a theme.
///
/// Braille, lines and blocks are drawn as shapes, so that they join in every font. Everything else is text, aligned to the
/// columns of the grid.
package struct PictureFile {
    /// The size of a cell in pixels.
    static let cell = (width: 8, height: 17)
    private static let fontSize = 13

    private let canvas: Canvas
    private let theme: Theme
    /// The paths of all shapes by color and kind.
    private var fills: [Int: String] = [:]
    private var lines: [Int: String] = [:]
    private var grounds = ""
    private var texts = ""

    /// Draws a canvas, or some of its rows.
    package init(_ canvas: Canvas, theme: Theme, rows: Range<Int>? = nil) {
        self.canvas = canvas
        self.theme = theme
        for run in canvas.runs() where rows?.contains(run.y) != false { draw(run) }
    }

    /// The content of the file.
    package var text: String { file(containing: content) }

    /// The elements of the drawn rows.
    var content: String {
        let shapes = fills.sorted { $0.key < $1.key }.map { #"<path fill="\#(Self.hex($0.key))" d="\#($0.value)"/>"# }
        let strokes = lines.sorted { $0.key < $1.key }.map {
            #"<path fill="none" stroke="\#(Self.hex($0.key))" d="\#($0.value)"/>"#
        }
        let paths = (shapes + strokes).joined(separator: "\n")
        return grounds + paths + (paths.isEmpty || texts.isEmpty ? "" : "\n") + texts
    }

    /// Returns a file of the canvas's size with its background.
    func file(containing elements: String) -> String {
        let (width, height) = (canvas.width * Self.cell.width, canvas.height * Self.cell.height)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
            font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="\(Self.fontSize)" xml:space="preserve">
            <rect width="100%" height="100%" fill="\(Self.hex(style(.text).background))"/>
            \(elements)</svg>

            """
    }

    private func style(_ role: Role) -> Theme.Style { theme.style(role, at: .truecolor) }

    private static func hex(_ rgb: Int) -> String {
        let digits = String(max(0, rgb), radix: 16)
        return "#" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    private mutating func draw(_ run: Canvas.Run) {
        var style = theme.style(run.role, on: run.ground, at: .truecolor)
        if theme.name == .mono { (style.foreground, style.background) = (0xDDDDDD, 0x101010) }
        if style.attributes.contains(.reverse) { swap(&style.foreground, &style.background) }
        let columns = TextWidth.of(run.text)
        let (x, y) = (run.x * Self.cell.width, run.y * Self.cell.height)
        if style.background != self.style(.text).background {
            let size = #"width="\#(columns * Self.cell.width)" height="\#(Self.cell.height)""#
            grounds += #"<rect x="\#(x)" y="\#(y)" \#(size) fill="\#(Self.hex(style.background))"/>"# + "\n"
        }
        var column = run.x
        var word = ""
        var start = column
        for character in run.text {
            if draw(character, column, run.y, style.foreground) || character == " " {
                put(word, start, run.y, style)
                word = ""
                start = column + TextWidth.of(String(character))
            } else {
                word.append(character)
            }
            column += TextWidth.of(String(character))
        }
        put(word, start, run.y, style)
    }

    /// Adds a word as text, aligned to its columns.
    private mutating func put(_ word: String, _ column: Int, _ row: Int, _ style: Theme.Style) {
        guard !word.isEmpty else { return }
        let safe = Self.escaped(word)
        let weight = style.attributes.contains(.bold) ? #" font-weight="bold""# : ""
        let line = style.attributes.contains(.underline) ? #" text-decoration="underline""# : ""
        let place = #"x="\#(column * Self.cell.width)" y="\#(row * Self.cell.height + Self.fontSize)""#
        let length = #"textLength="\#(TextWidth.of(word) * Self.cell.width)""#
        texts +=
            #"<text \#(place) \#(length) fill="\#(Self.hex(style.foreground))"\#(weight)\#(line)>\#(safe)</text>"#
            + "\n"
    }

    /// Escapes a text for the content or an attribute of an XML element.
    ///
    /// XML 1.0 cannot represent control characters, surrogates, U+FFFE and U+FFFF: they become U+FFFD.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&apos;"
            case "\t", "\n", "\r", "\u{20}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"...:
                result.unicodeScalars.append(scalar)
            default: result += "\u{FFFD}"
            }
        }
    }

    /// Draws a character as a shape; returns `false` if it is not one.
    private mutating func draw(_ character: Character, _ column: Int, _ row: Int, _ color: Int) -> Bool {
        guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1 else { return false }
        let (x, y) = (column * Self.cell.width, row * Self.cell.height)
        switch scalar.value {
        case 0x2800...0x28FF:
            for dot in Self.dots(scalar.value - 0x2800) {
                let (left, top) = (x + dot.column * 4, y + 1 + dot.row * 4)
                fills[color, default: ""] += "M\(left) \(top)h3v3h-3z"
            }
        case 0x2580: fills[color, default: ""] += box(x, y, Self.cell.width, Self.cell.height / 2)
        case 0x2584:
            let top = Self.cell.height / 2
            fills[color, default: ""] += box(x, y + top, Self.cell.width, Self.cell.height - top)
        case 0x2581...0x2588:
            let height = (Int(scalar.value) - 0x2580) * Self.cell.height / 8
            fills[color, default: ""] += box(x, y + Self.cell.height - height, Self.cell.width, height)
        case 0x2589...0x258F:
            fills[color, default: ""] += box(x, y, 0x2590 - Int(scalar.value), Self.cell.height)
        case 0x2590: fills[color, default: ""] += box(x + 4, y, 4, Self.cell.height)
        case 0x1FB00...0x1FB3B:
            for dot in Self.sextants(scalar.value - 0x1FB00) {
                let (top, bottom) = (dot.row * Self.cell.height / 3, (dot.row + 1) * Self.cell.height / 3)
                fills[color, default: ""] += box(x + dot.column * 4, y + top, 4, bottom - top)
            }
        case 0x2501: fills[color, default: ""] += box(x, y + 7, Self.cell.width, 3)
        default:
            guard let ways = Self.boxes[scalar] else { return false }
            let middle = (x: "\(x + 4)", y: "\(y + 8)")
            for way in ways {
                switch way {
                case "u": lines[color, default: ""] += "M\(middle.x) \(middle.y)V\(y)"
                case "d": lines[color, default: ""] += "M\(middle.x) \(middle.y)V\(y + Self.cell.height)"
                case "l": lines[color, default: ""] += "M\(middle.x) \(middle.y)H\(x)"
                default: lines[color, default: ""] += "M\(middle.x) \(middle.y)H\(x + Self.cell.width)"
                }
            }
        }
        return true
    }

    private func box(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> String {
        "M\(x) \(y)h\(width)v\(height)h-\(width)z"
    }

    /// Returns the dots of a braille pattern: bits 0 to 2 and 6 are the left column, 3 to 5 and 7 the right one.
    private static func dots(_ pattern: UInt32) -> [(column: Int, row: Int)] {
        let places = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]
        return places.indices.filter { pattern >> $0 & 1 == 1 }.map { (places[$0].0, places[$0].1) }
    }

    /// Returns the sixths of a sextant by its number in Unicode, which leaves out blank, left half, right half and full.
    private static func sextants(_ number: UInt32) -> [(column: Int, row: Int)] {
        let shape = number + (number >= 40 ? 3 : number >= 20 ? 2 : 1)
        return (0..<6).filter { shape >> UInt32($0) & 1 == 1 }.map { ($0 % 2, $0 / 2) }
    }

    /// The directions of box-drawing lines from the middle of the cell: up, down, left, right.
    private static let boxes: [Unicode.Scalar: String] = [
        "─": "lr", "│": "ud", "╭": "dr", "╮": "dl", "╰": "ur", "╯": "ul", "┌": "dr", "┐": "dl", "└": "ur", "┘": "ul",
        "├": "udr", "┤": "udl", "┬": "dlr", "┴": "ulr", "┼": "udlr",
    ]
}
