/// Reads JSON values from bytes, one after another, with limits on the cost of a file.
///
/// It is hand-written for three reasons. An export may be a document, a list without brackets or one value per line. An error
/// must have a location. Keys are normalized while parsing (see ``JSONValue``).
struct JSONReader {
    /// The maximum nesting depth; Fleet Engine's messages have fewer than 12 levels.
    static let maximumDepth = 64
    /// The maximum number of values per file: about 40,000 log entries.
    static let maximumValues = 4_000_000

    private let bytes: [UInt8]
    private var position = 0
    private var values = 0

    /// Creates a reader at the start of a file; skips a byte order mark.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// Returns the next value, or `nil` at the end; white space and commas between values are skipped.
    mutating func next() throws(RecordingError) -> JSONValue? {
        skipSpace()
        while peek == UInt8(ascii: ",") {
            position += 1
            skipSpace()
        }
        return peek == nil ? nil : try value(depth: 0)
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private var failure: RecordingError { peek == nil ? .truncated : .notJSON(offset: position) }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || (0x09...0x0D).contains(byte) { position += 1 }
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(RecordingError) {
        guard peek == UInt8(ascii: character) else { throw failure }
        position += 1
    }

    private mutating func value(depth: Int) throws(RecordingError) -> JSONValue {
        guard depth <= Self.maximumDepth else { throw .tooDeep(limit: Self.maximumDepth) }
        values += 1
        guard values <= Self.maximumValues else { throw .tooManyValues(limit: Self.maximumValues) }
        switch peek {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func object(depth: Int) throws(RecordingError) -> JSONValue {
        try expect("{")
        var members: [String: JSONValue] = [:]
        skipSpace()
        while peek != UInt8(ascii: "}") {
            let key = try string()
            skipSpace()
            try expect(":")
            skipSpace()
            let member = try value(depth: depth + 1)
            if member != .null { members[Self.normalised(key)] = member }
            guard comma() else { break }
        }
        try expect("}")
        return .object(members)
    }

    private mutating func array(depth: Int) throws(RecordingError) -> JSONValue {
        try expect("[")
        var elements: [JSONValue] = []
        skipSpace()
        while peek != UInt8(ascii: "]") {
            elements.append(try value(depth: depth + 1))
            guard comma() else { break }
        }
        try expect("]")
        return .array(elements)
    }

    /// Returns whether another element follows; a trailing comma is accepted.
    private mutating func comma() -> Bool {
        skipSpace()
        guard peek == UInt8(ascii: ",") else { return false }
        position += 1
        skipSpace()
        return true
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(RecordingError) -> JSONValue {
        for byte in "\(word)".utf8 {
            guard peek == byte else { throw failure }
            position += 1
        }
        return value
    }

    private mutating func number() throws(RecordingError) -> Double {
        let start = position
        while let byte = peek, (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte) { position += 1 }
        guard start < position else { throw failure }
        guard let number = Double(String(decoding: bytes[start..<position], as: UTF8.self)) else {
            throw peek == nil ? .truncated : .notJSON(offset: start)
        }
        return number
    }

    private static func normalised(_ key: String) -> String {
        var bytes: [UInt8] = []
        for byte in key.utf8 where byte != UInt8(ascii: "_") {
            bytes.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

// MARK: - Strings

extension JSONReader {
    /// Reads a string; invalid UTF-8 and single surrogates become U+FFFD.
    private mutating func string() throws(RecordingError) -> String {
        try expect("\"")
        var text = ""
        var start = position
        while true {
            guard let byte = peek else { throw .truncated }
            guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
                position += 1
                continue
            }
            text += String(decoding: bytes[start..<position], as: UTF8.self)
            position += 1
            guard byte == UInt8(ascii: "\\") else { return text }
            text.unicodeScalars.append(try escape())
            start = position
        }
    }

    /// Reads the character of an escape, after the backslash.
    private mutating func escape() throws(RecordingError) -> Unicode.Scalar {
        guard let byte = peek else { throw .truncated }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicode()
        default: throw .notJSON(offset: position - 1)
        }
    }

    private mutating func unicode() throws(RecordingError) -> Unicode.Scalar {
        let first = try hexadecimal()
        guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
        let behindFirst = position
        guard peek == UInt8(ascii: "\\"), position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "u") else {
            return "\u{FFFD}"
        }
        position += 2
        let second = try hexadecimal()
        guard (0xDC00..<0xE000).contains(second) else {
            position = behindFirst
            return "\u{FFFD}"
        }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
    }

    private mutating func hexadecimal() throws(RecordingError) -> UInt32 {
        var number: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek else { throw .truncated }
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw .notJSON(offset: position) }
            number = number << 4 | UInt32(digit)
            position += 1
        }
        return number
    }
}
