import Runtime

/// Text conversion for terminals with a limited character set.
extension GlyphSet {
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
        "ß": "s", "Ø": "O", "ø": "o", "Æ": "A", "æ": "a", "Ł": "L", "ł": "l",
    ]
}
