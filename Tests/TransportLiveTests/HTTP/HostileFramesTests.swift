import Failures
import Runtime
import Testing
import TransportLive
import TripModel
import TripTestSupport

/// The same as ``HostileAnswerTests`` for HTTP/2.
@Suite("Hostile HTTP/2 answers", .ends(within: .longTest))
struct HostileFramesTests {
    private static let ok = [(":status", "200")]

    /// The outcome of a request that is answered with these frames.
    private func outcome(_ frames: [UInt8]..., timeout: Duration = .testTimeout) async throws -> Asking.Outcome {
        try await outcome(all: frames.flatMap { $0 }, timeout: timeout)
    }

    private func outcome(all bytes: [UInt8], timeout: Duration = .testTimeout) async throws -> Asking.Outcome {
        try await SecureServer.run(offering: ["h2"], speech: .frames(bytes)) { server in
            try await withLiveHTTPTransport(trusting: [server.certificate]) { transport in
                await Asking.outcome("https://localhost:\(server.port)/", through: transport, timeout: timeout)
            }
        }
    }

    @Test func `accepts an answer of valid frames`() async throws {
        let answer = try await outcome(Frame.headers(Self.ok), Frame.data("{}", end: true))
        #expect(try answer.get().body == Array("{}".utf8))
        let early = Frame.headers([(":status", "103"), ("content-encoding", "gzip")])
        #expect(try await outcome(early, early, Frame.headers(Self.ok, end: true)).status == 200)
        let trailers = Frame.headers([("x", "y")], end: true)
        #expect(try await outcome(Frame.headers(Self.ok), Frame.data("{}"), trailers).status == 200)
    }

    @Test(arguments: [
        "000", "099", "", "2", "20", "2000", "12345", "100000", "-5", "-99", "+20", "2x0", "-200",
        "9999999999999999999",
        "99999999999999999999", "２００",
    ])
    func `refuses a status that is not three digits from 100`(status: String) async throws {
        let answers = [
            Frame.headers([(":status", status)], end: true),
            Frame.headers([(":status", status)]) + Frame.data("{}", end: true),
            Frame.headers([(":status", status)]) + Frame.headers(Self.ok, end: true),
        ]
        for answer in answers {
            let outcome = try await outcome(all: answer)
            #expect(outcome.failure?.code == .malformed, "\(status): \(outcome)")
        }
    }

    @Test func `refuses an upgrade in HTTP/2`() async throws {
        for rest in [[], Frame.headers(Self.ok, end: true), Frame.data("{}", end: true)] {
            let answer = try await outcome(Frame.headers([(":status", "101")]), rest)
            #expect(answer.failure == .malformed(reason: "status 101 in HTTP/2"))
        }
    }

    @Test func `ends the connection when the server opens streams`() async throws {
        let promised = Frame.headers(Self.ok, end: true, stream: 2)
        let answer = Frame.headers(Self.ok, end: true)
        for frames in [
            Frame.pushPromise(of: 2) + answer, Frame.pushPromise(of: 2) + promised + answer,
            Frame.pushPromise(of: 2) + Frame.pushPromise(of: 4) + promised + Frame.reset(stream: 4) + answer,
            Frame.pushPromise(of: 2) + Frame.reset(stream: 2) + answer,
            Frame.pushPromise(of: 2) + Frame.windowUpdate(by: 1, stream: 2) + Frame.data("x", end: true, stream: 2),
        ] {
            let outcome = try await outcome(all: frames)
            #expect(outcome.failure != nil)
        }
    }

    @Test func `accepts changes of the maximum number of streams after the answer`() async throws {
        let answer = Frame.headers(Self.ok, end: true)
        for numbers in [[1], [0], [50, 0, 1000], [0, 0xFFFF_FFFF]] {
            let changes = numbers.flatMap { Frame.settings([(3, $0)]) }
            #expect(try await outcome(answer, changes).status == 200)
            #expect(try await outcome(changes, answer).status == 200)
        }
    }

    @Test func `closes an idle connection after GOAWAY`() async throws {
        let answer = Frame.headers(Self.ok, end: true)
        for frames in [answer + Frame.goAway(last: 1), Frame.goAway(last: 1) + answer] {
            try await SecureServer.run(offering: ["h2"], speech: .frames(frames)) { server in
                try await withLiveHTTPTransport(trusting: [server.certificate]) { transport in
                    #expect(await Asking.outcome("https://localhost:\(server.port)/", through: transport).status == 200)
                    // The server itself never closes.
                    try await server.waitForClosed(1)
                }
            }
        }
    }

