import Failures
import Runtime
import Testing
import TransportLive
import TripModel
import TripTestSupport

/// No answer of a server ends the process: each one here is a response or an error, and the next request works.
@Suite("Hostile HTTP/1 answers", .ends(within: .longTest))
struct HostileAnswerTests {
    private static let good = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

    /// The outcome of a request to a server that sends these parts.
    private func outcome(_ pieces: [[UInt8]]) async throws -> Asking.Outcome {
        try await CannedServer.run(.sendInParts(pieces)) { server in
            try await withLiveHTTPTransport { transport in
                await Asking.outcome("http://127.0.0.1:\(server.port)/", through: transport)
            }
        }
    }

    private func outcome(_ text: String) async throws -> Asking.Outcome { try await outcome([Array(text.utf8)]) }

    @Test(arguments: ["000", "001", "099"])
    func `refuses a status below 100`(status: String) async throws {
        for rest in ["\r\n\r\n", "\r\nContent-Length: 2\r\n\r\n{}", "\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"] {
            let answer = try await outcome("HTTP/1.1 \(status) X\(rest)")
            #expect(answer.failure == .malformed(reason: "status \(status)"), "\(rest.debugDescription)")
        }
    }

    @Test func `skips up to 100 informational answers`() async throws {
        let early = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nContent-Encoding: gzip\r\n\r\n"
        #expect(try await outcome(String(repeating: early, count: 100) + Self.good).status == 200)
        let flood = try await outcome(String(repeating: early, count: 101) + Self.good)
        #expect(flood.failure == .malformed(reason: "more than 100 informational answers"))
    }

    @Test func `ends a flood of informational answers at once`() async throws {
        let early = "HTTP/1.1 100 Continue\r\n\r\n"
        let flood = try await outcome(String(repeating: early, count: 50_000))
        #expect(flood.failure == .malformed(reason: "more than 100 informational answers"))
    }

    @Test func `an unrequested upgrade counts as an answer and ends the connection`() async throws {
        let upgrade = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\nabc"
        #expect(try await outcome(upgrade).status == 101)
        #expect(try await outcome("HTTP/1.1 101 X\r\n\r\n" + Self.good).status == 101)
    }

    /// Answers that each break a rule.
    ///
    /// Their outcome is up to the library, but none may end the process.
    static let broken: [String] = [
        "", "\r\n\r\n", "\0", "HTTP", "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n",
        "HTTP/1.1 -20 OK\r\n\r\n", "HTTP/1.1 +20 OK\r\n\r\n", "HTTP/1.1 2x0 OK\r\n\r\n", "HTTP/1.1 999 X\r\n\r\n",
        "HTTP/0.9 200 OK\r\n\r\n", "HTTP/2.0 200 OK\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n", "HTTP/1.2 200 OK\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "ICY 200 OK\r\n\r\n", "RTSP/1.0 200 OK\r\n\r\n",
        "HTTP/1.1 100 C\r\n\r\n", "HTTP/1.1 100 C\r\nContent-Length: 5\r\n\r\nhello" + good,
        "HTTP/1.1 100 C\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n" + good,
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551615\r\n\r\nx",
        "HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551616\r\n\r\nx",
        "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nx",
        "HTTP/1.1 200 OK\r\nContent-Length: 0x10\r\n\r\nx", "HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\nx",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxy",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\nx",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\nx",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\nx",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;\(String(repeating: "a", count: 100_000))\r\nx\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX:\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n:v\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + String(repeating: "a: b\r\n", count: 10_000)
            + "\r\n",
        "HTTP/1.1 200 OK\r\nX\r\n\r\n", "HTTP/1.1 200 OK\r\n:\r\n\r\n", "HTTP/1.1 200 OK\r\n: v\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX:\r\n\r\n", "HTTP/1.1 200 OK\nX:\n\n", "HTTP/1.1 200 OK\r\n X: folded\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: a\r\n folded\r\n\r\n", "HTTP/1.1 200 OK\r\nX: \0\r\n\r\n", "HTTP/1.1 200 OK\rX: a\r\r",
        "HTTP/1.1 200 \r\n\r\n", "HTTP/1.1 200\r\n\r\n", "HTTP/1.1 200 \u{7F}\u{9B}\r\n\r\n",
        "HTTP/1.1 200 " + String(repeating: "a", count: 200_000) + "\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: " + String(repeating: "a", count: 200_000) + "\r\n\r\n",
        "HTTP/1.1 200 OK\r\n" + String(repeating: "a", count: 200_000) + ": x\r\n\r\n",
        "HTTP/1.1 200 OK\r\n" + String(repeating: "a: b\r\n", count: 50_000) + "\r\n",
        good + good, good + "trailing", good + "HTTP/1.1 099 X\r\n\r\n",
        "HTTP/1.1 204 N\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 304 N\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip, deflate\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nConnection: upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 407 P\r\n\r\n", "HTTP/1.1 426 U\r\nUpgrade: TLS/1.3\r\nConnection: upgrade\r\n\r\n",
    ]

