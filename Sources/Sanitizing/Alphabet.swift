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
    private var bytes: String.UTF8View.Iterator
    /// Bytes that were read ahead and are not part of an escape, in order.
    private var ahead: [UInt8] = []
    private var position = 0

    init(_ bytes: String.UTF8View) { self.bytes = bytes.makeIterator() }

    /// Returns the next character and its byte range in the text.
    mutating func next() -> (symbol: UInt8, place: Range<Int>)? {
        while let byte = read() {
            let start = position - 1
            let escaped: UInt8? =
                switch byte {
                case UInt8(ascii: "%"): escape(prefix: [], digits: 2)
                case UInt8(ascii: "\\"): escape(prefix: Array("u00".utf8), digits: 2)
                default: byte
                }
            if let escaped, let symbol = Alphabet.symbol(escaped) { return (symbol, start..<position) }
        }
        return nil
    }

    private mutating func read() -> UInt8? {
        let byte = ahead.isEmpty ? bytes.next() : ahead.removeFirst()
        if byte != nil { position += 1 }
        return byte
    }

    /// Decodes an escape; `nil` without consuming input if there is none.
    private mutating func escape(prefix: [UInt8], digits: Int) -> UInt8? {
        while ahead.count < prefix.count + digits, let byte = bytes.next() { ahead.append(byte) }
        guard ahead.count >= prefix.count + digits, ahead.starts(with: prefix),
            let high = Alphabet.digit(ahead[prefix.count]), let low = Alphabet.digit(ahead[prefix.count + 1])
        else { return nil }
        ahead.removeFirst(prefix.count + digits)
        position += prefix.count + digits
        return high << 4 | low
    }
}
