import Foundation
import Runtime

/// A form in which a token can't be sent, although the text contains one.
package enum TokenForm: String, Sendable, Hashable, CaseIterable {
    /// UTF-16 instead of UTF-8.
    case utf16
    /// `Bearer` or the name of the header before it.
    case bearer
    /// Quotation marks or brackets around it.
    case quoted
    /// JSON that is written as a text.
    case json
    /// A list with the token.
    case list
    /// An XML element.
    case xml
    /// A name before it, such as `token=`.
    case labelled
    /// Percent-encoded, as in URLs.
    case percentEncoded = "percent_encoded"
    /// Encoded with base64 as a whole.
    case base64
    /// White space or line breaks in it.
    case spaced

    /// The maximum number of forms around each other.
    private static let deepest = 4

    /// Recognizes the outermost form of a text; `nil` for a JWT, and for a text that contains none.
    package init?(of text: String) {
        guard let form = Self.unwrap(text)?.forms.first else { return nil }
        self = form
    }

    /// Finds the JWT in a text.
    ///
    /// - Returns: The forms around it, the outermost first, and the JWT; `nil` if there is none.
    package static func unwrap(_ text: String) -> (forms: [TokenForm], token: String)? {
        guard text.utf8.count <= TokenAnswerFormat.maximumBytes else { return nil }
        return unwrap(text.trimmingCharacters(in: .whitespacesAndNewlines), deepest)
    }

    private static func unwrap(_ text: String, _ depth: Int) -> (forms: [TokenForm], token: String)? {
        if isToken(text) { return ([], text) }
        guard depth > 0, text.contains("eyJ") || text.utf8.count >= shortest else { return nil }
        for form in allCases {
            guard let inner = form.content(of: text)?.trimmingCharacters(in: .whitespacesAndNewlines), inner != text,
                let (forms, token) = unwrap(inner, depth - 1)
            else { continue }
            return ([form] + forms, token)
        }
        return nil
    }

    /// The length of the shortest JWT that is searched for.
    private static let shortest = 40

    /// Returns whether a text is a JWT, whatever its claims and the alphabet of its base64.
    private static func isToken(_ text: String) -> Bool {
        guard text.hasPrefix("eyJ"), text.utf8.count <= TokenClaims.maximumBytes else { return false }
        let parts = Base64URL.normalized(text).utf8.split(
            separator: UInt8(ascii: "."),
            omittingEmptySubsequences: false
        )
        return parts.count == 3 && Base64URL.object(in: parts[0]) != nil && Base64URL.object(in: parts[1]) != nil
            && Base64URL.decode(parts[2]) != nil
    }

    /// Returns what a text contains if it has this form.
    private func content(of text: String) -> String? {
        switch self {
        case .utf16:
            guard text.unicodeScalars.contains("\0") else { return nil }
            return String(String.UnicodeScalarView(text.unicodeScalars.filter { !Self.remains.contains($0) }))
        case .bearer:
            let prefix = ["authorization:", "bearer ", "jwt "].first(where: text.lowercased().hasPrefix)
            return prefix.map { String(text.dropFirst($0.count)) }
        case .quoted:
            // One pair at a time: the marks may enclose another form.
            guard text.count > 2, let first = text.first, let last = text.last, Self.marks.contains(first),
                Self.marks.contains(last)
            else { return nil }
            return String(text.dropFirst().dropLast())
        case .json:
            guard text.hasPrefix("{") || text.hasPrefix("\"") else { return nil }
            return JSONValue(Array(text.utf8)).flatMap(Self.tokenText)
        case .list:
            guard text.hasPrefix("[") else { return nil }
            return JSONValue(Array(text.utf8)).flatMap(Self.tokenText)
        case .xml:
            let start = text.prefix(15).lowercased()
            guard text.hasPrefix("<"), !start.hasPrefix("<!doctype html"), !start.hasPrefix("<html") else { return nil }
            // The text of the elements, each on its own.
            return text.replacing("<![CDATA[", with: "").replacing("]]>", with: "").split(separator: "<").compactMap {
                $0.split(separator: ">", maxSplits: 1).dropFirst().first
            }
            .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.first { $0.hasPrefix("eyJ") }
        case .labelled:
            guard let mark = text.firstIndex(where: { "=:".contains($0) }), mark != text.startIndex,
                text[..<mark].utf8.count <= 40,
                text[..<mark].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_. ".contains($0)) })
            else { return nil }
            return String(text[text.index(after: mark)...])
        case .percentEncoded: return text.contains("%") ? text.removingPercentEncoding : nil
        case .base64:
            guard !text.contains(".") else { return nil }
            let lines = text.filter { !$0.isWhitespace }
            return Base64URL.decode(Base64URL.normalized(lines).utf8).flatMap { String(validating: $0, as: UTF8.self) }
        case .spaced:
            let joined = text.filter { !$0.isWhitespace }
            return joined == text ? nil : joined
        }
    }

    /// Returns the first text in a JSON value that is or contains a token, up to the third level.
    private static func tokenText(in value: JSONValue) -> String? { tokenText(in: value, 3) }

    private static func tokenText(in value: JSONValue, _ depth: Int) -> String? {
        switch value {
        case .string(let text): text.contains("eyJ") || text.utf8.count >= shortest ? text : nil
        case .array(let items) where depth > 0: items.prefix(20).lazy.compactMap { tokenText(in: $0, depth - 1) }.first
        case .object(let members) where depth > 0:
            members.prefix(50).lazy.compactMap { tokenText(in: $0.value, depth - 1) }.first
        case .array, .object, .null, .bool, .number: nil
        }
    }

    /// What is left of UTF-16 that was read as UTF-8.
    private static let remains: Set<Unicode.Scalar> = ["\0", "\u{FEFF}", "\u{FFFD}"]

    private static let marks: Set<Character> = [
        "\"", "'", "`", "“", "”", "„", "‘", "’", "‚", "«", "»", "‹", "›", "<", ">", "(", ")", "\u{FEFF}", "\u{200B}",
    ]
}
