import CZlib
package import GRPCCore
package import NIOCore

/// Decompresses the length-prefixed messages of a call before the gRPC library reads them.
///
/// The library decompresses a message that is cut off in an endless loop, and without a limit for several messages together.
/// It accepts uncompressed messages whatever the compression of the call is.
///
/// Written for grpc-swift-nio-transport 2.9.2: `UnsafeMutablePointer<z_stream>.inflate` repeats `Z_BUF_ERROR` although all
/// input was read, and `GRPCMessageDecoder` has a limit for each message only. Obsolete once `HostileStatusTests`, “a
/// compressed message that is cut off or damaged is malformed”, ends and `CallMemoryTests` passes when messages and header
/// reach the library as they are.
package struct MessageUnpacker {
    /// Why messages are refused.
    package enum Problem: Error, Equatable {
        /// The messages of the call are larger than the limit.
        case tooLarge
        /// A message is not what its flag and the header `grpc-encoding` say.
        case damaged
    }

    /// The length of the prefix: a flag and a big-endian length.
    private static let prefixLength = 5

    /// The value of the header `grpc-encoding`; `nil` without one.
    package var encoding: String?

    /// Whether the header has to be hidden from the library, which knows its compression.
    ///
    /// The messages that it gets are not compressed. It would create a decompressor for each call, and not free the decompressor of a call
    /// that ends as it should: in grpc-swift-nio-transport 2.9.2, `GRPCStreamStateMachine` drops it on the way to
    /// `ClientClosedServerClosedState`, and on a server on the way to `ClientClosedServerOpenState`.
    package var hidesEncoding: Bool { encoding == "gzip" || encoding == "deflate" }

    /// The number of bytes that further messages may have.
    private var room: Int
    /// Received bytes that do not yet make a message.
    private var rest = ByteBuffer()

    /// Creates an unpacker for one direction of a call.
    ///
    /// - Parameter limit: The maximum size of all messages of the call together in bytes, after decompression.
    package init(limit: Int) { room = limit }

    /// Takes a part of the received bytes.
    ///
    /// - Parameter bytes: The content of a DATA frame.
    /// - Returns: The messages that are complete now, with their prefixes, uncompressed.
    /// - Throws: ``Problem``; nothing may be appended after that.
    package mutating func append(_ bytes: ByteBuffer) throws(Problem) -> ByteBuffer {
        rest.writeImmutableBuffer(bytes)
        var messages = ByteBuffer()
        while let message = try next() { messages.writeImmutableBuffer(message) }
        rest.discardReadBytes()
        return messages
    }

    /// Returns the next complete message with its prefix; `nil` if there is none yet.
    private mutating func next() throws(Problem) -> ByteBuffer? {
        let start = rest.readerIndex
        guard let flag = rest.getInteger(at: start, as: UInt8.self),
            let count = rest.getInteger(at: start + 1, as: UInt32.self)
        else { return nil }
        guard count <= room else { throw .tooLarge }
        guard var message = rest.getSlice(at: start, length: Self.prefixLength + Int(count)) else { return nil }
        rest.moveReaderIndex(forwardBy: message.readableBytes)
        if flag == 1 {
            message.moveReaderIndex(forwardBy: Self.prefixLength)
            let content = try decompressed(message)
            message = ByteBuffer()
            message.writeInteger(UInt8(0))
            message.writeInteger(UInt32(content.count))
            message.writeBytes(content)
        }
        room -= message.readableBytes - Self.prefixLength
        return message
    }

    private func decompressed(_ message: ByteBuffer) throws(Problem) -> [UInt8] {
        let format: Inflation.Format
        switch encoding {
        case "gzip": format = .gzip
        case "deflate": format = .zlib
        default: throw .damaged
        }
        return try Inflation.decompressed(Array(message.readableBytesView), format, limit: room)
    }
}

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

/// Messages without interpretation, so that their size is known and one handler serves all types.
package struct PlainBytes: MessageSerializer, MessageDeserializer {
    package init() {}

    package func serialize<Bytes: GRPCContiguousBytes>(_ message: [UInt8]) throws -> Bytes { Bytes(message) }

    package func deserialize<Bytes: GRPCContiguousBytes>(_ serialized: Bytes) throws -> [UInt8] {
        unsafe serialized.withUnsafeBytes { unsafe Array($0) }
    }
}
