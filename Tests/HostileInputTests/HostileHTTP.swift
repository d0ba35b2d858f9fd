import Failures
import Foundation
import TripModel

extension HostileAnswers {
    /// An answer as bytes on the wire, in parts, with an error in HTTP.
    mutating func wire(secret: String, at now: Date) -> RawServer.Script {
        let answer = answer(secret: secret, at: now)
        var body = answer.body.count <= 200_000 ? answer.body : Array(answer.body.prefix(200_000))
        var start = "HTTP/1.1 \(max(200, answer.status)) X"
        var headers = answer.headers.filter { !$0.value.isEmpty }.map { "\($0.name): \($0.value)" }
        var length: String? = "Content-Length: \(body.count)"
        var ending = RawServer.Ending.close
        switch roll(20) {
        case 0: start = pick(Self.starts)
        case 1: length = "Content-Length: \(pick(Self.lengths))"
        case 2: length = nil
        case 3:
            length = "Transfer-Encoding: chunked"
            body = chunked(body)
        case 4: length = "Transfer-Encoding: chunked\r\nContent-Length: \(roll(100))"
        case 5: headers += Array(repeating: "X: y", count: 1 << roll(12))
        case 6: headers.append("X: " + String(repeating: pick(["x", "é", ","]), count: 1 << roll(18)))
        case 7:
            headers.append(
                pick([": x", "X y", "X\u{0}: y", "X: \u{7}", " folded", "\t", "X :y", "é: é", "\u{1B}[31m: x"])
            )
        case 8: headers.append("Content-Encoding: \(pick(["gzip", "deflate", "br", "gzip, gzip", "x"]))")
        case 9:
            start =
                String(repeating: "HTTP/1.1 1\(pick(["00", "02", "03"])) Go on\r\n\r\n", count: 1 + roll(40)) + start
        case 10: ending = .reset
        case 11:
            length = "Content-Length: \(body.count + 1 + roll(1000))"
            ending = pick([.close, .close, .close, .reset, .reset, .stay])
        case 12: headers.append(pick(["Location: http://127.0.0.2:1/", "Set-Cookie: a=b", "Connection: upgrade"]))
        case 13: body += Array("HTTP/1.1 200 OK\r\n\r\n".utf8)
        default: break
        }
        if let length { headers.append(length) }
        var bytes = Array((start + "\r\n" + headers.map { $0 + "\r\n" }.joined() + "\r\n").utf8) + body
        if roll(10) == 0 { bytes = Array(bytes.prefix(roll(bytes.count))) }
        if roll(20) == 0, !bytes.isEmpty { bytes[roll(min(60, bytes.count))] = UInt8(roll(256)) }
        return RawServer.Script(pieces: pieces(of: bytes), ending: ending)
    }

    private mutating func pieces(of bytes: [UInt8]) -> [[UInt8]] {
        guard roll(5) == 0, bytes.count > 1 else { return [bytes] }
        let cut = 1 + roll(bytes.count - 1)
        return [Array(bytes[..<cut]), Array(bytes[cut...])]
    }

    private mutating func chunked(_ body: [UInt8]) -> [UInt8] {
        let size = pick([
            String(body.count, radix: 16), "0", "-1", "ffffffffffffffff", "fffffffffffffffff", "x", "",
            String(body.count, radix: 16) + ";ext=\"" + String(repeating: "y", count: 3000), "0x10", "1",
        ])
        return Array("\(size)\r\n".utf8) + body + Array(pick(["\r\n0\r\n\r\n", "\r\n0\r\nX: y\r\n\r\n", "0", ""]).utf8)
    }

    /// Invalid or unusual beginnings of answers.
    static let starts = [
        "HTTP/1.1 200", "HTTP/1.1  200  OK", "HTTP/9.9 200 OK", "HTTP/0.9 200 OK", "HTTP/1.1 99999 X", "HTTP/1.1 -1 X",
        "HTTP/1.1 1e2 X", "HTTP/1.1 099 X", "HTTP/1.1 000 X", "HTTP/1.1 012 X", "HTTP/1.1 600 X", "HTTP/1.1 999 X",
        "ICY 200 OK", "SSH-2.0-x", "HTTP/1.1 20 OK", "", "\u{0}",
        "HTTP/2 200", "http/1.1 200 OK", "HTTP/1.1 200 \u{1B}[2J", "HTTP/1.0 200 OK", "GET / HTTP/1.1",
        "HTTP/1.1 101 Switching Protocols",
    ]

    static let lengths = [
        "-1", "0", "1", "18446744073709551616", "9223372036854775807", "4194305", "x", "", "1, 1", "+5", "0x5", "5;",
        "١",
    ]
}
