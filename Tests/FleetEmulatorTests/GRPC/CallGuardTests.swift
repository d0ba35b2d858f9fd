import Failures
import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP2
import Synchronization
import Testing
import TripTestSupport

@testable import FleetEmulator

/// Calls that the gRPC port refuses before the library reads them.
@Suite("Refused calls", .ends(within: .quickTest))
struct CallGuardTests {
    private typealias Payload = HTTP2Frame.FramePayload

    /// A stream with the guard alone.
    private struct Stream {
        let channel: EmbeddedChannel
        let loop = EmbeddedEventLoop()
        /// The method of each refused call as it is reported, and the status over REST.
        let refused = Refused()

        final class Refused: Sendable {
            let all = Mutex<[String]>([])
        }

        init(_ change: (inout ListenerLimits) -> Void = { _ in }) {
            var limits = ListenerLimits()
            change(&limits)
            let policy = HostPolicy(listeningOn: "127.0.0.1", allowing: ["emulator.example"])
            channel = EmbeddedChannel(
                handler: CallGuard(policy, limits) { [refused] request, response in
                    refused.all.withLock { $0.append("\(request.remote?.method ?? "") \(response.status)") }
                },
                loop: loop
            )
        }

        func headers(_ extra: [(String, String)] = [], end: Bool = false, host: String? = "localhost:50051") throws {
            let fields = [(":method", "POST"), (":path", "/a/b")] + (host.map { [(":authority", $0)] } ?? []) + extra
            try channel.writeInbound(Payload.headers(.init(headers: HPACKHeaders(fields), endStream: end)))
        }

        func data(_ bytes: [UInt8], end: Bool = false) throws {
            try channel.writeInbound(Payload.data(.init(data: .byteBuffer(ByteBuffer(bytes: bytes)), endStream: end)))
        }

        /// The number of frames that the library gets.
        func passed() throws -> Int {
            var count = 0
            while try channel.readInbound(as: Payload.self) != nil { count += 1 }
            return count
        }

        /// The status that the client gets, and whether the rest of its request is cancelled.
        func refusal() throws -> (code: String?, text: String?, isReset: Bool) {
            guard case .headers(let frame)? = try channel.readOutbound(as: Payload.self), frame.endStream else {
                return (nil, nil, false)
            }
            let rest = try channel.readOutbound(as: Payload.self)
            var isReset = false
            if case .rstStream(.noError)? = rest { isReset = true }
            return (frame.headers.first(name: "grpc-status"), frame.headers.first(name: "grpc-message"), isReset)
        }
    }

    @Test(arguments: ["localhost:1", "127.0.0.1", "[::1]:7", "emulator.example:443"])
    func `a host of the emulator is accepted, as over REST`(host: String) throws {
        let stream = Stream()
        try stream.headers([("origin", "http://localhost:3000")], end: true, host: host)
        #expect(try stream.passed() == 1)
        #expect(try stream.refusal().code == nil)
    }

    private static let foreign: [(host: String?, headers: [(String, String)], code: String)] = [
        ("evil.example:50051", [], "7"), ("localhost", [("origin", "https://evil.example")], "7"),
        ("localhost", [("origin", "null")], "7"), ("localhost", [("host", "evil.example")], "3"), (nil, [], "3"),
        ("", [], "3"), (nil, [("host", "evil.example")], "7"),
    ]

    @Test(arguments: foreign)
    func `a foreign host or origin is refused, as over REST`(
        host: String?,
        headers: [(String, String)],
        code: String
    ) throws {
        for end in [true, false] {
            let stream = Stream()
            try stream.headers(headers, end: end, host: host)
            try stream.data([0, 0, 0, 0, 0], end: true)
            #expect(try stream.passed() == 0)
            #expect(stream.refused.all.withLock({ $0 }) == ["a/b \(code == "7" ? 403 : 400)"])
            let refusal = try stream.refusal()
            #expect(refusal.code == code && refusal.isReset == !end)
        }
    }

    @Test(arguments: ["-1S", "+1S", "1", "S", "", "123456789S", "1s", "1é", "1 S"])
    func `a malformed timeout is INTERNAL, as of other gRPC servers`(timeout: String) throws {
        let stream = Stream()
        try stream.headers([("grpc-timeout", "1S"), ("grpc-timeout", timeout)], end: true)
        #expect(try stream.passed() == 0)
        #expect(try stream.refusal().code == "13")
    }

    @Test(arguments: ["0n", "1H", "99999999M", "12345678u", "30S", "500m"])
    func `a timeout of the protocol's form is accepted`(timeout: String) throws {
        let stream = Stream()
        try stream.headers([("grpc-timeout", timeout)], end: true)
        #expect(try stream.passed() == 1)
    }

    @Test func `a message that is too large is RESOURCE_EXHAUSTED`() throws {
        for bytes in [Frame.message([UInt8](repeating: 0, count: 11)), Frame.message([], length: 4_000_000_000)] {
            for end in [true, false] {
                let stream = Stream { $0.largestBody = 10 }
                try stream.headers()
                try stream.data(bytes, end: end)
                #expect(try stream.passed() == 1)
                let refusal = try stream.refusal()
                #expect(refusal.code == "8" && refusal.isReset == !end)
                #expect(refusal.text == "The%20message%20is%20larger%20than%2010%20bytes.")
            }
        }
        let stream = Stream { $0.largestBody = 10 }
        try stream.headers()
        try stream.data(Frame.message([UInt8](repeating: 0, count: 10)), end: true)
        #expect(try stream.passed() == 2)
    }

    @Test(arguments: [
        (["gzip"], []), (["deflate"], []), (["identity"], ["identity"]), (["zstd"], ["zstd"]),
        (["gzip", "gzip"], ["gzip", "gzip"]), ([], []),
    ])
    func `the library does not get a compression that has been undone`(sent: [String], passed: [String]) throws {
        let stream = Stream()
        try stream.headers(sent.map { ("grpc-encoding", $0) })
        guard case .headers(let frame)? = try stream.channel.readInbound(as: Payload.self) else {
            Issue.record("no headers were passed on")
            return
        }
        #expect(frame.headers["grpc-encoding"] == passed && frame.headers.contains(name: ":path"))
    }

    @Test func `a compressed message that is cut off is INTERNAL`() throws {
        let stream = Stream()
        try stream.headers([("grpc-encoding", "gzip")])
        try stream.data(Frame.message([31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 227, 18], flag: 1), end: true)
        #expect(try stream.passed() == 1)
        #expect(try stream.refusal().code == "13")
    }

    @Test func `a message that does not arrive in time is DEADLINE_EXCEEDED`() throws {
        let stream = Stream { $0.bodyTime = .seconds(30) }
        try stream.headers()
        try stream.data([0, 0])
        stream.loop.advanceTime(by: .seconds(29))
        #expect(try stream.refusal().code == nil)
        stream.loop.advanceTime(by: .seconds(2))
        let refusal = try stream.refusal()
        #expect(refusal.code == "4" && refusal.isReset)
        let complete = Stream { $0.bodyTime = .seconds(30) }
        try complete.headers()
        try complete.data([0, 0, 0, 0, 0], end: true)
        complete.loop.advanceTime(by: .seconds(600))
        #expect(try complete.refusal().code == nil)
    }

    @Test func `the library's answer to a refused call is not sent`() throws {
        let stream = Stream()
        try stream.headers(host: "evil.example")
        _ = try stream.refusal()
        #expect(throws: ChannelError.outputClosed) {
            try stream.channel.writeOutbound(Payload.headers(.init(headers: [":status": "200"])))
        }
    }
}
