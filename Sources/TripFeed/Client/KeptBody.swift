/// The stored body of an answer for the inspector: complete if it is small, else an excerpt.
///
/// An excerpt of JSON of up to 3 MiB is valid JSON: lists, objects and strings are shortened and the omissions are marked.
package struct KeptBody: Sendable, Equatable {
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
            guard let kept = excerpt.bytes else { continue }
            bytes = kept
            return
        }
        // A body that cannot be parsed is truncated.
        bytes = Array(body.prefix(Self.largest))
    }
}

/// Copies JSON without the excess parts in a single pass; it does not validate the text.
///
/// Bytes are compared with numbers: builds without optimization would otherwise convert each character for each byte.
private struct JSONExcerpt {
    private struct Container {
        var closing: UInt8
        /// The number of commas so far.
        var commas = 0
    }

    private let mostItems: Int
    private let longestText: Int
    private var result: [UInt8] = []
    private var containers: [Container] = []
    /// The depth of the container whose remaining elements are skipped.
    private var skipped: Int?
    /// The number of bytes in the current string; `nil` outside of a string.
    private var textLength: Int?
    private var isTextCut = false
    /// The number of remaining bytes of an escape sequence.
    private var escape = 0
    /// Whether the next byte is the character after a backslash.
    private var isEscapeHead = false

    /// The excerpt; `nil` if brackets do not match, if the nesting is too deep, or if the excerpt is too large.
    private(set) var bytes: [UInt8]?

    init(of body: [UInt8], mostItems: Int, longestText: Int, largest: Int) {
        self.mostItems = mostItems
        self.longestText = longestText
        for byte in body {
            let goesOn = textLength == nil ? consumeStructure(byte) : consumeText(byte)
            guard goesOn, result.count <= largest else { return }
        }
        guard containers.isEmpty, textLength == nil else { return }
        bytes = result
    }

    private mutating func consumeStructure(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x22:  // "
            textLength = 0
            isTextCut = false
        case 0x5B, 0x7B:  // [ {
            guard containers.count < 64 else { return false }
            copy(byte)
            containers.append(Container(closing: byte + 2))
            return true
        case 0x5D, 0x7D:  // ] }
            guard let container = containers.popLast(), container.closing == byte else { return false }
            if skipped == containers.count + 1 {
                skipped = nil
                let count = "… +\(container.commas + 1 - mostItems)"
                let isObject = byte == 0x7D
                result += Array((isObject ? #","…":"\#(count)""# : #","\#(count)""#).utf8)
            }
        case 0x2C:  // ,
            guard !containers.isEmpty else { return false }
            containers[containers.count - 1].commas += 1
            if skipped == nil, containers[containers.count - 1].commas == mostItems { skipped = containers.count }
        default: break
        }
        copy(byte)
        return true
    }

    private mutating func consumeText(_ byte: UInt8) -> Bool {
        let length = (textLength ?? 0) + 1
        textLength = length
        if escape > 0 {
            escape -= 1
            // The four hexadecimal digits after a u must not be split.
            if escape == 0, byte == 0x75, isEscapeHead { escape = 4 }
            isEscapeHead = false
        } else if byte == 0x22 {
            if isTextCut, skipped == nil { result += Array("…".utf8) }
            textLength = nil
            isTextCut = false
            copy(byte)
            return true
        } else if byte == 0x5C {  // \
            escape = 1
            isEscapeHead = true
        } else if length > longestText, byte & 0xC0 != 0x80 {
            isTextCut = true
        }
        if !isTextCut { copy(byte) }
        return true
    }

    private mutating func copy(_ byte: UInt8) {
        if skipped == nil { result.append(byte) }
    }
}
