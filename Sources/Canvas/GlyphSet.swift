import Runtime

/// The characters that a terminal can display; chosen once and used by every view.
package struct GlyphSet: Sendable, Equatable {
    /// The supported characters.
    package enum Level: Int, Sendable, CaseIterable, Comparable {
        /// Nothing above 0x7E: locale C, vt100, `--ascii`.
        case ascii
        /// Boxes, half blocks and four arrows: the Linux console, fonts without braille.
        case blocks
        /// Everything except braille, for fonts that draw empty braille dots; sextants have 2 x 3 dots.
        case sextants
        /// Everything, including braille.
        case braille

        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// The lines of a frame.
    package struct Box: Sendable, Equatable {
        package let topLeft, topRight, bottomLeft, bottomRight, horizontal, vertical: String
        package let teeLeft, teeRight, teeTop, teeBottom, cross: String
    }

    package let level: Level

    package init(_ level: Level = .braille) {
        self.level = level
    }

    private func pick(_ braille: String, _ blocks: String, _ ascii: String) -> String {
        switch level {
        case .braille, .sextants: braille
        case .blocks: blocks
        case .ascii: ascii
        }
    }

    /// The characters of frames; tees are named after their open side.
    package var box: Box {
        level == .ascii
            ? Box(
                topLeft: "+",
                topRight: "+",
                bottomLeft: "+",
                bottomRight: "+",
                horizontal: "-",
                vertical: "|",
                teeLeft: "+",
                teeRight: "+",
                teeTop: "+",
                teeBottom: "+",
                cross: "+"
            )
            : Box(
                topLeft: pick("╭", "┌", "+"),
                topRight: pick("╮", "┐", "+"),
                bottomLeft: pick("╰", "└", "+"),
                bottomRight: pick("╯", "┘", "+"),
                horizontal: "─",
                vertical: "│",
                teeLeft: "┤",
                teeRight: "├",
                teeTop: "┴",
                teeBottom: "┬",
                cross: "┼"
            )
    }

    /// The steps of a horizontal bar within one cell, in ascending order.
    package var barSteps: [String] {
        switch level {
        case .braille, .sextants: ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]
        case .blocks: ["▌", "█"]
        case .ascii: ["#"]
        }
    }

    /// An empty cell of a bar.
    package var barEmpty: String { pick("░", "░", "-") }
    /// A mark on a bar.
    package var barMark: String { pick("│", "│", "|") }

    /// A column of the completed and of the remaining part of a way.
    package var wayDone: String { pick("━", "═", "=") }
    package var wayAhead: String { pick("─", "─", "-") }

    /// The steps of a chart's column within one cell, in ascending order.
    package var chartSteps: [String] {
        switch level {
        case .braille, .sextants: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
        case .blocks: ["▄", "█"]
        case .ascii: [".", ":", "|"]
        }
    }

    /// Returns an arrow for a heading in degrees clockwise from north; diagonal if the terminal supports it.
    package func arrow(_ degrees: Double) -> String {
        let eighth = Self.eighth(degrees)
        switch level {
        case .braille, .sextants: return ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"][eighth]
        case .blocks: return ["↑", "→", "→", "→", "↓", "←", "←", "←"][eighth]
        case .ascii: return ["^", ">", ">", ">", "v", "<", "<", "<"][eighth]
        }
    }

    /// Returns the vehicle symbol: a triangle towards its heading.
    ///
    /// Without a heading it is a circle. In ASCII it is `@`; the map shows the heading beside it.
    package func vehicle(heading: Double?) -> String {
        guard level > .ascii else { return "@" }
        guard let heading, heading.isFinite else { return "●" }
        return String(Array(level > .blocks ? "▲◥►◢▼◣◄◤" : "▲►►►▼◄◄◄")[Self.eighth(heading)])
    }

    /// The estimated way of the vehicle since its last report, in the legend.
    package var estimatedWay: String { level == .braille ? "⠕⠕" : pick("░░", "░░", "oo") }

    /// Returns one of eight directions; 0 is north, continuing clockwise.
    package static func eighth(_ degrees: Double) -> Int {
        guard degrees.isFinite else { return 0 }
        let turned = degrees.truncatingRemainder(dividingBy: 360)
        return Int(((turned < 0 ? turned + 360 : turned) / 45).rounded()) % 8
    }

    /// Success.
    package var check: String { pick("✓", "√", "+") }
    /// Failure.
    package var cross: String { pick("✗", "×", "x") }
    /// Attention.
    package var attention: String { "!" }
    /// A future step.
    package var pending: String { pick("○", "○", "o") }
    /// The current step.
    package var current: String { pick("●", "●", "*") }
    /// The pickup on the map.
    package var pickup: String { pick("◉", "◘", "P") }
    /// The drop-off on the map.
    package var dropoff: String { pick("⚑", "■", "D") }
    /// An intermediate stop.
    package var stop: String { pick("◆", "♦", "S") }
    /// A paused replay.
    package var pause: String { pick("‖", "‖", "=") }
    /// The end of a replay.
    package var end: String { pick("■", "■", "#") }
    /// A note on a time line.
    package var note: String { pick("¶", "¶", "N") }
    /// An item of a list.
    package var bullet: String { pick("•", "•", "*") }
    /// A separator on a line.
    package var separator: String { pick("·", "·", "-") }
    /// The mark for truncated text.
    package var ellipsis: String { pick("…", "…", "~") }
    /// The selected row.
    package var pointer: String { pick("▸", "►", ">") }
    /// An arrowhead to the left.
    package var pointerLeft: String { pick("◂", "◄", "<") }
    /// An open tree node.
    package var opened: String { pick("▾", "▼", "v") }
    /// A closed tree node.
    package var closed: String { pick("▸", "►", ">") }
    /// A direction between two places.
    package var to: String { pick("→", "→", ">") }
    /// An unknown value.
    package var unknown: String { pick("–", "–", "-") }
    /// The multiplication sign.
    package var times: String { pick("×", "×", "x") }

    /// The character in a free cell of an area of the map; `nil` for most cells, so that areas stay quiet.
    ///
    /// Without colors, it differs from the dots of streets.
    package func pattern(of ground: Canvas.Ground, x: Int, y: Int, isMonochrome: Bool = false) -> String? {
        let hasDots = level == .braille && !isMonochrome
        return switch ground {
        case .water: (x + y) % 2 == 0 ? (hasDots ? "⠒" : "~") : nil
        case .park: (x + 2 * y) % 4 == 0 ? (hasDots ? "⠂" : isMonochrome ? "\"" : pick("·", "·", "\"")) : nil
        case .plain, .building: nil
        }
    }
}

