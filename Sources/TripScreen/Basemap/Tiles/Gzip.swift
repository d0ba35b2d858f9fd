import CZlib

/// Decompression of gzip and zlib data.
enum Gzip {
    /// Returns whether data starts like gzip.
    static func isCompressed(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

    /// Decompresses data to at most `limit` bytes; truncated, damaged and longer data is refused.
    static func decompressed(_ bytes: [UInt8], limit: Int) throws(BasemapProblem) -> [UInt8] {
        var stream = unsafe z_stream()
        // 15 is the largest window, 32 recognizes gzip and zlib by their first bytes.
        guard unsafe tripshare_inflate_init(&stream, 15 + 32) == Z_OK else { throw .damaged }
        defer { unsafe inflateEnd(&stream) }
        var input = bytes
        var output: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        var status = Z_OK
        unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe stream.next_in = input.baseAddress
            unsafe stream.avail_in = UInt32(input.count)
            while status == Z_OK, output.count <= limit {
                let count = unsafe piece.withUnsafeMutableBufferPointer { piece in
                    unsafe stream.next_out = piece.baseAddress
                    unsafe stream.avail_out = UInt32(piece.count)
                    status = unsafe inflate(&stream, Z_NO_FLUSH)
                    return unsafe piece.count - Int(stream.avail_out)
                }
                output += piece[..<count]
            }
        }
        guard status == Z_STREAM_END, output.count <= limit else { throw .damaged }
        return output
    }
}
