/// Removes values that are secret because of the name before them: members of JSON, query parameters, headers.
extension String {
    /// The text with the values of secret names replaced by `<hidden>`: `"api_key":"…"`, `sig=…`, `Authorization: …`.
    ///
    /// It needs no valid JSON, so that the beginning of a longer text can be redacted.
    package var withoutSecretValues: String {
        var scanner = SecretValueScanner(Array(utf8))
        return scanner.redacted() ?? self
    }

    /// Whether the name of a member, a parameter or a header indicates a secret value.
    package var isSecretName: Bool {
        let name = lowercased()
        let secret = [
            "token", "jwt", "secret", "password", "passwd", "credential", "cookie", "authorization", "api_key",
            "apikey", "api-key", "signature", "assertion",
        ]
        let harmless = ["type", "expire", "expiry", "lifetime"]
        return ["private_key", "key", "sig"].contains(name)
            || secret.contains(where: name.contains) && !harmless.contains(where: name.contains)
    }
}

/// Finds names with their values in a text that may be truncated.
private struct SecretValueScanner {
    private static let replacement = Array("<hidden>".utf8)
    /// No secret name is longer, so that a long word costs no more than a short one.
    private static let longestName = 64

    private let bytes: [UInt8]
    private var result: [UInt8] = []
    private var position = 0
    private var hasChanged = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the text without secret values; `nil` if it has none.
    mutating func redacted() -> String? {
        while position < bytes.count {
            let start = position
            while position < bytes.count, Self.isOfName(bytes[position]) { position += 1 }
            result += bytes[start..<position]
            let name = start..<position
            if !name.isEmpty, name.count <= Self.longestName, let value = value(after: name) {
                result += bytes[position..<value.lowerBound] + Self.replacement
                position = value.upperBound
                hasChanged = true
            } else if name.isEmpty {
                result.append(bytes[position])
                position += 1
            }
        }
        return hasChanged ? String(decoding: result, as: UTF8.self) : nil
    }

    /// Returns the range of the secret value after a name; `nil` if there is none.
    private func value(after name: Range<Int>) -> Range<Int>? {
        var next = name.upperBound
        let quote = skipQuote(&next)
        skipSpaces(&next)
        guard let sign = byte(next), sign == UInt8(ascii: ":") || sign == UInt8(ascii: "=") else { return nil }
        let text = String(decoding: bytes[name], as: UTF8.self)
        guard text.isSecretName else { return nil }
        // In prose, a colon after a word is no sign of a value.
        let isHeader = ["authorization", "cookie", "api-key"].contains { text.lowercased().hasSuffix($0) }
        guard sign == UInt8(ascii: "=") || quote != nil || isHeader else { return nil }
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
