/// Large proportional letters for viewers at a distance.
///
/// A dot is one column wide and half a row high; in a ``fine`` face it is half as large, as in braille.
package struct BigFace: Sendable {
    /// One character.
    private struct Glyph: Sendable {
        /// The columns up to the next character.
        var advance: Int
        /// The dots above the baseline.
        var above: Int
        /// The dots from the top; the left one is the highest of ``advance`` bits.
        var rows: [UInt64]
    }

    /// The nominal size in dots.
    package let size: Int
    /// The dots of a capital letter above the baseline, and of the deepest letter below it.
    private let capital: Int
    private let descent: Int
    private var glyphs: [Unicode.Scalar: Glyph] = [:]
    /// Whether a cell has the eight dots of braille; otherwise it has two, one above the other.
    fileprivate private(set) var isFine = false
    /// The dots of a cell beside each other and above each other.
    private var across: Int { isFine ? 2 : 1 }
    private var down: Int { isFine ? 4 : 2 }

    /// Reads the faces of a file, whose first lines describe the format; `nil` if it is malformed.
    package static func faces(in text: String) -> [BigFace]? {
        var faces: [BigFace] = []
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            if words[0] == "face" {
                let numbers = words.dropFirst().compactMap { Int($0) }
                guard numbers.count == 4 else { return nil }
                faces.append(BigFace(size: numbers[0], capital: numbers[3], descent: numbers[2]))
                continue
            }
            guard !faces.isEmpty, words.count >= 3,
                let scalar = UInt32(words[0], radix: 16).flatMap(Unicode.Scalar.init), let advance = Int(words[1]),
                (1...64).contains(advance), let above = Int(words[2])
            else { return nil }
            let rows = words.count > 3 ? words[3].split(separator: ",").compactMap { UInt64($0, radix: 16) } : []
            faces[faces.count - 1].glyphs[scalar] = Glyph(advance: advance, above: above, rows: rows)
        }
        return faces
    }

    /// Adds characters of 16 dots to a face of about this size, or with doubled dots to one of 28 and more; others stay without.
    ///
    /// The first lines of the file describe the format. A malformed line is left out.
    package mutating func addWide(_ text: String) {
        guard let factor = size >= 28 ? 2 : (16...20).contains(size) ? 1 : nil else { return }
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            guard words.count == 2, words[1].utf8.count == 64,
                let scalar = UInt32(words[0], radix: 16).flatMap(Unicode.Scalar.init)
            else { continue }
            let digits = Array(words[1].utf8)
            let rows = stride(from: 0, to: 64, by: 4).map { start in
                UInt64(String(decoding: digits[start..<(start + 4)], as: UTF8.self), radix: 16) ?? 0
            }
            glyphs[scalar] = Glyph(
                advance: 16 * factor,
                above: 14 * factor,
                rows: factor == 1 ? rows : rows.flatMap { [Self.doubled($0), Self.doubled($0)] }
            )
        }
    }

    /// Returns a row of 16 dots with each dot twice.
    private static func doubled(_ row: UInt64) -> UInt64 {
        (0..<16).reduce(0) { $0 | (row >> UInt64($1) & 1) * 3 << UInt64(2 * $1) }
    }

    /// The same letters drawn with the dots of braille, half as wide and half as high; wide characters fill exactly four rows.
    package var fine: BigFace {
        // Wide characters have two of their sixteen dots below the baseline.
        var face = BigFace(size: size, capital: capital + 2, descent: max(0, descent - 2))
        face.isFine = true
        face.glyphs = glyphs.mapValues { Glyph(advance: $0.advance, above: $0.above + 2, rows: $0.rows) }
        return face
    }

    /// Returns the width of a text in columns; `nil` if a character has no large form.
    package func width(of text: String) -> Int? {
        var columns = 0
        for scalar in text.unicodeScalars {
            guard let glyph = glyphs[scalar] else { return nil }
            columns += glyph.advance
        }
        return (columns + across - 1) / across
    }

    /// The number of rows above the baseline for a text, at least the rows of a capital letter.
    package func rowsAbove(_ text: String) -> Int {
        let above = text.unicodeScalars.map { glyphs[$0]?.above ?? 0 }.max() ?? 0
        return (max(above, capital) + down - 1) / down
    }

    /// The number of rows below the baseline.
    package var rowsBelow: Int { (descent + down - 1) / down }

    /// The number of rows below the baseline for a text, 0 if all of its letters stand on it.
    package func rowsBelow(_ text: String) -> Int {
        let below = text.unicodeScalars.map { glyphs[$0].map { $0.rows.count - $0.above } ?? 0 }.max() ?? 0
        return (max(0, below) + down - 1) / down
    }

    /// Returns the columns of a character, its dots above the baseline, and its rows of dots from the top.
    fileprivate func glyph(_ scalar: Unicode.Scalar) -> (advance: Int, above: Int, rows: [UInt64])? {
        glyphs[scalar].map { ($0.advance, $0.above, $0.rows) }
    }

    /// Returns the columns of a character, its highest row above the baseline, and its dots at a height.
    fileprivate func shape(_ scalar: Unicode.Scalar) -> (advance: Int, top: Int, dots: (Int) -> UInt64)? {
        guard let glyph = glyphs[scalar] else { return nil }
        return (
            glyph.advance, (glyph.above + 1) / 2,
            { height in
                let index = glyph.above - height
                return glyph.rows.indices.contains(index) ? glyph.rows[index] : 0
            }
        )
    }
}

