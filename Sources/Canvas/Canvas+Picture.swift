/// The canvas as text, for tests and scripts, and as differences, for the terminal.
extension Canvas {
    /// Adjacent cells of one role and ground that must be drawn.
    package struct Run: Sendable, Equatable {
        package var x: Int
        package var y: Int
        package var role: Role
        package var ground = Ground.plain
        /// The text in clusters, which the terminal draws one after another.
        package var text: String
    }

    /// The rows as text without trailing blanks, separated by line feeds.
    package var text: String { rows.joined(separator: "\n") }

    /// The rows as text without trailing blanks; none if the canvas has no rows.
    package var rows: [String] {
        rows { $0.text }
    }

    /// The roles as letters, one per cell: ``Role``'s raw value, or a blank for blank plain text.
    package var roleMap: String {
        rows { $0.text == " " && $0.role == .text ? " " : String($0.role.rawValue) }.joined(separator: "\n")
    }

    private func rows(_ letter: (Cell) -> String) -> [String] {
        (0..<height).map { y in
            var row = ""
            var blanks = 0
            for cell in cells[(y * width)..<((y + 1) * width)] {
                let piece = letter(cell)
                if piece == " " {
                    blanks += 1
                } else {
                    if blanks > 0 { row += String(repeating: " ", count: blanks) }
                    row += piece
                    blanks = 0
                }
            }
            return row
        }
    }

    /// Returns the runs that turn `old` into this canvas; all cells if the sizes differ or `old` is `nil`.
    package func runs(since old: Canvas? = nil) -> [Run] {
        let old = old.flatMap { $0.width == width && $0.height == height ? $0 : nil }
        var runs: [Run] = []
        for y in 0..<height {
            var open: Run?
            let row = (y * width)..<((y + 1) * width)
            // Most rows are as before.
            if let old, row.allSatisfy({ cells[$0] == old.cells[$0] }) { continue }
            for x in 0..<width {
                let cell = cells[y * width + x]
                if cell.isContinuation { continue }
                if let old, old.cells[y * width + x] == cell {
                    if let run = open { runs.append(run) }
                    open = nil
                } else if let run = open, run.role == cell.role, run.ground == cell.ground {
                    open?.text += cell.text
                } else {
                    if let run = open { runs.append(run) }
                    open = Run(x: x, y: y, role: cell.role, ground: cell.ground, text: cell.text)
                }
            }
            if let run = open { runs.append(run) }
        }
        return runs
    }
}
