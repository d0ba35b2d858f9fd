import CZlib

/// Decompression of a whole message.
enum Inflation {
    /// The format of compressed data, as zlib's number of window bits.
    enum Format: Int32 {
        /// RFC 1950.
        case zlib = 15
        /// RFC 1952.
        case gzip = 31
    }

    /// Decompresses data to at most `limit` bytes; throws for data that is cut off, damaged or longer.
    static func decompressed(
        _ bytes: [UInt8],
        _ format: Format,
        limit: Int
    ) throws(MessageUnpacker.Problem) -> [UInt8] {
        var stream = unsafe z_stream()
        guard unsafe tripshare_inflate_init(&stream, format.rawValue) == Z_OK else { throw .damaged }
        defer { unsafe inflateEnd(&stream) }
        var input = bytes
        var output: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 14)
        var status = Z_OK
        unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe stream.next_in = input.baseAddress
            unsafe stream.avail_in = UInt32(input.count)
            // At the end of the input, zlib returns an error instead of waiting for more.
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
        guard output.count <= limit else { throw .tooLarge }
        guard status == Z_STREAM_END else { throw .damaged }
        return output
    }
}
