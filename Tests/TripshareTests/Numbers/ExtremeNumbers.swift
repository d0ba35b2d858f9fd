import Foundation

/// Texts in which one number is replaced by one that no writer should send.
enum ExtremeNumbers {
    /// Numbers at and beyond the limits of integers, of binary fractions and of time.
    static let texts = [
        "0", "-0", "1", "-1", "0.5", "1e-5", "1e-9", "1e-100", "-1e-100", "5e-324", "2.2250738585072014e-308", "1000",
        "-1000", "86400", "1000001", "1e9", "-1e9", "2147483647", "2147483648", "-2147483649", "3155760000",
        "3155760001", "4294967296", "1e12", "1e15", "-1e15", "9007199254740993", "1e18", "9223372036854775807",
        "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "1e19", "-1e19",
        "1e38", "1e300", "-1e300", "1.7976931348623157e308", "1e400", "1e308", "-1e308", "1e-320",
    ]

    /// What is no number, and numbers in quotes, as JSON and YAML write them.
    static let others = [
        "NaN", "nan", ".nan", "Infinity", "-inf", "-.inf", "0x1p3", "\"NaN\"", "\"nan\"", "\"Infinity\"",
        "\"-Infinity\"", "\"inf\"", "\"1e308\"", "\"-1e308\"", "\"1e-320\"", "\"1e999\"", "\"0x1p3\"", "\"\"", "null",
    ]

    /// A number in a text.
    struct Place {
        /// The key before it; empty without one.
        var key: String
        var range: Range<Int>
    }

    /// Returns the numbers of a text outside of its quoted parts, the first of each key.
    static func places(in text: [UInt8]) -> [Place] {
        var places: [Place] = []
        var keys: Set<String> = []
        var (key, isQuoted, index) = (0..<0, false, 0)
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "\"") {
                let start = index + 1
                isQuoted = true
                index = start
                while index < text.count, text[index] != byte {
                    index += text[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                key = start..<min(index, text.count)
            } else if isDigit(byte) || byte == UInt8(ascii: "-"), index == 0 || !isLetter(text[index - 1]) {
                let start = index
                while index < text.count, isWord(text[index]) { index += 1 }
                let name = String(decoding: isQuoted ? text[key] : word(before: start, in: text), as: UTF8.self)
                let isNumber = Double(String(decoding: text[start..<index], as: UTF8.self)) != nil
                if isNumber, keys.insert(name).inserted { places.append(Place(key: name, range: start..<index)) }
                continue
            }
            index += 1
        }
        return places
    }

    /// Returns a text for each number at some places, by default all, and each of ``texts`` and ``others``.
    static func variants(of text: String, _ places: [Place]? = nil) -> [String] {
        let bytes = Array(text.utf8)
        return (places ?? Self.places(in: bytes)).flatMap { place in
            (texts + others).map { number in
                String(
                    decoding: bytes[..<place.range.lowerBound] + Array(number.utf8) + bytes[place.range.upperBound...],
                    as: UTF8.self
                )
            }
        }
    }

    /// The word before a number in a text without quotes, such as YAML.
    private static func word(before index: Int, in text: [UInt8]) -> ArraySlice<UInt8> {
        let end = text[..<index].lastIndex(where: isLetter).map { $0 + 1 } ?? 0
        let start = text[..<end].lastIndex { !isLetter($0) && $0 != UInt8(ascii: "-") }.map { $0 + 1 } ?? 0
        return text[start..<end]
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    private static func isWord(_ byte: UInt8) -> Bool {
        isDigit(byte) || isLetter(byte) || [0x2B, 0x2D, 0x2E, 0x3A, 0x5F].contains(byte)
    }
}
