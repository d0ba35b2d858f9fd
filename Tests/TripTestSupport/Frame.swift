/// HTTP/2 frames as bytes, valid or not (RFC 9113, sections 4.1 and 6).
package enum Frame {
    package static let headersKind: UInt8 = 1

    /// A frame of any kind.
    package static func frame(_ kind: UInt8, flags: UInt8 = 0, stream: UInt32 = 1, _ payload: [UInt8] = []) -> [UInt8] {
        big(payload.count, bytes: 3) + [kind, flags] + big(Int(stream), bytes: 4) + payload
    }

    /// Headers or trailers with uncompressed fields.
    package static func headers(_ fields: [(String, String)], end: Bool = false, stream: UInt32 = 1) -> [UInt8] {
        frame(headersKind, flags: end ? 0x5 : 0x4, stream: stream, block(fields))
    }

    /// Headers or trailers whose names and values need not be text.
    package static func headers(bytes fields: [([UInt8], [UInt8])], end: Bool = false, stream: UInt32 = 1) -> [UInt8] {
        frame(headersKind, flags: end ? 0x5 : 0x4, stream: stream, block(fields))
    }

    package static func data(_ text: String, end: Bool = false, stream: UInt32 = 1) -> [UInt8] {
        data(Array(text.utf8), end: end, stream: stream)
    }

    package static func data(_ bytes: [UInt8], end: Bool = false, stream: UInt32 = 1) -> [UInt8] {
        frame(0, flags: end ? 0x1 : 0, stream: stream, bytes)
    }

    /// A message of gRPC with its prefix.
    package static func message(_ bytes: [UInt8], flag: UInt8 = 0, length: Int? = nil) -> [UInt8] {
        [flag] + big(length ?? bytes.count, bytes: 4) + bytes
    }

    package static func settings(_ values: [(UInt16, Int)] = []) -> [UInt8] {
        frame(4, stream: 0, values.flatMap { big(Int($0.0), bytes: 2) + big($0.1, bytes: 4) })
    }

    /// A push promise for a stream that the server opens.
    package static func pushPromise(of promised: UInt32, on stream: UInt32 = 1) -> [UInt8] {
        let request = [(":method", "GET"), (":scheme", "https"), (":authority", "localhost"), (":path", "/")]
        return frame(5, flags: 0x4, stream: stream, big(Int(promised), bytes: 4) + block(request))
    }

    /// The end of a stream with an error code, by default CANCEL.
    package static func reset(_ code: Int = 8, stream: UInt32 = 1) -> [UInt8] {
        frame(3, stream: stream, big(code, bytes: 4))
    }

    package static func goAway(last: Int) -> [UInt8] { frame(7, stream: 0, big(last, bytes: 4) + big(0, bytes: 4)) }

    package static func windowUpdate(by count: Int, stream: UInt32 = 1) -> [UInt8] {
        frame(8, stream: stream, big(count, bytes: 4))
    }

    /// An HPACK block: literals without indexing, names and values as they are (RFC 7541, section 6.2.2).
    private static func block(_ fields: [(String, String)]) -> [UInt8] {
        block(fields.map { (Array($0.0.utf8), Array($0.1.utf8)) })
    }

    private static func block(_ fields: [([UInt8], [UInt8])]) -> [UInt8] {
        fields.flatMap { name, value in [0] + length(name.count) + name + length(value.count) + value }
    }

    /// The length of a text that is not compressed (RFC 7541, section 5.1).
    private static func length(_ count: Int) -> [UInt8] {
        guard count >= 0x7F else { return [UInt8(count)] }
        var (rest, bytes) = (count - 0x7F, [UInt8(0x7F)])
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F | 0x80))
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    private static func big(_ value: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
