/// Finds the strings, lists and objects of a JSON text, byte by byte.
///
/// It validates neither numbers nor words nor the order of tokens, so that its users can work on a stream, on a part of a text
/// and on a damaged text. Bytes are compared with numbers: builds without optimization would otherwise convert each character for
/// each byte.
package struct JSONTokenizer: Sendable {
    /// What a byte is.
    package enum Event: Sendable {
        /// A bracket that opens a list or an object.
        case opening
        /// The bracket that closes the innermost list or object.
        case closing
        /// A closing bracket of the other kind, which closes the innermost list or object, or one that closes nothing.
        case mismatch
        /// A comma between values.
        case comma
        /// The quotation mark at the start of a string.
        case startOfString
        /// A byte of a string.
        case text
        /// A byte of an escape sequence in a string.
        case escape
        /// The quotation mark at the end of a string.
        case endOfString
        /// A colon, white space, or a byte of a number or of a word.
        case other
    }

    /// The brackets that close the current lists and objects, the innermost last.
    private var closers: [UInt8] = []
    /// Whether a string is open.
    package private(set) var isInString = false
    /// Whether the last byte was the backslash of an escape sequence.
    private var isEscaped = false
    /// The number of hexadecimal digits that belong to the current escape sequence.
    private var missingDigits = 0

    /// Creates a tokenizer at the start of a text.
    package init() {}

    /// The number of lists and objects that are open.
    package var depth: Int { closers.count }

    /// Reads the next byte.
    package mutating func consume(_ byte: UInt8) -> Event {
        if isInString { return consumeText(byte) }
        switch byte {
        case 0x22:  // "
            isInString = true
            return .startOfString
        case 0x5B, 0x7B:  // [ {
            // Each closing bracket is two positions after its opening bracket.
            closers.append(byte + 2)
            return .opening
        case 0x5D, 0x7D:  // ] }
            return closers.popLast() == byte ? .closing : .mismatch
        case 0x2C: return .comma
        default: return .other
        }
    }

    private mutating func consumeText(_ byte: UInt8) -> Event {
        if isEscaped {
            isEscaped = false
            missingDigits = byte == 0x75 ? 4 : 0  // u
            return .escape
        }
        switch byte {
        case 0x22:  // "
            (isInString, missingDigits) = (false, 0)
            return .endOfString
        case 0x5C:  // \
            isEscaped = true
            return .escape
        default:
            guard missingDigits > 0 else { return .text }
            missingDigits -= 1
            return .escape
        }
    }
}
