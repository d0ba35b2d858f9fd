/// The characters that a terminal can show, chosen once and asked by every view.
package struct GlyphSet: Sendable, Equatable {
    /// How much the terminal can draw.
    package enum Level: Int, Sendable, CaseIterable, Comparable {
        /// Nothing above 0x7E: locale C, vt100, `--ascii`.
        case ascii
        /// Boxes, half blocks and four arrows: the Linux console, fonts without braille.
        case blocks
        /// All of it but braille, which some fonts draw with empty dots: sextants, two dots across and three down.
        case sextants
        /// All of it, braille included.
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

    /// The characters of frames; the tees open to the side they are named after.
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

    /// The steps of a horizontal bar within one cell, from a little to full.
    package var barSteps: [String] {
        switch level {
        case .braille, .sextants: ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]
        case .blocks: ["▌", "█"]
        case .ascii: ["#"]
        }
    }

    /// The cell of a bar that is not filled.
    package var barEmpty: String { pick("░", "░", "-") }
    /// A mark upon a bar.
    package var barMark: String { pick("│", "│", "|") }

    /// The steps of a chart's column within one cell, from low to full.
    package var chartSteps: [String] {
        switch level {
        case .braille, .sextants: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
        case .blocks: ["▄", "█"]
        case .ascii: [".", ":", "|"]
        }
    }

    /// An arrow towards a heading in degrees clockwise from north; diagonal where the terminal has such arrows.
    package func arrow(_ degrees: Double) -> String {
        let eighth = Self.eighth(degrees)
        switch level {
        case .braille, .sextants: return ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"][eighth]
        case .blocks: return ["↑", "→", "→", "→", "↓", "←", "←", "←"][eighth]
        case .ascii: return ["^", ">", ">", ">", "v", "<", "<", "<"][eighth]
        }
    }

    /// The vehicle: a full triangle towards its heading, a hollow one if the place is estimated.
    ///
    /// Without a heading it is a circle. In ASCII it is `@`, estimated `o`: say the bearing in words beside it.
    package func vehicle(heading: Double?, estimated: Bool) -> String {
        guard level > .ascii else { return estimated ? "o" : "@" }
        guard let heading, heading.isFinite else { return estimated ? "○" : "●" }
        let eighth = Self.eighth(heading)
        guard level > .blocks else {
            return String(Array(estimated ? "△▷▷▷▽◁◁◁" : "▲►►►▼◄◄◄")[eighth])
        }
        return String(Array(estimated ? "△◹▷◿▽◺◁◸" : "▲◥►◢▼◣◄◤")[eighth])
    }

    /// Which of eight directions, 0 for north and on clockwise.
    package static func eighth(_ degrees: Double) -> Int {
        guard degrees.isFinite else { return 0 }
        let turned = degrees.truncatingRemainder(dividingBy: 360)
        return Int(((turned < 0 ? turned + 360 : turned) / 45).rounded()) % 8
    }

    /// Done, good.
    package var check: String { pick("✓", "√", "+") }
    /// Failed, wrong.
    package var cross: String { pick("✗", "×", "x") }
    /// Look here.
    package var attention: String { "!" }
    /// A step that lies ahead.
    package var pending: String { pick("○", "○", "o") }
    /// The step of this moment.
    package var current: String { pick("●", "●", "*") }
    /// The pickup point on the map.
    package var pickup: String { pick("◉", "◘", "P") }
    /// The drop-off point on the map.
    package var dropoff: String { pick("⚑", "■", "D") }
    /// A stop between.
    package var stop: String { pick("◆", "♦", "S") }
    /// An item of a list.
    package var bullet: String { pick("•", "•", "*") }
    /// Between two things on one line.
    package var separator: String { pick("·", "·", "-") }
    /// Where text was cut.
    package var ellipsis: String { pick("…", "…", "~") }
    /// The chosen row.
    package var pointer: String { pick("▸", "►", ">") }
    /// A tree node that is open.
    package var opened: String { pick("▾", "▼", "v") }
    /// A tree node that is closed.
    package var closed: String { pick("▸", "►", ">") }
    /// From here to there.
    package var to: String { pick("→", "→", ">") }
    /// What is not known.
    package var unknown: String { pick("–", "–", "-") }
    /// Degrees.
    package var degree: String { pick("°", "°", "o") }
    /// Between a number and a number.
    package var times: String { pick("×", "×", "x") }
}