    @Test func `an answer that breaks a rule is a response or an error`() async throws {
        for text in Self.broken {
            _ = try await outcome(text)
            // Short answers are sent byte by byte as well: each end of a part is then also the end of a read.
            if text.utf8.count < 200 { _ = try await outcome(text.utf8.map { [$0] }) }
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `randomly changed answers are responses or errors`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let seeds = (Self.broken + [Self.good]).filter { $0.utf8.count < 200 }.map { Array($0.utf8) }
        let parts = [
            "099", "100", "101", "200", "204", "\r\n", "\n", "\r\n\r\n", "\0", "Content-Length: ", "0", "1", "-", "F",
            "Transfer-Encoding: chunked\r\n", "Content-Encoding: gzip\r\n", "Connection: upgrade\r\nUpgrade: x\r\n",
            "HTTP/1.1 ", ":", " ", "\u{1F}\u{8B}\u{8}",
        ].map { Array($0.utf8) }
        for _ in 0..<250 {
            var bytes = seeds.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0...bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes.insert(contentsOf: parts.randomElement(using: &random) ?? [], at: place)
                case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                case 2 where place < bytes.count: bytes.remove(at: place)
                default: bytes += seeds.randomElement(using: &random) ?? []
                }
            }
            let cut = Int.random(in: 0...bytes.count, using: &random)
            _ = try await outcome([Array(bytes[..<cut]), Array(bytes[cut...])])
        }
    }

    @Test func `ends a small body that unpacks to more than the limit`() async throws {
        let bomb = GzipBomb.zeros(bytes: 64 << 20)
        #expect(bomb.count < 500_000)
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n"
        let answer = try await outcome([Array(head.utf8), bomb])
        #expect(answer.failure?.code == .tooLarge)
    }

    // MARK: Proxies

    private func throughProxy(_ text: String) async throws -> Asking.Outcome {
        try await CannedServer.run(.send(text)) { server in
            let settings = ProxySettings(environment: ["all_proxy": "http://127.0.0.1:\(server.port)"])
            return try await withLiveHTTPTransport(ConnectionSettings(proxies: settings)) { transport in
                _ = await Asking.outcome("http://fleet.example/", through: transport)
                return await Asking.outcome("https://fleet.example/", through: transport)
            }
        }
    }

    @Test func `reports an error when a proxy opens no tunnel`() async throws {
        let answers = [
            "HTTP/1.1 000 X\r\n\r\n", "HTTP/1.1 099 X\r\nContent-Length: 2\r\n\r\n{}", "HTTP/1.1 100 C\r\n\r\n",
            "HTTP/1.1 101 S\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nabc", "HTTP/1.1 101 S\r\n\r\n" + Self.good,
            "HTTP/1.1 407 P\r\n\r\n", "HTTP/1.1 502 B\r\nContent-Length: 3\r\n\r\nbad",
            "HTTP/1.1 502 B\r\n\r\n" + Self.good,
            "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 099 X\r\n\r\n", Self.good + Self.good, "SSH-2.0-x\r\n", "",
        ]
        for answer in answers {
            let outcome = try await throughProxy(answer)
            #expect(outcome.failure != nil, "\(answer.debugDescription)")
        }
    }

    @Test func `refuses a status below 100 behind a proxy`() async throws {
        let outcome = try await CannedServer.run(
            .converse { request in
                request.hasPrefix("CONNECT") ? "HTTP/1.1 200 OK\r\n\r\n" : "HTTP/1.1 099 X\r\n\r\n"
            }
        ) { server in
            let settings = ProxySettings(environment: ["all_proxy": "http://127.0.0.1:\(server.port)"])
            return try await withLiveHTTPTransport(ConnectionSettings(proxies: settings)) { transport in
                await Asking.outcome("http://fleet.example/", through: transport)
            }
        }
        #expect(outcome.failure == .malformed(reason: "status 099"))
    }
}