/// Text conversion for terminals with a limited character set.
extension GlyphSet {
    /// Returns `text` as this terminal can show it outside of a screen; see ``drawable(_:limit:)``.
    package func shown(_ text: String) -> String {
        level == .ascii ? drawable(text, limit: text.unicodeScalars.count * 2).map(\.text).joined() : text
    }

    /// Returns the clusters of `text` that this terminal can draw, at most about `limit` columns.
    ///
    /// In ASCII, accented Latin letters lose their accent, drawing characters are approximated, and every other character
    /// becomes one `?` per column.
    func drawable(_ text: String, limit: Int) -> [Printable.Cluster] {
        // A column has at least one scalar and rarely more than four, so a long text need not be processed completely.
        let clusters = Printable.clusters(text, limit: min(max(1, limit), 1000) * 5)
        guard level == .ascii else { return clusters }
        return clusters.flatMap { cluster -> [Printable.Cluster] in
            guard let scalar = cluster.text.unicodeScalars.first else { return [] }
            let text = scalar.isASCII ? String(Character(scalar)) : cluster.width == 1 ? Self.likeness(of: scalar) : "?"
            return Array(repeating: Printable.Cluster(text: text, width: 1), count: cluster.width)
        }
    }

    private static func likeness(of scalar: Unicode.Scalar) -> String {
        if let known = likenesses[scalar] { return known }
        // Canonical decomposition without Foundation: the name says "LATIN SMALL LETTER E WITH ACUTE".
        if scalar.value < 0x250, let name = scalar.properties.name {
            let words = name.split(separator: " ")
            if words.count > 3, words[0] == "LATIN", words[2] == "LETTER", words[3].utf8.count == 1 {
                return words[1] == "SMALL" ? words[3].lowercased() : String(words[3])
            }
        }
        if (0x2400...0x241F).contains(scalar.value) { return "^" }
        if (0x2800...0x28FF).contains(scalar.value) { return "*" }
        return "?"
    }

    private static let likenesses: [Unicode.Scalar: String] = [
        "\u{A0}": " ", "·": ".", "•": "*", "…": "~", "±": "~", "–": "-", "—": "-", "‐": "-", "‑": "-", "−": "-",
        "°": "o",
        "×": "x",
        "‚": "'", "„": "\"", "‹": "<", "›": ">", "━": "-", "▶": ">", "◀": "<", "◉": "*", "⚑": "!", "‘": "'", "’": "'",
        "“": "\"", "”": "\"", "«": "<", "»": ">", "→": ">", "←": "<", "↑": "^", "↓": "v", "✓": "+",
        "✗": "x", "●": "*", "○": "o", "◆": "*", "▲": "^", "▼": "v", "►": ">", "◄": "<", "▸": ">", "▾": "v", "─": "-",
        "│": "|", "╭": "+", "╮": "+", "╰": "+", "╯": "+", "┌": "+", "┐": "+", "└": "+", "┘": "+", "├": "+", "┤": "+",
        "┬": "+", "┴": "+", "┼": "+", "█": "#", "▌": "#", "░": "-", "▓": "#", "▒": "#", "≈": "~", "≤": "<", "≥": ">",
        "▏": "|", "▎": "|", "▍": "|", "▋": "#", "▊": "#", "▉": "#", "▁": "_", "▂": "_", "▃": "_", "▄": "#", "▅": "#",
        "▆": "#", "▇": "#", "◥": "^", "◢": "v", "◣": "v", "◤": "^", "√": "+", "◘": "*", "■": "#", "♦": "*", "‖": "=",
        "¶": "N", "↗": ">", "↘": ">", "↙": "<", "↖": "<", "═": "=", "◂": "<",
        "ß": "s", "Ø": "O", "ø": "o", "Æ": "A", "æ": "a", "Ł": "L", "ł": "l",
    ]
}
