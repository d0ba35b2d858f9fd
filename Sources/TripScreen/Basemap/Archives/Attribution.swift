import Foundation

/// The attribution of a map's metadata as plain text.
enum Attribution {
    private struct Metadata: Decodable {
        var attribution: String?
    }

    /// The maximum number of characters.
    private static let longest = 120

    /// Reads the attribution from JSON; empty without one.
    static func text(json: [UInt8]) -> String {
        // Metadata without a readable attribution is no reason to refuse the map.
        let metadata = try? JSONDecoder().decode(Metadata.self, from: Data(json))
        return metadata?.attribution.map(text(html:)) ?? ""
    }

    /// Removes the tags of HTML and decodes the entities that attributions contain.
    static func text(html: String) -> String {
        var text = ""
        var isTag = false
        for character in html.prefix(10 * longest) {
            switch character {
            case "<": isTag = true
            case ">" where isTag: isTag = false
            default: if !isTag { text.append(character) }
            }
        }
        for (entity, character) in ["&copy;": "©", "&#169;": "©", "&nbsp;": " ", "&quot;": "\"", "&amp;": "&"] {
            text = text.replacing(entity, with: character)
        }
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return String(words.prefix(longest))
    }
}
