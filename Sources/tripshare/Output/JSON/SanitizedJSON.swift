import Canvas
import Runtime

/// Produces JSON lines in which every string is sanitized: no secrets, no control characters, at most ``maximumStringLength``
/// scalars.
///
/// Harmless characters without width are escaped, so that the value is the same and the line shows them.
enum SanitizedJSON {
    /// The maximum number of Unicode scalars per string.
    static let maximumStringLength = 4096
    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    /// Encodes a value on one line.
    static func line(_ value: some Encodable) -> String {
        String(decoding: sanitized(JSONBytes.encode(value)), as: UTF8.self)
    }

    /// Sanitizes all strings of a JSON text, including keys; the structure does not change.
    static func sanitized(_ json: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(min(json.count, 1 << 16))
        var index = 0
        while index < json.count {
            guard json[index] == quote else {
                result.append(json[index])
                index += 1
                continue
            }
            let start = index + 1
            index = end(of: json, from: start)
            append(unescaped(json[start..<index]).sanitizedData(limit: maximumStringLength), to: &result)
            index += 1
        }
        return result
    }

    /// Returns the index of the closing quotation mark of the string that begins at `start`.
    private static func end(of json: [UInt8], from start: Int) -> Int {
        var index = start
        while index < json.count, json[index] != quote { index += json[index] == backslash ? 2 : 1 }
        return min(index, json.count)
    }

    private static func append(_ text: String, to result: inout [UInt8]) {
        result.append(quote)
        for scalar in text.unicodeScalars {
            guard scalar.isASCII else {
                if ControlCharacters.isHarmless(scalar) {
                    for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
                        let digits = String(unit, radix: 16, uppercase: true)
                        result += Array("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
                    }
                } else {
                    result += Array(scalar.utf8)
                }
                continue
            }
            let byte = UInt8(ascii: scalar)
            // Sanitized text contains no control characters, so only these two need escaping.
            if byte == quote || byte == backslash { result.append(backslash) }
            result.append(byte)
        }
        result.append(quote)
    }

    /// Returns the text that the inside of a JSON string encodes.
    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(backslash) else { return String(decoding: bytes, as: UTF8.self) }
        var units: [UInt16] = []
        var plain: [UInt8] = []
        func flush() {
            units += String(decoding: plain, as: UTF8.self).utf16
            plain = []
        }
        var index = bytes.startIndex
        while index < bytes.endIndex {
            guard bytes[index] == backslash, index + 1 < bytes.endIndex else {
                plain.append(bytes[index])
                index += 1
                continue
            }
            flush()
            let escape = bytes[index + 1]
            index += 2
            if escape == UInt8(ascii: "u") {
                let digits = bytes[index..<min(index + 4, bytes.endIndex)]
                units.append(UInt16(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0xFFFD)
                index = digits.endIndex
            } else {
                units.append(UInt16(escapes[escape] ?? escape))
            }
        }
        flush()
        return String(decoding: units, as: UTF16.self)
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D,
        UInt8(ascii: "t"): 0x09,
    ]
}
