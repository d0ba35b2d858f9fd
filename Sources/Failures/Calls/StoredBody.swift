import Runtime

/// The stored body of an answer for the inspector: complete if it is small, else an excerpt.
///
/// An excerpt of JSON of up to 3 MiB is valid JSON: lists, objects and strings are shortened and the omissions are marked.
package struct StoredBody: Sendable, Equatable {
    /// The maximum number of stored bytes per body.
    package static let largest = 64 << 10

    /// The maximum size in bytes of a body that is excerpted; of a larger one, only the beginning is stored.
    private static let largestExcerpted = 3 << 20

    /// The stored bytes.
    package let bytes: [UInt8]
    /// The size of the received body in bytes.
    package let size: Int

    /// Whether the body was shortened; the size of a redacted one is another than ``size``, too.
    package let isCut: Bool

    /// Takes the stored body of a recording; `size` is the size of the received body.
    package init(_ stored: [UInt8], ofSize size: Int, isCut: Bool) {
        self.isCut = isCut || stored.count > Self.largest
        bytes = stored.count > Self.largest ? Array(stored.prefix(Self.largest)) : stored
        self.size = size
    }

    /// Stores a body or an excerpt of it; `size` is the size of the received body before it was redacted.
    package init(_ body: [UInt8], ofSize received: Int? = nil) {
        size = received ?? body.count
        isCut = body.count > Self.largest
        guard isCut else {
            bytes = body
            return
        }
        guard body.count <= Self.largestExcerpted else {
            bytes = Array(body.prefix(Self.largest))
            return
        }
        for (items, text) in [(60, 1000), (8, 200)] {
            let excerpt = JSONExcerpt(of: body, mostItems: items, longestText: text, largest: Self.largest)
            guard let retained = excerpt.bytes else { continue }
            bytes = retained
            return
        }
        // A body that cannot be parsed is truncated.
        bytes = Array(body.prefix(Self.largest))
    }

    /// Stores a body or an excerpt of it without tokens, of a refusal without everything that may be one.
    package init(redacting body: [UInt8], ofSize received: Int? = nil, isRefusal: Bool = false) {
        let retained = StoredBody(body, ofSize: received)
        self.init(
            AnswerText.redacted(retained.bytes, isRefusal: isRefusal),
            ofSize: retained.size,
            isCut: retained.isCut
        )
    }
}

extension StoredBody {
    /// Returns the text in lines, JSON with one member to a line; at most a number of lines.
    package func indented(mostLines: Int) -> [String] {
        guard bytes.first == UInt8(ascii: "{") || bytes.first == UInt8(ascii: "[") else {
            let text = String(decoding: bytes, as: UTF8.self)
            return text.split(separator: /\r?\n/, omittingEmptySubsequences: false).prefix(mostLines).map(String.init)
        }
        var lines: [String] = []
        var (line, tokenizer): ([UInt8], JSONTokenizer) = ([], JSONTokenizer())
        func end() {
            if !line.isEmpty { lines.append(String(decoding: line, as: UTF8.self)) }
            line = [UInt8](repeating: 0x20, count: 2 * min(tokenizer.depth, 20))
        }
        for byte in bytes where lines.count < mostLines {
            switch tokenizer.consume(byte) {
            case .opening, .comma:
                line.append(byte)
                end()
            case .closing:
                end()
                line.append(byte)
            case .other where [0x09, 0x0A, 0x0D, 0x20].contains(byte): break
            case .mismatch, .startOfString, .text, .escape, .endOfString, .other: line.append(byte)
            }
        }
        if lines.count < mostLines { end() }
        return lines.filter { !$0.allSatisfy { $0 == " " } }
    }
}

/// Copies JSON without the excess parts in a single pass; it does not validate the text.
private struct JSONExcerpt {
    private let mostItems: Int
    private let longestText: Int
    private var result: [UInt8] = []
    private var tokenizer = JSONTokenizer()
    /// The numbers of commas so far in the current lists and objects, the innermost last.
    private var commas: [Int] = []
    /// The depth of the list or object whose remaining elements are skipped.
    private var skipped: Int?
    /// The number of bytes in the current string.
    private var textLength = 0
    private var isTextCut = false

    /// The excerpt; `nil` if brackets do not match, if the nesting is too deep, or if the excerpt is too large.
    private(set) var bytes: [UInt8]?

    init(of body: [UInt8], mostItems: Int, longestText: Int, largest: Int) {
        self.mostItems = mostItems
        self.longestText = longestText
        for byte in body {
            guard consume(byte), result.count <= largest else { return }
        }
        guard tokenizer.depth == 0, !tokenizer.isInString else { return }
        bytes = result
    }

    private mutating func consume(_ byte: UInt8) -> Bool {
        switch tokenizer.consume(byte) {
        case .opening:
            guard commas.count < 64 else { return false }
            commas.append(0)
        case .closing:
            let count = commas.removeLast()
            if skipped == commas.count + 1 {
                skipped = nil
                let omission = "… +\(count + 1 - mostItems)"
                let isObject = byte == 0x7D
                result += Array((isObject ? #","…":"\#(omission)""# : #","\#(omission)""#).utf8)
            }
        case .mismatch: return false
        case .comma:
            guard let count = commas.popLast() else { return false }
            commas.append(count + 1)
            if skipped == nil, count + 1 == mostItems { skipped = commas.count }
        case .startOfString: textLength = 0
        case .text:
            textLength += 1
            // A character is not split.
            if textLength > longestText, byte & 0xC0 != 0x80 { isTextCut = true }
        // An escape sequence is not split.
        case .escape: textLength += 1
        case .endOfString:
            if isTextCut, skipped == nil { result += Array("…".utf8) }
            isTextCut = false
        case .other: break
        }
        if skipped == nil, !isTextCut { result.append(byte) }
        return true
    }
}
