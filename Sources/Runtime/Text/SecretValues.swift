/// Removes values that are secret because of the name before them: members of JSON, query parameters, headers.
extension String {
    /// The text with the values of secret names replaced by `<hidden>`: `"api_key":"…"`, `sig=…`, `Authorization: …`.
    ///
    /// It needs no valid JSON, so that the beginning of a longer text can be redacted.
    package var withoutSecretValues: String {
        SecretValues.removed(from: Array(utf8)).map { String(decoding: $0, as: UTF8.self) } ?? self
    }

    /// Whether the name of a member, a parameter or a header indicates a secret value.
    package var isSecretName: Bool {
        // Of other letters, some have a form of ASCII in lower case.
        SecretValues.isSecret(name: Array(lowercased().utf8)[...])
    }
}

/// Finds names with their values in a text that may be truncated.
struct SecretValues {
    private static let replacement = Array("<hidden>".utf8)
    /// No secret name is longer, so that a long word costs no more than a short one.
    private static let longestName = 64
    /// The names of secrets, in lower case.
    private static let names = ["private_key", "key", "sig"]
    /// The parts of names of secrets, in lower case.
    private static let parts = [
        "token", "jwt", "secret", "password", "passwd", "credential", "cookie", "authorization", "api_key", "apikey",
        "api-key", "signature", "assertion",
    ]
    /// The parts of names that have such a part, too, but are not secret.
    private static let harmlessParts = ["type", "expire", "expiry", "lifetime"]
    /// The ends of names of headers whose value is the rest of the line, in lower case.
    private static let headers = ["authorization", "cookie", "api-key"]

    /// Returns whether a name in lower case indicates a secret value.
    static func isSecret(name: ArraySlice<UInt8>) -> Bool {
        if names.contains(where: { name.elementsEqual($0.utf8) }) { return true }
        return parts.contains(where: name.contains(sequence:))
            && !harmlessParts.contains(where: name.contains(sequence:))
    }

    /// Returns the text with secret values replaced; `nil` if it has none.
    static func removed(from bytes: [UInt8]) -> [UInt8]? {
        let values = SecretValues(bytes: bytes)
        var result: [UInt8] = []
        var (position, copied) = (0, 0)
        while position < bytes.count {
            let start = position
            while position < bytes.count, isOfName(bytes[position]) { position += 1 }
            let name = start..<position
            if name.isEmpty {
                position += 1
            } else if name.count <= longestName, let value = values.value(after: name) {
                result += bytes[copied..<value.lowerBound] + replacement
                (position, copied) = (value.upperBound, value.upperBound)
            }
        }
        return copied == 0 ? nil : result + bytes[copied...]
    }

    private let bytes: [UInt8]

    /// Returns the range of the secret value after a name; `nil` if there is none.
    private func value(after name: Range<Int>) -> Range<Int>? {
        var next = name.upperBound
        let quote = skipQuote(&next)
        skipSpaces(&next)
        guard let sign = byte(next), sign == UInt8(ascii: ":") || sign == UInt8(ascii: "=") else { return nil }
        let text = bytes[name].map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }[...]
        // In prose, a colon after a word is no sign of a value.
        let isHeader = Self.headers.contains { text.suffix($0.utf8.count).elementsEqual($0.utf8) }
        guard sign == UInt8(ascii: "=") || quote != nil || isHeader, Self.isSecret(name: text) else { return nil }
        next += 1
        skipSpaces(&next)
        let isEscaped = byte(next) == UInt8(ascii: "\\")
        if let quote = skipQuote(&next) {
            // An escaped value ends with an escaped quotation mark.
            return ending(from: next) { $0 == quote || $0 == 0x0A || isEscaped && $0 == UInt8(ascii: "\\") }
        }
        // Numbers, lists, objects and `null` of JSON are no secrets.
        guard quote == nil else { return nil }
        guard sign == UInt8(ascii: "=") || !isHeader else { return ending(from: next) { $0 == 0x0A || $0 == 0x0D } }
        return ending(from: next) { $0 <= 0x20 || "&;,\"'<>()[]{}\\".utf8.contains($0) }
    }

    private func ending(from start: Int, where isEnd: (UInt8) -> Bool) -> Range<Int>? {
        var end = start
        while let byte = byte(end), !isEnd(byte) { end += byte == UInt8(ascii: "\\") ? 2 : 1 }
        end = min(end, bytes.count)
        return end > start ? start..<end : nil
    }

    /// Skips a quotation mark, which may be escaped as in JSON within a text of JSON; returns it.
    private func skipQuote(_ next: inout Int) -> UInt8? {
        let start = byte(next) == UInt8(ascii: "\\") ? next + 1 : next
        guard let quote = byte(start), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        next = start + 1
        return quote
    }

    private func skipSpaces(_ next: inout Int) {
        while byte(next) == 0x20 || byte(next) == 0x09 { next += 1 }
    }

    private func byte(_ index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
