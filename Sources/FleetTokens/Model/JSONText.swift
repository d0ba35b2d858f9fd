/// A JSON value, for texts of the size of tokens and token answers.
package indirect enum JSONText: Sendable, Equatable {
    /// One member of an object.
    package struct Member: Sendable, Equatable {
        package var key: String
        package var value: JSONText
    }

    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONText])
    /// The members in the order of the text.
    case object([Member])

    /// Parses a complete text; `nil` if it is invalid, nested deeper than 32 levels or has trailing content.
    package init?(_ bytes: [UInt8]) {
        var reader = JSONReader(bytes: bytes)
        guard let value = reader.readDocument() else { return nil }
        self = value
    }

    /// The value of a key of an object; the last one if the key is repeated.
    package subscript(key: String) -> JSONText? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }

    /// The value at a path of keys, such as `data.token`.
    package subscript(path path: String) -> JSONText? {
        var value = self
        for key in path.split(separator: ".") {
            guard let next = value[String(key)] else { return nil }
            value = next
        }
        return value
    }

    /// The value as a string.
    package var string: String? {
        guard case .string(let string) = self else { return nil }
        return string
    }

    /// The value as a number.
    package var number: Double? {
        guard case .number(let number) = self else { return nil }
        return number
    }
}

/// A single-pass JSON parser; for texts of a few hundred bytes it is several times faster than `JSONDecoder`.
private struct JSONReader {
    let bytes: [UInt8]
    var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func readDocument() -> JSONText? {
        guard let value = readValue(depth: 0) else { return nil }
        skipSpace()
        return position == bytes.count ? value : nil
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    private mutating func take(_ word: StaticString, as value: JSONText) -> JSONText? {
        let length = word.utf8CodeUnitCount
        guard position + length <= bytes.count,
            String(decoding: bytes[position..<position + length], as: UTF8.self) == word.description
        else { return nil }
        position += length
        return value
    }

    private mutating func readValue(depth: Int) -> JSONText? {
        guard depth <= 32 else { return nil }
        skipSpace()
        switch current {
        case UInt8(ascii: "{"): return readObject(depth: depth)
        case UInt8(ascii: "["): return readArray(depth: depth)
        case UInt8(ascii: "\""): return readString().map { .string($0) }
        case UInt8(ascii: "t"): return take("true", as: .bool(true))
        case UInt8(ascii: "f"): return take("false", as: .bool(false))
        case UInt8(ascii: "n"): return take("null", as: .null)
        default: return readNumber()
        }
    }

    private mutating func readObject(depth: Int) -> JSONText? {
        position += 1
        var members: [JSONText.Member] = []
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipSpace()
            guard current == UInt8(ascii: "\""), let key = readString() else { return nil }
            skipSpace()
            guard take(UInt8(ascii: ":")), let value = readValue(depth: depth + 1) else { return nil }
            members.append(JSONText.Member(key: key, value: value))
            skipSpace()
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "}")) ? .object(members) : nil
    }

    private mutating func readArray(depth: Int) -> JSONText? {
        position += 1
        var values: [JSONText] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array(values) }
        repeat {
            guard let value = readValue(depth: depth + 1) else { return nil }
            values.append(value)
            skipSpace()
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "]")) ? .array(values) : nil
    }

    private mutating func readString() -> String? {
        position += 1
        let start = position
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                defer { position += 1 }
                return String(validating: bytes[start..<position], as: UTF8.self)
            case UInt8(ascii: "\\"): return readEscapedString(from: start)
            case 0..<0x20: return nil
            default: position += 1
            }
        }
        return nil
    }

    private mutating func readEscapedString(from start: Int) -> String? {
        var text = Array(bytes[start..<position])
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let scalar = readEscape() else { return nil }
                text.append(contentsOf: Array(String(scalar).utf8))
            case 0..<0x20: return nil
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func readEscape() -> Unicode.Scalar? {
        guard let byte = current else { return nil }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return readUnicodeEscape()
        default: return nil
        }
    }

    private mutating func readUnicodeEscape() -> Unicode.Scalar? {
        guard let first = readHex() else { return nil }
        guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) }
        // Characters beyond the basic multilingual plane need a surrogate pair; a single surrogate is invalid.
        guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")), let second = readHex(),
            (0xDC00..<0xE000).contains(second)
        else { return nil }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private mutating func readHex() -> UInt32? {
        guard position + 4 <= bytes.count else { return nil }
        var value: UInt32 = 0
        for byte in bytes[position..<position + 4] {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
            default: return nil
            }
        }
        position += 4
        return value
    }

    private mutating func readNumber() -> JSONText? {
        let start = position
        var whole: Int64 = 0
        var isWhole = true
        while let byte = current {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if position - start < 18 {
                    whole = whole * 10 + Int64(byte - UInt8(ascii: "0"))
                } else {
                    isWhole = false
                }
            case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
                isWhole = false
            default:
                return number(from: start, whole: isWhole ? whole : nil)
            }
            position += 1
        }
        return number(from: start, whole: isWhole ? whole : nil)
    }

    private func number(from start: Int, whole: Int64?) -> JSONText? {
        let text = bytes[start..<position]
        if let whole, text.first != UInt8(ascii: "0") || text.count == 1, !text.isEmpty {
            return .number(Double(whole))
        }
        guard Self.isNumber(text), let number = Double(String(decoding: text, as: UTF8.self)), number.isFinite else {
            return nil
        }
        return .number(number)
    }

    /// Returns whether a text is a number of RFC 8259, section 6.
    ///
    /// Swift's `Double` also accepts texts such as `1.` and `007`.
    private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        func take(_ characters: StaticString) -> Bool {
            guard let first = rest.first, characters.description.utf8.contains(first) else { return false }
            rest.removeFirst()
            return true
        }
        func takeDigits() -> Int {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            rest.removeFirst(digits.count)
            return digits.count
        }
        _ = take("-")
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let count = takeDigits()
        guard count == 1 || (count > 1 && !startsWithZero) else { return false }
        if take("."), takeDigits() == 0 { return false }
        if take("eE") {
            _ = take("+-")
            guard takeDigits() > 0 else { return false }
        }
        return rest.isEmpty
    }
}
