import Runtime

/// Splits a stream of bytes into the JSON objects in it, without waiting for its end.
///
/// It accepts one object per line, objects over several lines, lists of objects, and the lists in files of Fleet Debugger and
/// in answers of `entries:tail`. Memory is bounded: an object of more than ``maximumBytes`` is dropped. After invalid bytes it
/// continues with the next line, so that a damaged line never costs its successors.
struct LogScanner: Sendable {
    /// A part of the stream.
    enum Item: Sendable, Equatable {
        /// A complete object.
        case object([UInt8], line: Int)
        /// Bytes that are not a complete object, from this line on.
        case invalid(line: Int)
    }

    /// The maximum size of an object in bytes; Cloud Logging's limit is 256 KiB.
    static let maximumBytes = 4 << 20
    /// How deep objects and lists may nest.
    static let maximumDepth = 64

    /// The number of the current line.
    private var line = 1
    /// The column of the next byte in its line.
    private var column = 0
    /// Whether the rest of the line is ignored.
    private var isSkipping = false
    /// Whether the current list is the value of a key of a wrapping object; the rest of this object has no entries.
    private var isWrapped = false
    /// The line on which the wrapping object begins.
    private var wrapperLine = 1
    /// Whether the current object is the rest of a wrapping object.
    private var isRest = false
    /// The current object; empty between objects.
    private var object: [UInt8] = []
    /// The state of the current object; its depth is 0 between objects.
    private var tokenizer = JSONTokenizer()
    /// The position of the object's first byte.
    private var start = (line: 1, column: 0)
    /// Whether the object has more than its bracket and white space.
    private var hasContent = false
    /// Whether the first line of the object has only its bracket; `nil` on that line.
    private var hasBracketAlone: Bool?
    /// Whether a line of the object was indented deeper than its first one.
    private var isIndented = false
    /// Whether the line has only white space so far.
    private var isAtLineStart = true

    /// Returns the items that end in a chunk of bytes.
    mutating func consume(_ bytes: some Sequence<UInt8>) -> [Item] {
        var items: [Item] = []
        for byte in bytes { consume(byte, &items) }
        return items
    }

    /// Returns the item that ends with the stream.
    mutating func finish() -> [Item] {
        tokenizer.depth == 0 ? [] : [.invalid(line: drop())]
    }

    private mutating func consume(_ byte: UInt8, _ items: inout [Item]) {
        if byte == 0x0A {  // line feed
            endLine(&items)
            return
        }
        defer { column += 1 }
        if isSkipping { return }
        // Space, tab, carriage return.
        let isSpace = byte == 0x20 || byte == 0x09 || byte == 0x0D
        if isAtLineStart, !isSpace {
            isAtLineStart = false
            if tokenizer.depth > 0, !tokenizer.isInString {
                if column > start.column { isIndented = true }
                // An indented object was cut off: the next one begins where this one did, or further left. So was one that has
                // only its bracket, or more than that on its first line, because a key or the end of a value must follow.
                let opens = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
                let isCut = hasBracketAlone == true ? (isIndented ? column <= start.column : !hasContent) : true
                if opens, isCut { items.append(.invalid(line: drop())) }
            }
        }
        if tokenizer.depth == 0 {
            consumeOutside(byte, isSpace: isSpace, &items)
        } else {
            consumeInside(byte, &items)
        }
    }

    private mutating func consumeOutside(_ byte: UInt8, isSpace: Bool, _ items: inout [Item]) {
        switch byte {
        case UInt8(ascii: "{"):
            open(at: column)
        case UInt8(ascii: "]") where isWrapped:
            isWrapped = false
            // The rest of the wrapping object is read, so that what follows on the same line is.
            open(at: 0)
            (object, isRest, hasContent) = (Array(#"{"":[]"#.utf8), true, true)
            hasBracketAlone = wrapperLine < line
        // Brackets and commas of a list, a byte order mark, and the separator of JSON text sequences.
        case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","), 0xEF, 0xBB, 0xBF, 0x1E: break
        default:
            if isSpace { break }
            items.append(.invalid(line: line))
            isSkipping = true
        }
    }

    private mutating func consumeInside(_ byte: UInt8, _ items: inout [Item]) {
        object.append(byte)
        if byte > 0x20 { hasContent = true }
        guard object.count <= Self.maximumBytes else { return fail(&items) }
        switch tokenizer.consume(byte) {
        case .opening:
            guard tokenizer.depth <= Self.maximumDepth else { return fail(&items) }
            if byte == UInt8(ascii: "["), tokenizer.depth == 2, opensEntries {
                // The rest of the wrapping object is not needed.
                wrapperLine = drop()
                isWrapped = true
            }
        case .closing:
            guard tokenizer.depth == 0 else { return }
            if !isRest { items.append(.object(object, line: start.line)) }
            (object, isRest) = ([], false)
        case .mismatch: fail(&items)
        case .comma, .startOfString, .text, .escape, .endOfString, .other: break
        }
    }

    /// Begins an object in the current line.
    private mutating func open(at column: Int) {
        object = [UInt8(ascii: "{")]
        tokenizer = JSONTokenizer()
        _ = tokenizer.consume(UInt8(ascii: "{"))
        start = (line, column)
        (hasBracketAlone, isIndented, hasContent) = (nil, false, false)
    }

    private mutating func endLine(_ items: inout [Item]) {
        if isSkipping {
            isSkipping = false
        } else if tokenizer.depth > 0 {
            if hasBracketAlone == nil { hasBracketAlone = !hasContent }
            // No string contains a line feed.
            if tokenizer.isInString {
                items.append(.invalid(line: drop()))
            } else if object.count < Self.maximumBytes {
                object.append(UInt8(ascii: "\n"))
            } else {
                items.append(.invalid(line: drop()))
            }
        }
        line += 1
        column = 0
        isAtLineStart = true
    }

    /// Reports the current object as invalid and skips the rest of the line.
    private mutating func fail(_ items: inout [Item]) {
        items.append(.invalid(line: drop()))
        isSkipping = true
    }

    /// Forgets the current object; returns the number of its first line.
    private mutating func drop() -> Int {
        (object, tokenizer, isRest) = ([], JSONTokenizer(), false)
        return start.line
    }

    /// Whether the last key of the object is one whose list has the entries.
    private var opensEntries: Bool {
        let text = object.dropLast().reversed().drop { $0 <= UInt8(ascii: " ") }
        guard text.first == UInt8(ascii: ":") else { return false }
        let key = text.dropFirst().drop { $0 <= UInt8(ascii: " ") }.prefix(12)
        let name = String(decoding: key.reversed(), as: UTF8.self).lowercased().replacing("_", with: "")
        return name.hasSuffix("\"rawlogs\"") || name.hasSuffix("\"entries\"")
    }
}
