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

    package static func data(_ text: String, end: Bool = false, stream: UInt32 = 1) -> [UInt8] {
        frame(0, flags: end ? 0x1 : 0, stream: stream, Array(text.utf8))
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
        var bytes: [UInt8] = []
        for (name, value) in fields {
            bytes.append(0)
            for text in [name, value] {
                bytes.append(UInt8(text.utf8.count))
                bytes += text.utf8
            }
        }
        return bytes
    }

    private static func big(_ value: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
