import Foundation
import Runtime
import TripModel
import TripTestSupport

/// Generates the frames of answers that no gRPC service should give.
///
/// The same seed gives the same answers.
struct HostileCalls {
    private var random: SeededGenerator
    private let stream: UInt32

    init(seed: UInt64, stream: UInt32) {
        random = SeededGenerator(seed: seed)
        self.stream = stream
    }

    private mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &random) }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[roll(values.count)] }

    /// The bytes of an answer, and whether the connection ends with them.
    mutating func answer() -> (bytes: [UInt8], closes: Bool) {
        let encoding = pick([nil, nil, nil, "gzip", "deflate", "identity", "br", ""])
        var frames: [[UInt8]] = []
        if roll(20) == 0 { frames += (0...roll(5)).map { _ in informational() } }
        switch roll(10) {
        case 0, 1: frames.append(trailers(isAlone: true))
        case 2: frames += nonGRPC()
        default:
            frames.append(headers(encoding))
            frames += data(encoding)
            if roll(30) == 0 { frames.append(Frame.headers(bytes: status(), stream: stream)) }
            frames.append(trailers(isAlone: false))
        }
        var closes = false
        if roll(12) == 0 {
            frames.insert(foreign(), at: roll(frames.count + 1))
            closes = true
        }
        if roll(40) == 0 { frames.append(Frame.goAway(last: pick([0, Int(stream), 0x7FFF_FFFF]))) }
        // The call has to end, whatever the frames mean: by a reset, or with the connection.
        frames.append(Frame.reset(pick([0, 1, 2, 7, 8, 11, 13, 99, 0xFFFF_FFFF]), stream: stream))
        var bytes = frames.flatMap { $0 }
        if roll(15) == 0 {
            closes = true
            for _ in 0...roll(3) { bytes[roll(bytes.count)] = UInt8(roll(256)) }
            if roll(3) == 0 { bytes = Array(bytes.prefix(roll(bytes.count))) }
        }
        return (bytes, closes)
    }

    // MARK: Headers

    private mutating func headers(_ encoding: String?) -> [UInt8] {
        var fields = [
            (":status", roll(8) > 0 ? "200" : pick(["503", "-1", "99999", "1", ""]))
        ]
        fields.append(
            (
                "content-type",
                roll(8) > 0 ? "application/grpc" : pick(["application/grpc+proto", "text/html", "", "é"])
            )
        )
        if let encoding { fields.append(("grpc-encoding", encoding)) }
        return Frame.headers(bytes: Self.bytes(fields) + extra(), end: roll(40) == 0, stream: stream)
    }

    private mutating func informational() -> [UInt8] {
        Frame.headers([(":status", pick(["100", "101", "103", "199", "1xx", "-100"])), ("link", "x")], stream: stream)
    }

    private mutating func trailers(isAlone: Bool) -> [UInt8] {
        let start = isAlone ? [(":status", "200"), ("content-type", "application/grpc")] : []
        return Frame.headers(bytes: Self.bytes(start) + status() + extra(), end: roll(25) != 0, stream: stream)
    }

    /// Code, text and details of a status.
    private mutating func status() -> [([UInt8], [UInt8])] {
        var fields: [([UInt8], [UInt8])] = []
        for _ in 0..<pick([1, 1, 1, 1, 1, 1, 0, 2]) {
            let code =
                roll(2) > 0 ? "0" : pick(["3", "5", "7", "8", "13", "14", "16", "17", "-1", "", "x", "٣", "1e2"])
            fields += Self.bytes([("grpc-status", roll(30) == 0 ? "99999999999999999999" : code)])
        }
        for _ in 0..<pick([0, 1, 1, 2]) { fields.append((Array("grpc-message".utf8), text())) }
        if roll(4) == 0 { fields.append((Array("grpc-status-details-bin".utf8), details())) }
        return fields
    }

    /// A text with valid and invalid escapes.
    private mutating func text() -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<pick([0, 1, 2, 8, 20, 80]) {
            switch roll(6) {
            case 0: bytes.append(UInt8(ascii: "%"))
            case 1: bytes += Array("%\(pick(["41", "E2%82%AC", "00", "FF", "zz", "2", "1B", "0A", "G0", "é"]))".utf8)
            case 2: bytes.append(UInt8.random(in: 0x80...0xFF, using: &random))
            case 3: bytes += Array(pick(["é", "漢", "\u{202E}", "e\u{301}"]).utf8)
            default: bytes.append(UInt8.random(in: 0x20...0x7E, using: &random))
            }
        }
        return bytes + (roll(3) == 0 ? [UInt8(ascii: "%")] : [])
    }

    /// A `google.rpc.Status` in base64, with or without errors.
    private mutating func details() -> [UInt8] {
        let type = Array("type.googleapis.com/google.rpc.\(pick(["RetryInfo", "ErrorInfo", "Help", "X"]))".utf8)
        let value: [UInt8] = pick([
            [0x0A, 2, 8, 3], [0x0A, 11, 8, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1], [], [0x0A, 9],
        ])
        let any: [UInt8] = [0x0A, UInt8(type.count)] + type + [0x12, UInt8(value.count)] + value
        var status: [UInt8] = [8, UInt8(roll(20)), 18, 1, 109]
        for _ in 0..<pick([1, 1, 30]) { status += [0x1A, UInt8(any.count)] + any }
        let message = damaged(status)
        let base64 = Data(message).base64EncodedString()
        return Array(pick([base64, base64.filter { $0 != "=" }, base64 + "=", String(base64.dropFirst()), "!"]).utf8)
    }

    private mutating func extra() -> [([UInt8], [UInt8])] {
        guard roll(5) == 0 else { return [] }
        return (0...roll(pick([1, 4, 300]))).map { _ in
            let name = pick([
                "x", "x-bin", "-bin", "date", "retry-after", "grpc-retry-pushback-ms", "grpc-accept-encoding", "te",
                "content-length", "tripshare-received-status", "tripshare-message-bin", "tripshare-malformed", "X", "",
                "é", ":status", ":x", "grpc-timeout", "connection", "\u{0}",
            ])
            return (Array(name.utf8), text())
        }
    }

    private static func bytes(_ fields: [(String, String)]) -> [([UInt8], [UInt8])] {
        fields.map { (Array($0.0.utf8), Array($0.1.utf8)) }
    }

    // MARK: Messages

    private static let trip = Array("\u{0A}\u{13}providers/p/trips/t\u{20}\u{02}".utf8)
    private static let gzip: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 227, 18, 46, 40, 202, 47, 203, 76, 73, 45, 42, 214, 47, 208, 47, 41, 202, 44,
        40, 214, 47, 1, 0, 191, 134, 95, 131, 21, 0, 0, 0,
    ]

    /// Messages, in frames of any size.
    private mutating func data(_ encoding: String?) -> [[UInt8]] {
        var bytes: [UInt8] = []
        for _ in 0..<pick([1, 1, 1, 1, 1, 1, 0, 2, 5]) {
            let isCompressed = encoding == "gzip" && roll(2) == 0
            var content = isCompressed ? Self.gzip : Self.trip
            if roll(3) == 0 { content = damaged(content) }
            if roll(20) == 0 { content = (0..<roll(400)).map { _ in UInt8.random(in: 0...255, using: &random) } }
            let length = pick([nil, nil, nil, nil, nil, nil, nil, 0, 1, content.count + 1, 5_000_000, 0xFFFF_FFFF])
            let flag: UInt8 = isCompressed ? 1 : pick([0, 0, 0, 0, 0, 0, 1, 2, 255])
            bytes += Frame.message(content, flag: flag, length: length)
        }
        let size = pick([1, 7, 5000, 5000, 5000, 5000])
        var frames = stride(from: 0, to: bytes.count, by: size).map {
            Frame.data(Array(bytes[$0..<min($0 + size, bytes.count)]), stream: stream)
        }
        if roll(40) == 0 { frames.append(Frame.data([UInt8](), end: true, stream: stream)) }
        return frames
    }

    private mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<roll(4) where !bytes.isEmpty {
            let place = roll(bytes.count)
            switch roll(4) {
            case 0: bytes = Array(bytes.prefix(place))
            case 1: bytes[place] = UInt8(roll(256))
            case 2: bytes.insert(contentsOf: [0xFF, 0xFF, 0xFF, 0xFF, 0x0F], at: place)
            default: bytes.removeSubrange(place..<min(bytes.count, place + 1 + roll(9)))
            }
        }
        return bytes
    }

    /// An answer of something else than a gRPC service.
    private mutating func nonGRPC() -> [[UInt8]] {
        let fields = [
            (":status", pick(["200", "302", "403", "404", "502", "599", "999", "000", "-403"])),
            ("content-type", pick(["text/html", "text/html; charset=x", "application/json", ""])),
            ("content-length", pick(["0", "5", "-1", "99999999999999999999"])),
        ]
        let count = roll(fields.count) + 1
        let body = pick([
            "<html><title>x</title>", #"{"error":{"message":"x"}}"#, "", String(repeating: "x", count: 9000),
        ])
        return [
            Frame.headers(Array(fields.prefix(count)), stream: stream),
            Frame.data(body, end: roll(3) != 0, stream: stream),
        ]
    }

    // MARK: Frames

    /// A frame that a service should not send there.
    private mutating func foreign() -> [UInt8] {
        let payload = (0..<roll(40)).map { _ in UInt8.random(in: 0...255, using: &random) }
        switch roll(9) {
        case 0: return Frame.settings([(UInt16(roll(8)), pick([0, 1, 65_535, 0x7FFF_FFFF, 0xFFFF_FFFF]))])
        case 1: return Frame.windowUpdate(by: pick([0, 1, 0x7FFF_FFFF]), stream: pick([0, stream]))
        case 2: return Frame.pushPromise(of: pick([2, 4, 3]), on: stream)
        case 3: return Frame.frame(6, flags: UInt8(roll(2)), stream: 0, pick([payload, [0, 0, 0, 0, 0, 0, 0, 0]]))
        case 4: return Frame.headers([(":status", "200")], end: true, stream: pick([0, 2, 101, stream]))
        case 5: return Frame.goAway(last: pick([0, 1, 0x7FFF_FFFF]))
        case 6: return Frame.frame(9, flags: 4, stream: stream, payload)
        default: return Frame.frame(UInt8(roll(16)), flags: UInt8(roll(256)), stream: pick([0, stream]), payload)
        }
    }
}