    @Test func `frames that break a rule are a response or an error`() async throws {
        let open = Frame.headers(Self.ok)
        let end = Frame.data("{}", end: true)
        let answers: [[UInt8]] = [
            Frame.data("{}", end: true), Frame.data("") + open + end, open + open + end,
            open + Frame.headers([("a", "b")]) + end,
            open + end + end, open + end + Frame.headers([("a", "b")], end: true),
            Frame.headers([("x", "y")], end: true),
            Frame.headers(Self.ok + Self.ok, end: true), Frame.headers(Self.ok + [(":path", "/")], end: true),
            Frame.headers([("x", "y")] + Self.ok, end: true), Frame.headers(Self.ok + [("X", "y")], end: true),
            Frame.headers([(":status", "103")], end: true), Frame.headers([("", "")], end: true),
            Frame.headers(Self.ok + [("content-length", "5")]) + end,
            Frame.headers(Self.ok + [("content-length", "-5")]) + end,
            Frame.headers(Self.ok + [("content-length", "99999999999999999999")]) + end,
            Frame.headers(Self.ok + [("content-length", "9223372036854775807")]) + end,
            Frame.headers(Self.ok + [("content-encoding", "gzip")]) + Frame.data("") + Frame.data("") + end,
            Frame.headers(Self.ok + [("connection", "upgrade"), ("transfer-encoding", "chunked")]) + end,
            Frame.headers(Self.ok, end: true, stream: 3), Frame.headers(Self.ok, end: true, stream: 2),
            Frame.headers(Self.ok, end: true, stream: 0), Frame.data("x", stream: 0), Frame.data("x", stream: 5),
            Frame.reset(), Frame.reset(stream: 0), open + Frame.reset() + end, Frame.reset(stream: 7),
            Frame.goAway(last: 0), Frame.goAway(last: 1) + open + end, Frame.goAway(last: 0x7FFF_FFFF) + open + end,
            open + Frame.goAway(last: 0) + end, Frame.settings([(3, 0)]) + open + end,
            Frame.settings([(3, 0)]) + Frame.settings([(3, 0xFFFF_FFFF)]) + open + end,
            Frame.settings([(4, 0xFFFF_FFFF)]) + open + end, Frame.settings([(5, 0)]) + open + end,
            Frame.settings([(1, 0xFFFF_FFFF)]) + open + end,
            Frame.settings([(2, 1)]) + Frame.pushPromise(of: 2) + open + end,
            Frame.settings([(4, 0)]) + Frame.settings([(4, 0x7FFF_FFFF)]) + open + end,
            Frame.windowUpdate(by: 0) + open + end, Frame.windowUpdate(by: 0x7FFF_FFFF, stream: 0) + open + end,
            Frame.windowUpdate(by: 0x7FFF_FFFF) + Frame.windowUpdate(by: 0x7FFF_FFFF) + open + end,
            Frame.pushPromise(of: 1), Frame.pushPromise(of: 0), Frame.pushPromise(of: 3),
            Frame.pushPromise(of: 2, on: 0),
            Frame.frame(9, stream: 1, [0]), Frame.frame(1, flags: 0, [0x88]) + Frame.frame(9, flags: 0, [0]) + open,
            Frame.frame(1, flags: 0x4, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]),
            Frame.frame(1, flags: 0x4, [0x80]), Frame.frame(1, flags: 0x4, [0x3F, 0xFF, 0xFF, 0xFF, 0x0F]),
            Frame.frame(1, flags: 0xC, [0xFF, 0x88]), Frame.frame(1, flags: 0x24, [0, 0, 0, 1, 16, 0x88]),
            Frame.frame(0, flags: 0x8, [0xFF]), Frame.frame(6, stream: 0, [1]),
            Frame.frame(6, stream: 1, [0, 0, 0, 0, 0, 0, 0, 0]),
            Frame.frame(2, [0, 0, 0, 1, 1]), Frame.frame(10, [0, 5, 1]), Frame.frame(12, stream: 0, [0, 9]),
            Frame.frame(200, stream: 9, [1, 2, 3]), [0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1],
            Array("HTTP/1.1 400 X\r\n\r\n".utf8),
            (0..<20_000).flatMap { _ in Frame.frame(6, stream: 0, [1, 2, 3, 4, 5, 6, 7, 8]) } + open + end,
            (0..<20_000).flatMap { _ in Frame.settings() } + open + end,
            (0..<20_000).flatMap { _ in Frame.data("") } + open + end,
            open + (0..<20_000).flatMap { _ in Frame.data("") } + end,
            (0..<2000).flatMap { _ in Frame.headers([(":status", "103")]) } + open + end,
            Frame.frame(1, flags: 0, [0x88])
                + (0..<5000).flatMap { _ in Frame.frame(9, flags: 0, [0, 1, 0x61, 1, 0x61]) },
        ]
        for answer in answers {
            // Some leave the request without an answer forever.
            _ = try await outcome(all: answer, timeout: .milliseconds(300))
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `random frames are a response or an error`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let open = Frame.headers(Self.ok)
        let seeds = [
            open, Frame.headers(Self.ok, end: true), Frame.data("{}", end: true), Frame.data("x"), Frame.reset(),
            Frame.headers([(":status", "103")]), Frame.headers([("x", "y")], end: true), Frame.goAway(last: 1),
            Frame.pushPromise(of: 2), Frame.headers(Self.ok, end: true, stream: 2), Frame.settings([(3, 0)]),
            Frame.settings([(4, 0)]), Frame.windowUpdate(by: 1), Frame.reset(stream: 2),
            Frame.frame(4, flags: 1, stream: 0),
        ]
        for _ in 0..<60 {
            var bytes = (0..<Int.random(in: 1...6, using: &random)).flatMap { _ in
                seeds.randomElement(using: &random) ?? []
            }
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try await outcome(all: bytes, timeout: .milliseconds(100))
        }
    }
}
