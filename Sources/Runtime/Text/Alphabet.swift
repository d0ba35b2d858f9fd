/// The characters of tokens (base64url and base64), ignoring case.
enum Alphabet {
    /// Returns a number from 1 to 38 for a token character; `nil` for others.
    static func symbol(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 1
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A") + 1
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 27
        case UInt8(ascii: "-"), UInt8(ascii: "+"): 37
        case UInt8(ascii: "_"), UInt8(ascii: "/"): 38
        default: nil
        }
    }

    /// Returns the value of a hexadecimal digit.
    static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// Reads the token characters of a text; decodes `%2D` and `\u002d`, and skips all other characters.
struct SymbolReader {
    let bytes: [UInt8]
    private(set) var position = 0
    private(set) var start = 0

    /// The byte range of the last character in the text.
    var place: Range<Int> { start..<position }

    /// Returns the next character.
    mutating func next() -> UInt8? {
        while position < bytes.count {
            let byte = bytes[position]
            start = position
            position += 1
            if let symbol = Alphabet.symbol(byte) { return symbol }
            guard byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") else { continue }
            if let symbol = escaped(after: byte).flatMap(Alphabet.symbol) { return symbol }
        }
        return nil
    }

    /// Decodes an escape; `nil` without consuming input if there is none.
    private mutating func escaped(after byte: UInt8) -> UInt8? {
        let prefix = byte == UInt8(ascii: "%") ? [] : Array("u00".utf8)
        let digits = position + prefix.count
        guard digits + 2 <= bytes.count, bytes[position..<digits].elementsEqual(prefix),
            let high = Alphabet.digit(bytes[digits]), let low = Alphabet.digit(bytes[digits + 1])
        else { return nil }
        position = digits + 2
        return high << 4 | low
    }
}
