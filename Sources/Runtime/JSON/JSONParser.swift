/// Reads JSON values from bytes in one pass, one after the other, with limits on depth and number.
///
/// Foundation's parser reads one whole document, names no place of an error and drops the order of keys. Log exports may be a
/// document, a list without its brackets or one value per line; the inspector shows keys in the order of the answer.
package struct JSONParser: Sendable {
    /// What is accepted.
    package struct Options: Sendable {
        /// How deep lists and objects may nest.
        package var maximumDepth = 32
        /// How many values a text may hold.
        package var maximumValues = Int.max
        /// Accepts what log exports contain in addition to RFC 8259.
        ///
        /// These are a byte order mark, commas between values and before a closing bracket, and control characters in
        /// strings. Bytes that are not UTF-8 and unpaired surrogates become U+FFFD.
        package var isLenient = false
        /// Converts keys to lower case without `_`, as exports spell one key in several ways, and drops members that are
        /// `null`.
        package var normalizesKeys = false

        package init() {}
    }

    /// Why a text can't be read.
    package enum Failure: Error, Equatable {
        /// The text ends within a value.
        case truncated
        /// A byte that no JSON has there; the offset in bytes from the start.
        case invalid(offset: Int)
        /// Values nest deeper than ``Options/maximumDepth``.
        case tooDeep
        /// The text has more values than ``Options/maximumValues``.
        case tooManyValues
    }

    let bytes: [UInt8]
    let options: Options
    var position = 0
    /// The number of values read so far.
    package private(set) var values = 0

    /// A parser at the start of a text.
    package init(_ bytes: [UInt8], options: Options = Options()) {
        self.bytes = bytes
        self.options = options
        if options.isLenient, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// Whether only white space is left.
    package var isAtEnd: Bool { bytes[position...].allSatisfy(Self.isSpace) }

    /// The next value; `nil` at the end.
    package mutating func next() throws(Failure) -> JSONValue? {
        skipSpace()
        while options.isLenient, current == UInt8(ascii: ",") {
            position += 1
            skipSpace()
        }
        return current == nil ? nil : try readValue(depth: 0)
    }

    var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// The failure at the current byte.
    var failure: Failure { current == nil ? .truncated : .invalid(offset: position) }

    private static func isSpace(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D: true
        default: false
        }
    }

    private mutating func skipSpace() {
        while let byte = current, Self.isSpace(byte) { position += 1 }
    }

    mutating func consume(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(Failure) {
        guard consume(UInt8(ascii: character)) else { throw failure }
    }

    private mutating func readValue(depth: Int) throws(Failure) -> JSONValue {
        guard depth <= options.maximumDepth else { throw .tooDeep }
        values += 1
        guard values <= options.maximumValues else { throw .tooManyValues }
        switch current {
        case UInt8(ascii: "{"): return try readObject(depth: depth)
        case UInt8(ascii: "["): return try readArray(depth: depth)
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "t"): return try readWord("true", as: .bool(true))
        case UInt8(ascii: "f"): return try readWord("false", as: .bool(false))
        case UInt8(ascii: "n"): return try readWord("null", as: .null)
        default: return .number(try readNumber())
        }
    }

    private mutating func readWord(_ word: StaticString, as value: JSONValue) throws(Failure) -> JSONValue {
        for byte in word.description.utf8 where !consume(byte) { throw failure }
        return value
    }

    private mutating func readObject(depth: Int) throws(Failure) -> JSONValue {
        position += 1
        var members: [JSONValue.Member] = []
        skipSpace()
        if consume(UInt8(ascii: "}")) { return .object(members) }
        repeat {
            skipSpace()
            if options.isLenient, current == UInt8(ascii: "}") { break }
            guard current == UInt8(ascii: "\"") else { throw failure }
            let key = try readString()
            skipSpace()
            try expect(":")
            skipSpace()
            let value = try readValue(depth: depth + 1)
            if !options.normalizesKeys {
                members.append(JSONValue.Member(key: key, value: value))
            } else if value != .null {
                members.append(JSONValue.Member(key: Self.normalized(key), value: value))
            }
            skipSpace()
        } while consume(UInt8(ascii: ","))
        try expect("}")
        return .object(members)
    }

    private mutating func readArray(depth: Int) throws(Failure) -> JSONValue {
        position += 1
        var elements: [JSONValue] = []
        skipSpace()
        if consume(UInt8(ascii: "]")) { return .array(elements) }
        repeat {
            skipSpace()
            if options.isLenient, current == UInt8(ascii: "]") { break }
            elements.append(try readValue(depth: depth + 1))
            skipSpace()
        } while consume(UInt8(ascii: ","))
        try expect("]")
        return .array(elements)
    }

    private static func normalized(_ key: String) -> String {
        String(
            decoding: key.utf8.lazy.filter { $0 != UInt8(ascii: "_") }
                .map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 },
            as: UTF8.self
        )
    }
}

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

extension [UInt8] {
    /// The bytes without a UTF-8 byte order mark, which editors write and parsers may ignore (RFC 8259, 8.1).
    package var withoutByteOrderMark: [UInt8] {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return starts(with: mark) ? Array(dropFirst(mark.count)) : self
    }
}
