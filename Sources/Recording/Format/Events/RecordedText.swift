import FleetWire
import Foundation
import Sanitizing

/// Redacts texts when they are recorded.
///
/// Paths of trips are long texts in the alphabet of tokens. The general redaction would replace them, so answers have their own.
enum RecordedText {
    /// The maximum number of characters of a note.
    static let longestNote = 2000
    /// The maximum number of characters of an error message or a name.
    static let longest = 500

    /// Returns a bounded text without possible tokens.
    static func redacted(_ text: String, limit: Int = longest) -> String {
        // Redact first: a truncated token is harder to recognize.
        String(redacted(answer: String(text.prefix(limit * 8))).withoutTokens.prefix(limit))
    }

    /// Returns an answer without known tokens and without JSON Web Tokens.
    ///
    /// Escapes in JSON may hide a token. A body that contains one is encoded again; any other body stays as received.
    static func redacted(answer text: String) -> String {
        let plain = withoutKnown(text)
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return plain }
        if let json = JSONValue(Array(text.utf8)) {
            let redacted = json.redacted
            return redacted == json ? plain : String(decoding: JSONBytes.encode(redacted), as: UTF8.self)
        }
        let bare = text.replacing(/\\u[0-9A-Fa-f]{4}/, with: "")
        return withoutKnown(bare) == bare ? plain : "<token>"
    }

    fileprivate static func withoutKnown(_ text: String) -> String {
        let known = KnownSecrets.ofProcess.redacted(text)
        guard known.contains("eyJ") else { return known }
        return known.replacing(/\beyJ[A-Za-z0-9_\-]*\.[A-Za-z0-9_\-.]*/, with: "<token>")
    }
}

extension JSONValue {
    /// The value with redacted strings and keys.
    fileprivate var redacted: JSONValue {
        switch self {
        case .null, .bool, .number: self
        case .string(let text): .string(RecordedText.withoutKnown(text))
        case .array(let values): .array(values.map(\.redacted))
        case .object(let members):
            .object(members.map { Member(key: RecordedText.withoutKnown($0.key), value: $0.value.redacted) })
        }
    }
}
