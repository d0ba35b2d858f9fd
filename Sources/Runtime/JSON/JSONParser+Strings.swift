extension JSONParser {
    /// A string; the parser is at its opening quotation mark.
    mutating func readString() throws(Failure) -> String {
        position += 1
        let start = position
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                defer { position += 1 }
                return try text(bytes[start..<position])
            case UInt8(ascii: "\\"): return try readEscapedString(from: start)
            case 0..<0x20 where !options.isLenient: throw failure
            default: position += 1
            }
        }
        throw .truncated
    }

    private mutating func readEscapedString(from start: Int) throws(Failure) -> String {
        var result = Array(bytes[start..<position])
        while let byte = current {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return try text(result[...])
            case UInt8(ascii: "\\"): result.append(contentsOf: Array(String(try readEscape()).utf8))
            case 0..<0x20 where !options.isLenient: throw .invalid(offset: position - 1)
            default: result.append(byte)
            }
        }
        throw .truncated
    }

    private func text(_ bytes: ArraySlice<UInt8>) throws(Failure) -> String {
        if options.isLenient { return String(decoding: bytes, as: UTF8.self) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .invalid(offset: position) }
        return text
    }

    /// The character of an escape; the parser is behind the backslash.
    private mutating func readEscape() throws(Failure) -> Unicode.Scalar {
        guard let byte = current else { throw .truncated }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try readUnicodeEscape()
        default: throw .invalid(offset: position - 1)
        }
    }

    private mutating func readUnicodeEscape() throws(Failure) -> Unicode.Scalar {
        let first = try readHex()
        guard (0xD800..<0xE000).contains(first) else { return try scalar(first) }
        guard first < 0xDC00 else { return try unpaired() }
        // A character beyond the basic plane is written as a pair of escapes.
        let start = position
        guard consume(UInt8(ascii: "\\")), consume(UInt8(ascii: "u")) else {
            position = start
            return try unpaired()
        }
        let second = try readHex()
        guard (0xDC00..<0xE000).contains(second) else {
            position = start
            return try unpaired()
        }
        return try scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private func scalar(_ number: UInt32) throws(Failure) -> Unicode.Scalar {
        guard let scalar = Unicode.Scalar(number) else { return try unpaired() }
        return scalar
    }

    /// The replacement for half of a surrogate pair, which is no character.
    private func unpaired() throws(Failure) -> Unicode.Scalar {
        guard options.isLenient else { throw .invalid(offset: position) }
        return "\u{FFFD}"
    }

    private mutating func readHex() throws(Failure) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current else { throw .truncated }
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else { throw failure }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}
