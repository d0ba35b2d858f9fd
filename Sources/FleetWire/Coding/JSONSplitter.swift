import Runtime

/// Splits JSON values into their parts without reading them, so that parts of a body can be decoded on their own.
///
/// The ends of all parts are found in one pass. It does not validate the parts; a part that is not JSON is refused by its decoder.
struct JSONSplitter {
    /// A member of an object.
    struct Member {
        /// The key with its quotation marks.
        var key: Range<Int>
        var value: Range<Int>
    }

    /// How deep lists and objects may nest, as SwiftProtobuf limits messages.
    private static let maximumDepth = 100

    let bytes: [UInt8]
    /// The ends of strings, lists and objects by the places of their first bytes; `nil` if not all have one, or if they nest
    /// too deeply.
    private let ends: [Int32]?

    /// Creates a splitter of a text of up to 2 GB.
    init(bytes: [UInt8]) {
        self.bytes = bytes
        ends = Self.ends(in: bytes)
    }

    private static func ends(in bytes: [UInt8]) -> [Int32]? {
        var ends = [Int32](repeating: 0, count: bytes.count)
        var tokenizer = JSONTokenizer()
        var starts: [Int] = []
        var position = 0
        while position < bytes.count {
            switch tokenizer.consume(bytes[position]) {
            case .opening:
                guard tokenizer.depth <= maximumDepth else { return nil }
                starts.append(position)
            case .startOfString: starts.append(position)
            case .closing, .mismatch, .endOfString:
                guard let start = starts.popLast() else { return nil }
                ends[start] = Int32(position + 1)
            case .comma, .text, .escape, .other: break
            }
            position += 1
        }
        return starts.isEmpty ? ends : nil
    }

    /// The place of the only value of the text; `nil` if the text is not one value.
    var root: Range<Int>? {
        let start = skippingSpace(from: 0)
        guard ends != nil, let end = end(from: start), skippingSpace(from: end) == bytes.count else { return nil }
        return start..<end
    }

    /// Returns the members of an object; `nil` if it is none.
    func members(of value: Range<Int>) -> [Member]? {
        var members: [Member] = []
        let isObject = parts(of: value, "{", "}") { start in
            guard bytes[start] == UInt8(ascii: "\""), let keyEnd = end(from: start) else { return nil }
            let colon = skippingSpace(from: keyEnd)
            guard colon < value.upperBound, bytes[colon] == UInt8(ascii: ":") else { return nil }
            let valueStart = skippingSpace(from: colon + 1)
            guard let end = end(from: valueStart) else { return nil }
            members.append(Member(key: start..<keyEnd, value: valueStart..<end))
            return end
        }
        return isObject ? members : nil
    }

    /// Returns the elements of a list; `nil` if it is none.
    func elements(of value: Range<Int>) -> [Range<Int>]? {
        var elements: [Range<Int>] = []
        let isList = parts(of: value, "[", "]") { start in
            guard let end = end(from: start) else { return nil }
            elements.append(start..<end)
            return end
        }
        return isList ? elements : nil
    }

    /// Returns a scalar value or a key; `nil` if it is not JSON.
    func scalar(_ value: Range<Int>) -> JSONValue? { JSONValue(Array(bytes[value])) }

    /// Visits the parts between two brackets; `part` returns the end of the part that begins at an offset.
    private func parts(
        of value: Range<Int>,
        _ opening: Unicode.Scalar,
        _ closing: Unicode.Scalar,
        part: (Int) -> Int?
    ) -> Bool {
        guard value.count >= 2, bytes[value.lowerBound] == UInt8(ascii: opening),
            bytes[value.upperBound - 1] == UInt8(ascii: closing)
        else { return false }
        let last = value.upperBound - 1
        var position = skippingSpace(from: value.lowerBound + 1)
        if position == last { return true }
        while position < last, let end = part(position) {
            position = skippingSpace(from: end)
            if position == last { return true }
            guard position < last, bytes[position] == UInt8(ascii: ",") else { return false }
            position = skippingSpace(from: position + 1)
        }
        return false
    }

    private func skippingSpace(from start: Int) -> Int {
        var position = start
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return position
            }
        }
        return position
    }

    /// Returns the end of the value at an offset; `nil` if there is none.
    private func end(from start: Int) -> Int? {
        var position = start
        while position < bytes.count {
            switch bytes[position] {
            case 0x22, 0x5B, 0x7B: return ends.map { Int($0[position]) }  // " [ {
            case 0x20, 0x09, 0x0A, 0x0D, 0x2C, 0x3A, 0x5D, 0x7D: return position > start ? position : nil  // , : ] }
            default: position += 1
            }
        }
        // A number or a word may be the end of the text.
        return position > start ? position : nil
    }
}
