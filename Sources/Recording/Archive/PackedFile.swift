import CZlib

/// A file that was packed for sending: a gzip file, or an archive of ZIP, tar or compressed tar with one file.
package enum PackedFile {
    /// The number of bytes at the beginning of a file that show its kind.
    package static let beginning = 512

    /// Returns whether a file begins as a packed one, from its first ``beginning`` bytes.
    package static func isOne(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.starts(with: Self.gzip) || bytes.starts(with: ZIPArchive.signature)
            || TarFile.isOne(Array(bytes.prefix(beginning)))
    }

    /// Returns the packed file, or the bytes themselves if they are not packed.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - limit: The maximum number of unpacked bytes.
    /// - Returns: The unpacked bytes.
    /// - Throws: ``RecordingError/otherKind(_:)`` for an archive that is damaged, encrypted or has not exactly one file;
    ///   ``RecordingError/tooLarge(limit:)``.
    package static func unpacked(_ bytes: [UInt8], limit: Int) throws(RecordingError) -> [UInt8] {
        if bytes.starts(with: gzip) {
            return try onlyFile(inTar: inflated(bytes[...], .gzip, limit: limit, damaged: .gzip))
        }
        if TarFile.isOne(bytes) {
            guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
            return try onlyFile(inTar: bytes)
        }
        guard bytes.starts(with: ZIPArchive.signature) else { return bytes }
        guard let file = ZIPArchive.onlyFile(of: bytes) else { throw .otherKind(.zip) }
        guard file.size <= limit else { throw .tooLarge(limit: limit) }
        let content =
            file.isStored
            ? Array(file.data) : try inflated(file.data, .raw, limit: limit, damaged: .zip)
        guard content.count == file.size, checksum(content) == file.checksum else { throw .otherKind(.zip) }
        return content
    }

    /// Returns the only file of a tar archive, or the bytes themselves if they are none.
    private static func onlyFile(inTar bytes: [UInt8]) throws(RecordingError) -> [UInt8] {
        guard TarFile.isOne(bytes) else { return bytes }
        guard let file = TarFile.onlyFile(of: bytes) else { throw .otherKind(.tar) }
        return Array(file)
    }

    /// The first bytes of a gzip file (RFC 1952).
    private static let gzip: [UInt8] = [0x1F, 0x8B]

    /// The format of compressed data, as zlib's number of window bits.
    private enum Format: Int32 {
        /// RFC 1951, without a header.
        case raw = -15
        /// RFC 1952.
        case gzip = 31
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        unsafe bytes.withUnsafeBufferPointer {
            UInt32(truncatingIfNeeded: unsafe crc32(0, $0.baseAddress, UInt32($0.count)))
        }
    }

    private static func inflated(
        _ bytes: ArraySlice<UInt8>,
        _ format: Format,
        limit: Int,
        damaged kind: RecordingError.Kind
    ) throws(RecordingError) -> [UInt8] {
        var stream = unsafe z_stream()
        guard unsafe tripshare_inflate_init(&stream, format.rawValue) == Z_OK else { throw .otherKind(kind) }
        defer { unsafe inflateEnd(&stream) }
        var input = Array(bytes)
        var output: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
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
        guard output.count <= limit else { throw .tooLarge(limit: limit) }
        guard status == Z_STREAM_END else { throw .otherKind(kind) }
        return output
    }
}

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
