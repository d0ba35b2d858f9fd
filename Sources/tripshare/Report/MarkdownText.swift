import Canvas
import Runtime

/// Parts of a Markdown text; untrusted text is redacted, bounded and escaped.
enum MarkdownText {
    /// The maximum number of characters of one text.
    private static let longest = 2000

    /// Returns a text that Markdown shows as it is.
    static func text(_ text: String) -> String {
        var result = ""
        for character in text.sanitized(limit: longest) {
            if "\\`*<>[]|#".contains(character) { result.append("\\") }
            result.append(character)
        }
        return result
    }

    /// Returns a name in the font of code.
    static func code(_ text: String) -> String {
        let plain = text.sanitized(limit: longest).replacing("`", with: "'").replacing("|", with: "\\|")
        return plain.isEmpty ? "" : "`\(plain)`"
    }

    /// Returns lines in the font of code; they must be sanitized.
    static func block(_ lines: [String], _ language: String = "text") -> [String] {
        // A line of backticks would end the block.
        ["```\(language)"] + lines.map { $0.replacing("```", with: "'''") } + ["```"]
    }

    /// Returns a table of finished cells; nothing without rows.
    static func table(_ titles: [String], _ rows: [[String]]) -> [String] {
        guard !rows.isEmpty else { return [] }
        func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }
        return [line(titles), line(titles.map { _ in "---" })] + rows.map(line)
    }
}
