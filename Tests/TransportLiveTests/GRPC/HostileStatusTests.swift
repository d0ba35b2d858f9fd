import Failures
import Foundation
import GRPCMessages
import NIOCore
import Testing
import TransportLive
import TripFeed
import TripModel
import TripTestSupport

/// Values of an answer on which the gRPC library traps or does not end.
@Suite("Hostile gRPC answers", .ends(within: .longTest))
struct HostileStatusTests {
    private static let ok = [(":status", "200"), ("content-type", "application/grpc")]
    private static let end = Frame.headers([("grpc-status", "0")], end: true)
    /// The name `providers/p/trips/t` as field 1.
    private static let trip = Array("\u{0A}\u{13}providers/p/trips/t".utf8)
    private static let gzip: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 227, 18, 46, 40, 202, 47, 203, 76, 73, 45, 42, 214, 47, 208, 47, 41, 202, 44,
        40, 214, 47, 1, 0, 191, 134, 95, 131, 21, 0, 0, 0,
    ]
    private static let zlib: [UInt8] = [
        120, 156, 227, 18, 46, 40, 202, 47, 203, 76, 73, 45, 42, 214, 47, 208, 47, 41, 202, 44, 40, 214, 47, 1, 0, 79,
        141, 7, 159,
    ]

    /// The answer to a call by a server that sends these frames for the first stream.
    private static func answer(_ frames: [UInt8]...) async throws -> Result<FleetAnswer, Failure> {
        let reply = frames.flatMap { $0 }
        let server = CannedServer.Behaviour.converseInBytes { request in
            let begins = request.starts(with: Array("PRI * HTTP/2.0".utf8))
            // HEADERS with END_HEADERS of stream 1, after their length.
            let calls = request.indices.contains { request[$0...].starts(with: [1, 4, 0, 0, 0, 1]) }
            return ((begins ? Frame.settings() : []) + (calls ? reply : []), false)
        }
        return try await CannedServer.run(server) { server in
            try await ScriptedService.client(of: "http://127.0.0.1:\(server.port)") { await $0.getTrip() }
        }
    }

    private static func compressed(
        _ encoding: String,
        _ message: [UInt8]
    ) async throws
        -> Result<FleetAnswer, Failure>
    {
        try await answer(Frame.headers(ok + [("grpc-encoding", encoding)]), Frame.data(message), end)
    }

    @Test(arguments: [
        ("You have used 100%", "You have used 100%"), ("é%", "é%"), ("%", "%"), ("100 percent is 100%2", nil),
        ("aaaaaaaaaaaaaaaaaaaaaaaaaa%%", nil), ("100%25 used", "100% used"), ("%zz%20%", "%zz %"),
        ("%E2%82%AC", "€"), ("%e2%82%ac", "€"), ("", ""), ("%FF", "\u{FFFD}"), ("%25%", "%%"),
    ])
    func `the text of a refusal arrives however it is encoded`(sent: String, expected: String?) async throws {
        for begin in [[], Frame.headers(Self.ok)] {
            let status = [("grpc-status", "8"), ("grpc-message", sent)]
            let answer = try await Self.answer(
                begin,
                Frame.headers((begin.isEmpty ? Self.ok : []) + status, end: true)
            )
            guard case .failure(let failure) = answer.outcome, let error = failure.answer else {
                Issue.record("\(answer)")
                return
            }
            #expect(error.grpcStatus == .resourceExhausted && error.message ?? "" == expected ?? sent)
        }
    }

    @Test(arguments: ["-5", "-9223372036854775808", "99999", "18446744073709551616", "", "20", "2x0", "012", "+200"])
    func `an answer whose HTTP status is not one is malformed`(status: String) async throws {
        for rest in [[], [("grpc-status", "0")]] {
            let headers = [(":status", status), ("content-type", "application/grpc")] + rest
            let answer = try await Self.answer(Frame.headers(headers, end: true))
            let shown = status.isEmpty ? "(empty)" : "\(status.prefix(12))"
            #expect(answer.failure == .malformed(reason: "status \(shown)"))
        }
    }

    @Test func `a compressed message is decompressed`() async throws {
        for (encoding, message) in [("gzip", Self.gzip), ("deflate", Self.zlib)] {
            let answer = try await Self.compressed(encoding, Frame.message(message, flag: 1))
            #expect(try answer.outcome.get().id == .trip(ScriptedService.tripID))
            let headers = try answer.get().response.headers
            #expect(headers.map(\.name) == ["content-type", "grpc-encoding"])
            #expect(headers.first { $0.name == "grpc-encoding" }?.value == encoding)
        }
        let plain = try await Self.compressed("gzip", Frame.message(Self.trip))
        #expect(try plain.outcome.get().id == .trip(ScriptedService.tripID))
    }

    @Test func `a compressed message that is cut off or damaged is malformed`() async throws {
        let expected = Failure.malformed(reason: "the message can't be unpacked")
        var damaged = Self.gzip
        damaged[35] ^= 1
        let messages: [(String, [UInt8])] = [
            ("gzip", Array(Self.gzip.dropLast(20))), ("gzip", Array(Self.gzip.dropLast(1))), ("gzip", []),
            ("gzip", damaged), ("deflate", Array(Self.zlib.dropLast(9))), ("deflate", Self.gzip),
            ("identity", Self.gzip),
        ]
        for (encoding, message) in messages {
            let answer = try await Self.compressed(encoding, Frame.message(message, flag: 1))
            #expect(answer.failure == expected, "\(encoding) \(message.count)")
        }
        let unannounced = try await Self.answer(
            Frame.headers(Self.ok),
            Frame.data(Frame.message(Self.gzip, flag: 1)),
            Self.end
        )
        #expect(unannounced.failure == expected)
    }

    @Test func `details without padding arrive`() async throws {
        // google.rpc.Status with code 8, the message "m" and RetryInfo of 3 s.
        var status: [UInt8] = [8, 8, 18, 1, 109]
        let type = Array("type.googleapis.com/google.rpc.RetryInfo".utf8)
        let any = [0x0A, UInt8(type.count)] + type + [0x12, 4, 0x0A, 2, 8, 3]
        status += [0x1A, UInt8(any.count)] + any
        let base64 = Data(status).base64EncodedString()
        for text in [base64, base64.filter { $0 != "=" }] {
            let trailers = Self.ok + [("grpc-status", "8"), ("grpc-status-details-bin", text)]
            let answer = try await Self.answer(Frame.headers(trailers, end: true))
            guard case .failure(let failure) = answer.outcome, let error = failure.answer else {
                Issue.record("\(answer)")
                return
            }
            #expect(failure.retryAfter == .seconds(3) && error.message == "m")
        }
        #expect(base64.hasSuffix("="))
    }

    // MARK: Messages

    @Test func `messages are complete however they are cut into frames`() throws {
        let bytes = Frame.message(Self.trip) + Frame.message(Self.gzip, flag: 1) + Frame.message([])
        let expected = Frame.message(Self.trip) + Frame.message(Self.trip) + Frame.message([])
        for size in 1...bytes.count {
            var unpacker = MessageUnpacker(limit: 100)
            unpacker.encoding = "gzip"
            var result: [UInt8] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                let part = bytes[start..<min(start + size, bytes.count)]
                result += Array(try unpacker.append(ByteBuffer(bytes: part)).readableBytesView)
            }
            #expect(result == expected)
        }
    }

    @Test func `the messages of a call have a limit together, before and after decompression`() throws {
        // zlib's form of 60 zeros.
        let zeros: [UInt8] = [120, 156, 99, 96, 32, 31, 0, 0, 0, 60, 0, 1]
        let messages = [
            Frame.message(Self.trip) + Frame.message(Self.trip), Frame.message(zeros, flag: 1),
            Frame.message([], length: 42), Frame.message([], length: 4_294_967_295),
            Frame.message([UInt8](repeating: 0, count: 42)),
        ]
        for message in messages {
            var unpacker = MessageUnpacker(limit: 41)
            unpacker.encoding = "deflate"
            #expect(throws: MessageUnpacker.Problem.tooLarge) { try unpacker.append(ByteBuffer(bytes: message)) }
        }
        var unpacker = MessageUnpacker(limit: 60)
        unpacker.encoding = "deflate"
        let whole = try unpacker.append(ByteBuffer(bytes: Frame.message(zeros, flag: 1)))
        #expect(whole.readableBytes == 65)
    }
}