extension Canvas {
    /// Writes large text as half blocks, or as braille in a fine face; characters without a large form are omitted.
    ///
    /// `x` is the left column, `baseline` the row below the baseline of the letters.
    package mutating func putBig(_ text: String, x: Int, baseline: Int, face: BigFace, role: Role = .text) {
        guard !face.isFine else { return putFine(text, x: x, baseline: baseline, face: face, role: role) }
        var left = x
        for scalar in text.unicodeScalars {
            guard let (advance, top, dots) = face.shape(scalar) else { continue }
            for row in (1 - face.rowsBelow)..<(max(top, 0) + 1) {
                // The first dot above the baseline is the lower half of the row above it.
                let (upper, lower) = (dots(2 * row), dots(2 * row - 1))
                for column in 0..<advance where (upper | lower) >> UInt64(advance - 1 - column) & 1 == 1 {
                    let bit = UInt64(1) << UInt64(advance - 1 - column)
                    let block = upper & bit == 0 ? "▄" : lower & bit == 0 ? "▀" : "█"
                    set(block, width: 1, x: left + column, y: baseline - row, role: role)
                }
            }
            left += advance
        }
    }

    /// The bits of a braille cell from top to bottom, left and right.
    private static let brailleBits: [[UInt32]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]

    private mutating func putFine(_ text: String, x: Int, baseline: Int, face: BigFace, role: Role) {
        var cells: [Int: [Int: UInt32]] = [:]
        var left = 0
        for scalar in text.unicodeScalars {
            guard let glyph = face.glyph(scalar) else { continue }
            for (index, row) in glyph.rows.enumerated() where row != 0 {
                // Dots above the baseline are counted from 0.
                let height = glyph.above - 1 - index
                let cell = (height - (height < 0 ? 3 : 0)) / 4
                for column in 0..<glyph.advance where row >> UInt64(glyph.advance - 1 - column) & 1 == 1 {
                    let bit = Self.brailleBits[3 - (height - 4 * cell)][(left + column) % 2]
                    cells[baseline - 1 - cell, default: [:]][x + (left + column) / 2, default: 0] |= bit
                }
            }
            left += glyph.advance
        }
        for (y, row) in cells {
            for (column, bits) in row {
                guard let scalar = Unicode.Scalar(0x2800 + bits) else { continue }
                set(String(Character(scalar)), width: 1, x: column, y: y, role: role)
            }
        }
    }
}
