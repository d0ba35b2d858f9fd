import Foundation
import Runtime

/// Removes tokens from the answers of a service.
///
/// Paths of trips are long texts in the alphabet of tokens. The general redaction would replace them, so answers have their own.
package enum AnswerText {
    /// Returns a text without known tokens and without JSON Web Tokens.
    ///
    /// Escapes in JSON may hide a token. A text that contains one is encoded again; any other text stays as it is.
    package static func redacted(_ text: String) -> String {
        let plain = withoutKnown(text)
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return plain }
        if let json = JSONValue(Array(text.utf8)) {
            let redacted = json.redacted
            // A token may also be split over several members.
            return redacted == json ? plain : withoutKnown(String(decoding: JSONBytes.encode(redacted), as: UTF8.self))
        }
        let bare = text.replacing(/\\u[0-9A-Fa-f]{4}/, with: "")
        return withoutKnown(bare) == bare ? plain : "<token>"
    }

    /// Returns the text of a refusal without everything that may be a token.
    package static func redacted(refusal text: String) -> String { redacted(text).withoutTokens }

    /// Returns the bytes of an answer, of a refusal or of another body without tokens; most of them are the given ones.
    package static func redacted(_ bytes: [UInt8], isRefusal: Bool) -> [UInt8] {
        if !isRefusal, isClean(bytes) { return bytes }
        let text = String(decoding: bytes, as: UTF8.self)
        let redacted = isRefusal ? redacted(refusal: text) : redacted(text)
        return redacted == text ? bytes : Array(redacted.utf8)
    }

    /// Returns whether a text of UTF-8 has nothing that ``redacted(_:)`` changes, and no escapes, which could hide it.
    ///
    /// Most answers are not searched further.
    private static func isClean(_ bytes: [UInt8]) -> Bool {
        var latest: UInt32 = 0
        for byte in bytes {
            latest = (latest << 8 | UInt32(byte)) & 0xFF_FFFF
            if latest == tokenStart || byte == UInt8(ascii: "\\") { return false }
        }
        return !KnownSecrets.ofProcess.occur(in: bytes)
    }

    /// The bytes of `eyJ`.
    private static let tokenStart: UInt32 = 0x65_79_4A

    fileprivate static func withoutKnown(_ text: String) -> String {
        let known = KnownSecrets.ofProcess.redacted(text)
        guard known.hasTokenStart else { return known }
        return known.replacing(/\beyJ[A-Za-z0-9_\-]*\.[A-Za-z0-9_\-.]*/, with: "<token>")
    }
}

extension String {
    /// Whether the text contains `eyJ`, the start of a JSON Web Token.
    ///
    /// It compares bytes: Foundation's search would copy the whole answer as UTF-16.
    fileprivate var hasTokenStart: Bool {
        var last: (UInt8, UInt8) = (0, 0)
        for byte in utf8 {
            if byte == UInt8(ascii: "J"), last == (UInt8(ascii: "e"), UInt8(ascii: "y")) { return true }
            last = (last.1, byte)
        }
        return false
    }
}

extension JSONValue {
    /// The value with redacted strings and keys.
    fileprivate var redacted: JSONValue {
        switch self {
        case .null, .bool, .number: self
        case .string(let text): .string(AnswerText.withoutKnown(text))
        case .array(let values): .array(values.map(\.redacted))
        case .object(let members):
            .object(members.map { Member(key: AnswerText.withoutKnown($0.key), value: $0.value.redacted) })
        }
    }
}
