/// The base64url encoding of JWTs: `-` and `_` replace `+` and `/`, without padding.
package enum Base64URL {
    /// Decodes strictly; returns `nil` for other characters, including padding, and for impossible lengths.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 2)
        var buffer: UInt32 = 0
        var bits: UInt32 = 0
        for character in text {
            let value: UInt8
            switch character {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - UInt8(ascii: "A")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a") + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0") + 52
            case UInt8(ascii: "-"): value = 62
            case UInt8(ascii: "_"): value = 63
            default: return nil
            }
            buffer = buffer << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
            }
        }
        return bytes
    }

    /// Converts standard base64 to base64url; valid base64url is returned unchanged.
    static func normalized(_ text: String) -> String {
        text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Encodes without padding.
    package static func encode(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var word: UInt32 = 0
            for byte in group { word = word << 8 | UInt32(byte) }
            word <<= 8 * UInt32(3 - group.count)
            for index in 0...group.count {
                text.append(alphabet[Int(word >> UInt32(18 - 6 * index) & 63)])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
