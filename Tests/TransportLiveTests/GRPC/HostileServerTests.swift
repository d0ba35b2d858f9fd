import Failures
import Runtime
import Synchronization
import Testing
import TransportLive
import TripFeed
import TripModel
import TripTestSupport

/// Servers that break the rules of gRPC, or are none.
@Suite("Hostile gRPC servers", .ends(within: .longTest))
struct HostileServerTests {
    /// A HEADERS frame with the flag END_HEADERS of a client's stream begins with these bytes after its length.
    private static func opens(_ stream: UInt8, _ text: String) -> Bool {
        text.utf8.contains(sequence: [1, 4, 0, 0, 0, stream])
    }

    private static let ok = [(":status", "200"), ("content-type", "application/grpc")]
    private static let end = Frame.headers([("grpc-status", "0")], end: true)

    /// The answer to a call by a server that sends these frames for the first stream.
    private func answer(
        _ frames: [UInt8]...,
        deadline: Duration = .testTimeout
    ) async throws -> Result<FleetAnswer, Failure> {
        let reply = String(decoding: frames.flatMap { $0 }, as: UTF8.self)
        let settings = String(decoding: Frame.settings(), as: UTF8.self)
        let server = CannedServer.Behaviour.converse { request in
            (request.hasPrefix("PRI * HTTP/2.0") ? settings : "") + (Self.opens(1, request) ? reply : "")
        }
        return try await CannedServer.run(server) { server in
            try await ScriptedService.client(of: "http://127.0.0.1:\(server.port)", deadline: deadline) {
                await $0.getTrip()
            }
        }
    }

    /// A message of these bytes with its prefix.
    private static func message(_ text: String, length: [UInt8]? = nil) -> [UInt8] {
        let prefix = [0] + (length ?? [0, 0, 0, UInt8(text.utf8.count)])
        return Frame.data(String(decoding: prefix, as: UTF8.self) + text)
    }

    /// The name `providers/p/trips/t` as field 1.
    private static let trip = "\u{0A}\u{13}providers/p/trips/t"

    @Test func `an answer of valid frames is accepted`() async throws {
        let answer = try await answer(Frame.headers(Self.ok), Self.message(Self.trip), Self.end)
        #expect(try answer.outcome.get().id == .trip(ScriptedService.tripID))
    }

    @Test func `a web page of a proxy is recognized`() async throws {
        let page = Frame.headers([(":status", "403"), ("content-type", "text/html; charset=utf-8")])
        let answer = try await answer(page, Frame.data("<html>", end: true))
        #expect(answer.outcome == .failure(.webPage(httpStatus: 403, title: nil)))
        #expect(try answer.get().remote == nil)
        let login = try await self.answer(
            Frame.headers([(":status", "200"), ("content-type", "text/html")]),
            Frame.data("<html>", end: true)
        )
        #expect(login.outcome == .failure(.webPage(httpStatus: 200, title: nil)))
    }

    @Test func `an HTTP error without a gRPC status is that HTTP error`() async throws {
        let answer = try await answer(Frame.headers([(":status", "503"), ("content-type", "text/plain")], end: true))
        #expect(answer.outcome == .failure(.service(ServiceAnswer(httpStatus: 503), retryAfter: nil)))
        let redirect = try await self.answer(Frame.headers([(":status", "302"), ("location", "https://x")], end: true))
        #expect(redirect.outcome == .failure(.redirected(httpStatus: 302)))
    }

    @Test func `the body of an HTTP error says what happened, as over REST`() async throws {
        let json = #"{"error":{"code":403,"message":"The API is disabled.","status":"PERMISSION_DENIED"}}"#
        let begin = Frame.headers([(":status", "403"), ("content-type", "application/json")])
        let refusal = try await answer(
            begin,
            Frame.data(String(json.prefix(30))),
            Frame.data(String(json.dropFirst(30)), end: true)
        )
        var expected = ServiceAnswer(httpStatus: 403, status: "PERMISSION_DENIED", message: "The API is disabled.")
        #expect(refusal.outcome == .failure(.service(expected, retryAfter: nil)))
        let gateway = Frame.headers([(":status", "503"), ("content-type", "text/plain"), ("retry-after", "7")])
        // The end of the stream as trailers, by a reset, and none after a long text or after nothing else.
        let part = Frame.data(String(repeating: "x", count: 16_384))
        let ends = [Frame.headers([("x", "y")], end: true), Frame.reset(2), part + part, []]
        for end in ends {
            let answer = try await self.answer(gateway, Frame.data("no healthy upstream\n"), end)
            expected = ServiceAnswer(httpStatus: 503, message: "no healthy upstream")
            #expect(answer.outcome == .failure(.service(expected, retryAfter: .seconds(7))))
        }
        // With fewer bytes than announced, the library ends the stream with an error.
        let short = Frame.headers([(":status", "503"), ("content-type", "text/plain"), ("content-length", "99")])
        #expect(try await answer(short, Frame.data("short", end: true)).failure == nil)
        let many = (0..<250).map { ("x-\($0)", "y") }
        let crowded = try await answer(Frame.headers([(":status", "503")] + many), Frame.data("full", end: true))
        expected = ServiceAnswer(httpStatus: 503, message: "full")
        #expect(crowded.outcome == .failure(.service(expected, retryAfter: nil)))
        let login = try await answer(
            Frame.headers([(":status", "200"), ("content-type", "text/html")]),
            Frame.data("<html><title>Sign in</title>", end: true)
        )
        #expect(login.outcome == .failure(.webPage(httpStatus: 200, title: "Sign in")))
    }

