import Runtime

/// A part of a page: markup that is well-formed as HTML and as XML.
///
/// Text is cleaned and escaped when the part is made, so that nothing from outside can become markup.
struct Markup: Sendable {
    /// The maximum number of characters of one text.
    static let longestText = 1000

    /// The finished markup.
    let source: String

    /// Text without tokens, control characters and markup.
    static func text(_ text: String) -> Markup { Markup(source: escaped(text.sanitized(limit: longestText))) }

    /// The program's own style sheet, which must not contain anything from outside.
    static func style(_ sheet: String) -> Markup { Markup(source: "<style>\n\(sheet)\n</style>") }

    /// An element with its content on one line.
    static func element(
        _ name: String,
        _ attributes: KeyValuePairs<String, String> = [:],
        _ content: [Markup] = []
    ) -> Markup {
        let inner = content.map(\.source).joined()
        return Markup(source: "<\(start(name, attributes))>\(inner)</\(name)>")
    }

    /// An element with each part of its content on lines of its own.
    static func block(
        _ name: String,
        _ attributes: KeyValuePairs<String, String>,
        _ content: [Markup]
    ) -> Markup {
        let inner = content.map(\.source).joined(separator: "\n")
        return Markup(source: "<\(start(name, attributes))>\n\(inner)\n</\(name)>")
    }

    /// An element without attributes, with each part of its content on lines of its own.
    static func block(_ name: String, _ content: [Markup]) -> Markup { block(name, [:], content) }

    /// An element that never has content, such as `meta` or a shape of a picture.
    static func empty(_ name: String, _ attributes: KeyValuePairs<String, String>) -> Markup {
        Markup(source: "<\(start(name, attributes))/>")
    }

    private static func start(_ name: String, _ attributes: KeyValuePairs<String, String>) -> String {
        attributes.reduce(name) { $0 + " \($1.key)=\"\(escaped($1.value))\"" }
    }

    /// Returns text in which no character has a meaning in markup, and which XML permits.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case _ where scalar.value < 0x20 || scalar.value & 0xFFFE == 0xFFFE: result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
