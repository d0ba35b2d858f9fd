package import Canvas

/// The text that turns one screen into another on a terminal with true colors, for recordings of terminals.
package struct TerminalText {
    private let theme: Theme

    /// Creates a text in the colors of a theme.
    package init(_ theme: Theme) { self.theme = theme }

    /// Returns the text that turns `old` into `canvas`; without `old`, it clears the terminal first.
    package func text(of canvas: Canvas, since old: Canvas? = nil) -> String {
        let isComplete = old.map { $0.width != canvas.width || $0.height != canvas.height } ?? true
        var text = isComplete ? "\u{1B}[?25l\u{1B}[0m\u{1B}[2J" : ""
        for run in canvas.runs(since: isComplete ? nil : old) {
            text += "\u{1B}[\(run.y + 1);\(run.x + 1)H" + codes(theme.style(run.role, on: run.ground, at: .truecolor))
            text += run.text
        }
        return text
    }

    private func codes(_ style: Theme.Style) -> String {
        var codes = ["0"]
        if style.attributes.contains(.bold) { codes.append("1") }
        if style.attributes.contains(.dim) { codes.append("2") }
        if style.attributes.contains(.underline) { codes.append("4") }
        if style.attributes.contains(.reverse) { codes.append("7") }
        if style.foreground >= 0 { codes.append("38;2;" + Self.channels(style.foreground)) }
        if style.background >= 0 { codes.append("48;2;" + Self.channels(style.background)) }
        return "\u{1B}[" + codes.joined(separator: ";") + "m"
    }

    private static func channels(_ rgb: Int) -> String { "\(rgb >> 16 & 0xFF);\(rgb >> 8 & 0xFF);\(rgb & 0xFF)" }
}
