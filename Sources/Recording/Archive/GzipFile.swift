import CZlib

/// Compresses a file in the format of gzip (RFC 1952).
package enum GzipFile {
    /// Returns the compressed file; the same bytes for the same input.
    package static func compressed(_ input: [UInt8]) -> [UInt8] {
        var stream = unsafe z_stream()
        // 15 is the largest window, 16 selects the format of gzip.
        let start = unsafe tripshare_deflate_init(&stream, 15 + 16)
        precondition(start == Z_OK, "zlib needs 256 kB of memory")
        defer { unsafe deflateEnd(&stream) }
        var input = input
        let bound = unsafe Int(deflateBound(&stream, UInt(input.count)))
        var output = [UInt8](repeating: 0, count: bound)
        let count = unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe stream.next_in = input.baseAddress
                unsafe stream.avail_in = UInt32(input.count)
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = UInt32(output.count)
                let status = unsafe deflate(&stream, Z_FINISH)
                precondition(status == Z_STREAM_END, "the output has room for the input in every case")
                return unsafe output.count - Int(stream.avail_out)
            }
        }
        return Array(output[..<count])
    }
}
