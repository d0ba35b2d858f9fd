extension JSONParser {
    /// A number (RFC 8259, section 6).
    ///
    /// Whole numbers of up to 18 digits, nearly all that occur, need no general reader.
    mutating func readNumber() throws(Failure) -> Double {
        let start = position
        var whole: Int64 = 0
        var isWhole = true
        // Bytes are compared with numbers: builds without optimization would otherwise convert each character for each byte.
        scan: while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case 0x30...0x39 where position - start < 18: whole = whole * 10 + Int64(byte - 0x30)
            case 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x45, 0x65: isWhole = false  // 0-9 + - . E e
            default: break scan
            }
            position += 1
        }
        let text = bytes[start..<position]
        guard !text.isEmpty else { throw failure }
        if isWhole, text.first != UInt8(ascii: "0") || text.count == 1 { return Double(whole) }
        guard options.isLenient || Self.isNumber(text), let number = Double(String(decoding: text, as: UTF8.self)),
            options.isLenient || number.isFinite
        else { throw current == nil ? .truncated : .invalid(offset: start) }
        return number
    }

    /// Whether it is a number of RFC 8259; Swift's reader accepts more, such as `1.` and `007`.
    private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        func consume(_ characters: StaticString) -> Bool {
            guard let first = rest.first, characters.description.utf8.contains(first) else { return false }
            rest.removeFirst()
            return true
        }
        func consumeDigits() -> Int {
            let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
            rest.removeFirst(digits.count)
            return digits.count
        }
        _ = consume("-")
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let count = consumeDigits()
        guard count == 1 || (count > 1 && !startsWithZero) else { return false }
        if consume("."), consumeDigits() == 0 { return false }
        if consume("eE") {
            _ = consume("+-")
            guard consumeDigits() > 0 else { return false }
        }
        return rest.isEmpty
    }
}
