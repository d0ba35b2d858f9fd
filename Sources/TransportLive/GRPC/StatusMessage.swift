/// The header `grpc-message`: percent-encoded UTF-8, by gRPC's rules.
package enum StatusMessage {
    /// Decodes a message.
    ///
    /// - Parameter text: The value of the header.
    /// - Returns: The bytes of the message; the bytes of an invalid escape remain unchanged, by gRPC's rules.
    package static func decoded(_ text: String) -> [UInt8] {
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = digit(rest.first), let low = digit(rest.dropFirst().first) {
                result.append(high << 4 | low)
                rest.removeFirst(2)
            } else {
                result.append(byte)
            }
        }
        return result
    }

    /// Returns the value of a hexadecimal digit; `nil` for another character.
    private static func digit(_ byte: UInt8?) -> UInt8? {
        guard let byte, byte < 0x80 else { return nil }
        return Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
