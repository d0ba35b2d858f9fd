/// Large letters for viewers at a distance.
extension Canvas {
    /// The number of rows of large text.
    package var bigTextHeight: Int { glyphs.level == .ascii ? 5 : 3 }

    /// Returns the number of columns of large text; `nil` if a character has no large form.
    package func bigTextWidth(_ text: String) -> Int? {
        var columns = -1
        for character in text.uppercased() {
            guard let rows = BigFont.glyphs[character] else { return nil }
            columns += rows[0].count + 1
        }
        return max(0, columns)
    }

    /// Writes large text in the upper left corner of a rectangle, as half blocks, or as `#` in ASCII.
    ///
    /// - Returns: Whether it was written; `false` if it is too large or a character has no large form.
    package mutating func putBig(_ text: String, in rect: Rect, role: Role = .text) -> Bool {
        guard let columns = bigTextWidth(text), columns <= rect.width, bigTextHeight <= rect.height else {
            return false
        }
        var x = rect.x
        for character in text.uppercased() {
            let rows = (BigFont.glyphs[character] ?? []).map { $0.map { $0 == "#" } }
            let width = rows.first?.count ?? 0
            for column in 0..<width {
                if glyphs.level == .ascii {
                    for row in 0..<5 where rows[row][column] {
                        set("#", width: 1, x: x + column, y: rect.y + row, role: role)
                    }
                } else {
                    for row in 0..<3 {
                        let upper = rows[row * 2][column]
                        let lower = row < 2 && rows[row * 2 + 1][column]
                        guard upper || lower else { continue }
                        let text = upper ? (lower ? "█" : "▀") : "▄"
                        set(text, width: 1, x: x + column, y: rect.y + row, role: role)
                    }
                }
            }
            x += width + 1
        }
        return true
    }
}

/// Letters with a height of five dots.
private enum BigFont {
    static let glyphs: [Character: [String]] = [
        "A": [" # ", "# #", "###", "# #", "# #"],
        "B": ["## ", "# #", "## ", "# #", "## "],
        "C": [" ##", "#  ", "#  ", "#  ", " ##"],
        "D": ["## ", "# #", "# #", "# #", "## "],
        "E": ["###", "#  ", "## ", "#  ", "###"],
        "F": ["###", "#  ", "## ", "#  ", "#  "],
        "G": [" ###", "#   ", "# ##", "#  #", " ###"],
        "H": ["# #", "# #", "###", "# #", "# #"],
        "I": ["#", "#", "#", "#", "#"],
        "J": ["  #", "  #", "  #", "# #", " # "],
        "K": ["# #", "# #", "## ", "# #", "# #"],
        "L": ["#  ", "#  ", "#  ", "#  ", "###"],
        "M": ["#   #", "## ##", "# # #", "#   #", "#   #"],
        "N": ["#  #", "## #", "# ##", "#  #", "#  #"],
        "O": [" # ", "# #", "# #", "# #", " # "],
        "P": ["## ", "# #", "## ", "#  ", "#  "],
        "Q": [" ## ", "#  #", "#  #", "# ##", " ###"],
        "R": ["## ", "# #", "## ", "# #", "# #"],
        "S": [" ##", "#  ", " # ", "  #", "## "],
        "T": ["###", " # ", " # ", " # ", " # "],
        "U": ["# #", "# #", "# #", "# #", "###"],
        "V": ["# #", "# #", "# #", "# #", " # "],
        "W": ["#   #", "#   #", "# # #", "# # #", " # # "],
        "X": ["# #", "# #", " # ", "# #", "# #"],
        "Y": ["# #", "# #", " # ", " # ", " # "],
        "Z": ["###", "  #", " # ", "#  ", "###"],
        "0": ["###", "# #", "# #", "# #", "###"],
        "1": [" #", "##", " #", " #", " #"],
        "2": ["###", "  #", "###", "#  ", "###"],
        "3": ["###", "  #", " ##", "  #", "###"],
        "4": ["# #", "# #", "###", "  #", "  #"],
        "5": ["###", "#  ", "###", "  #", "###"],
        "6": ["###", "#  ", "###", "# #", "###"],
        "7": ["###", "  #", "  #", " # ", " # "],
        "8": ["###", "# #", "###", "# #", "###"],
        "9": ["###", "# #", "###", "  #", "###"],
        ":": [" ", "#", " ", "#", " "],
        "-": ["  ", "  ", "##", "  ", "  "],
        "+": ["   ", " # ", "###", " # ", "   "],
        " ": ["  ", "  ", "  ", "  ", "  "],
        ".": [" ", " ", " ", " ", "#"],
        "!": ["#", "#", "#", " ", "#"],
    ]
}