    @Test func `the connection may end within the body of an HTTP error`() async throws {
        let begin = Frame.headers([(":status", "502"), ("content-type", "text/plain")])
        let answer = try await answer(begin, Frame.data("gone"), Frame.goAway(last: 0))
        let expected = ServiceAnswer(httpStatus: 502, message: "gone")
        #expect(answer.outcome == .failure(.service(expected, retryAfter: nil)))
    }

    @Test func `only gRPC's NOT_FOUND is a missing trip`() async throws {
        let json = #"{"error":{"code":404,"message":"Method not found.","status":"NOT_FOUND"}}"#
        let begin = Frame.headers([(":status", "404"), ("content-type", "application/json")])
        guard case .failure(let failure) = try await answer(begin, Frame.data(json, end: true)).outcome,
            let error = failure.answer
        else {
            Issue.record("it is not an error of the service")
            return
        }
        #expect(error.isForeign && error.message == "Method not found.")
    }

    @Test func `skips an informational response before the answer`() async throws {
        let hint = Frame.headers([(":status", "103"), ("link", "</x>")])
        let answer = try await answer(hint, Frame.headers(Self.ok), Self.message(Self.trip), Self.end)
        #expect(try answer.outcome.get().id == .trip(ScriptedService.tripID))
    }

    @Test func `the error of a stream that is reset is named`() async throws {
        for begin in [[], Frame.headers(Self.ok)] {
            let answer = try await answer(begin, Frame.reset(11))
            #expect(
                answer.failure
                    == .other(reason: "the service ended the call with the HTTP/2 error ENHANCE_YOUR_CALM")
            )
        }
    }

    @Test func `a stream that is cancelled is a lost connection, after its beginning a cut-off answer`() async throws {
        #expect(try await answer(Frame.reset()).failure == .connectionLost)
        #expect(try await answer(Frame.headers(Self.ok), Frame.reset()).failure == .cutOff)
    }

    @Test func `a message above the limit is refused before it arrives`() async throws {
        let answer = try await answer(Frame.headers(Self.ok), Self.message("x", length: [0x7F, 0, 0, 0]))
        #expect(answer.failure == .tooLarge(limit: 4 << 20))
    }

    @Test func `answers that are not gRPC are refused`() async throws {
        let answers = [
            // No status, no content type, data without headers.
            Frame.headers(Self.ok) + Self.message(Self.trip) + Frame.headers([("x", "y")], end: true),
            Frame.headers([(":status", "200")]) + Self.end,
            Frame.headers(Self.ok) + Frame.data("", end: true),
        ]
        for frames in answers {
            let answer = try await answer(frames)
            #expect(answer.failure?.code == .other, "\(answer)")
        }
    }

    @Test func `an answer whose message can't be read is unreadable, as over REST`() async throws {
        let answers = [
            // A field that is longer than its message, no message, two messages.
            Frame.headers(Self.ok) + Self.message("\u{0A}\u{7F}") + Self.end,
            Frame.headers(Self.ok) + Self.end,
            Frame.headers(Self.ok) + Self.message(Self.trip) + Self.message(Self.trip) + Self.end,
        ]
        for frames in answers {
            let answer = try await answer(frames)
            #expect(answer.failure == nil)
            guard case .failure(let failure) = answer.outcome, failure.code == .unreadable else {
                Issue.record("\(answer)")
                continue
            }
            #expect(try answer.get().remote?.status == .ok)
        }
    }

    @Test func `an unknown status number counts as UNKNOWN`() async throws {
        let answer = try await answer(
            Frame.headers(Self.ok + [("grpc-status", "99"), ("grpc-message", "odd")], end: true)
        )
        guard case .failure(let failure) = answer.outcome, let error = failure.answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(error.grpcStatus == .unknown && error.status == "UNKNOWN" && error.message == "odd")
    }

    @Test func `marks of the program can't be sent by a server`() async throws {
        let forged = [
            ("tripshare-received-status", "0"), ("tripshare-too-long", "1"), ("tripshare-reset", "INTERNAL_ERROR"),
            ("tripshare-http-status", "503"), ("tripshare-body-bin", "eA=="), ("tripshare-malformed", "x"),
            ("tripshare-message-bin", "eA=="),
        ]
        for header in forged {
            let answer = try await answer(Frame.headers(Self.ok + [header]), Self.message(Self.trip), Frame.reset())
            #expect(answer.failure == .cutOff, "\(header)")
        }
    }

    @Test func `a server of HTTP/1.1 is not gRPC`() async throws {
        let text = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n"
        let answer = try await CannedServer.run(.send(text)) { server in
            try await ScriptedService.client(of: "http://127.0.0.1:\(server.port)") { await $0.getTrip() }
        }
        #expect(answer.failure?.code == .malformed, "\(answer)")
    }

    @Test func `a server that closes each connection loses it, one that is silent times out`() async throws {
        let lost = try await CannedServer.run(.hangUp) { server in
            try await ScriptedService.client(of: "http://127.0.0.1:\(server.port)") { await $0.getTrip() }
        }
        #expect(lost.failure == .connectionLost)
        let silent = try await CannedServer.run(.silence) { server in
            try await ScriptedService.client(of: "http://127.0.0.1:\(server.port)", deadline: .milliseconds(300)) {
                await $0.getTrip()
            }
        }
        #expect(silent.failure == .timedOut)
    }

    @Test func `calls share a connection, and one that ends is replaced`() async throws {
        // The service ends the connection with the answer to the second call; the third may already be on its way.
        let result = try await calls(3) { _, stream in
            Self.answer(stream) + (stream == 3 ? Frame.goAway(last: 3) : [])
        }
        #expect(result.failures == [nil, nil, nil])
        // The library may open one by itself, too.
        #expect((2...3).contains(result.connections))
    }

    @Test func `a call on a connection that ends at that moment is sent again`() async throws {
        let result = try await calls(2) { _, stream in
            stream == 1 ? Self.answer(1) : Frame.goAway(last: 1)
        }
        #expect(result.failures == [nil, nil])
        #expect(result.received == 3)
    }

    @Test(arguments: [1, 2])
    func `a call that fails on a connection that does not end is not sent again`(_ count: Int) async throws {
        let result = try await calls(count) { number, stream in
            number < count ? Self.answer(stream) : Frame.reset(stream: UInt32(stream))
        }
        #expect(result.failures.last == .connectionLost)
        #expect(result.received == count)
    }

    @Test func `a call that fails on a second connection, too, has failed`() async throws {
        let result = try await calls(2) { number, stream in
            switch number {
            case 1: Self.answer(stream)
            case 2: Frame.goAway(last: 1)
            default: Frame.goAway(last: 0) + Frame.reset(stream: UInt32(stream))
            }
        }
        #expect(result.failures == [nil, .connectionLost])
        #expect(result.received == 3)
    }

    /// The frames of an answer with a trip.
    private static func answer(_ stream: UInt8) -> [UInt8] {
        let number = UInt32(stream)
        return Frame.headers(ok, stream: number)
            + Frame.data(String(decoding: [0, 0, 0, 0, 21], as: UTF8.self) + trip, stream: number)
            + Frame.headers([("grpc-status", "0")], end: true, stream: number)
    }

    /// Makes calls one after the other.
    ///
    /// - Parameters:
    ///   - count: The number of calls.
    ///   - answer: The frames with which the service answers, by the number of the call and of its stream.
    /// - Returns: Why the calls failed, `nil` for an answer; the number of connections, and of calls that the service received.
    /// - Throws: The error of the server's socket.
    private func calls(
        _ count: Int,
        answer: @escaping @Sendable (_ number: Int, _ stream: UInt8) -> [UInt8]
    ) async throws -> (failures: [Failure?], connections: Int, received: Int) {
        let connections = Mutex(0)
        let received = Mutex(0)
        let settings = String(decoding: Frame.settings(), as: UTF8.self)
        let server = CannedServer.Behaviour.converse { request in
            var reply = ""
            if request.hasPrefix("PRI * HTTP/2.0") {
                connections.withLock { $0 += 1 }
                reply = settings
            }
            for stream: UInt8 in [1, 3, 5] where Self.opens(stream, request) {
                let number = received.withLock {
                    $0 += 1
                    return $0
                }
                reply += String(decoding: answer(number, stream), as: UTF8.self)
            }
            return reply
        }
        let failures = try await CannedServer.run(server) { server in
            try await ScriptedService.client(of: "http://127.0.0.1:\(server.port)") { transport in
                var failures: [Failure?] = []
                for _ in 0..<count { failures.append(await transport.getTrip().failure) }
                return failures
            }
        }
        return (failures, connections.withLock { $0 }, received.withLock { $0 })
    }
}

extension Sequence<UInt8> {
    fileprivate func contains(sequence: [UInt8]) -> Bool {
        let all = Array(self)
        return all.indices.contains { all[$0...].starts(with: sequence) }
    }
}
