import Failures
import Runtime
import Testing
import TransportLive
import TripTestSupport

@Suite("Live transport", .ends(within: .longTest))
struct LiveTransportTests {
    private func send(
        _ url: String,
        timeout: Duration = .testTimeout,
        limit: Int = 1 << 20
    ) async throws -> Result<HTTPTransportResponse, Failure> {
        try await withLiveHTTPTransport { transport in
            do throws(Failure) {
                return .success(
                    try await transport.send(
                        HTTPTransportRequest(
                            url: url,
                            headers: [("authorization", "Bearer secret")],
                            timeout: timeout,
                            maximumResponseBytes: limit
                        )
                    )
                )
            } catch {
                return .failure(error)
            }
        }
    }

    private func answer(
        to behaviour: CannedServer.Behaviour,
        timeout: Duration = .testTimeout,
        limit: Int = 1 << 20
    ) async throws -> Result<HTTPTransportResponse, Failure> {
        try await CannedServer.run(behaviour) { server in
            try await send("http://127.0.0.1:\(server.port)/x", timeout: timeout, limit: limit)
        }
    }

    private func failure(_ result: Result<HTTPTransportResponse, Failure>) -> Failure? {
        guard case .failure(let error) = result else { return nil }
        return error
    }

    @Test func `returns status, headers and body`() async throws {
        let response = try await answer(
            to: .send("HTTP/1.1 418 Teapot\r\nContent-Length: 5\r\nX-Kind: pot\r\n\r\nhello")
        ).get()
        #expect(response.status == 418)
        #expect(response.header("x-kind") == "pot")
        #expect(response.body == Array("hello".utf8))
    }

    @Test func `requests compressed answers and unpacks them`() async throws {
        let packed: [UInt8] = [
            0x1f, 0x8b, 0x8, 0x0, 0x0, 0x0, 0x0, 0x0, 0x2, 0x3, 0xab, 0x56, 0x2a, 0x48, 0x4c, 0xce,
            0x4e, 0x4d, 0x51, 0xb2, 0x2a, 0x29, 0x2a, 0x4d, 0xad, 0x5, 0x0, 0x89, 0xe0, 0xb5, 0xdc,
            0xf, 0x0, 0x0, 0x0,
        ]
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n"
        let unpacked = try await answer(to: .sendBytes(Array(head.utf8) + packed)).get()
        #expect(String(decoding: unpacked.body, as: UTF8.self) == #"{"packed":true}"#)
        let asked = try await answer(
            to: .answer { request in
                let offer = request.lowercased().contains("accept-encoding: gzip") ? "yes" : "no"
                return "HTTP/1.1 200 OK\r\nContent-Length: \(offer.utf8.count)\r\n\r\n\(offer)"
            }
        ).get()
        #expect(String(decoding: asked.body, as: UTF8.self) == "yes")
    }

    @Test func `does not follow a redirect`() async throws {
        let response = try await answer(
            to: .send("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n")
        ).get()
        #expect(response.status == 302)
    }

    @Test func `reports a refused connection at once`() async throws {
        let result = try await RefusedPort.run { try await send("http://127.0.0.1:\($0)/") }
        #expect(failure(result) == .refused)
    }

    @Test func `reports an unknown host`() async throws {
        #expect(failure(try await send("http://no-such-host.invalid/")) == .unknownHost)
    }

    @Test func `reports a connection that was closed early`() async throws {
        #expect(failure(try await answer(to: .hangUp)) == .connectionLost)
        let cut = try await answer(to: .send("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"name\""))
        #expect(failure(cut) == .cutOff)
    }

    @Test func `times out without an answer`() async throws {
        #expect(failure(try await answer(to: .silence, timeout: .milliseconds(50))) == .timedOut)
    }

    @Test func `times out when a body does not end`() async throws {
        let begun = "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"
        #expect(failure(try await answer(to: .sendAndStayOpen(begun), timeout: .milliseconds(200))) == .timedOut)
    }

    @Test func `times out when a body arrives too slowly`() async throws {
        let begun = "HTTP/1.1 200 OK\r\nContent-Length: 500000000\r\n\r\n"
        #expect(failure(try await answer(to: .sendAndTrickle(begun), timeout: .milliseconds(200))) == .timedOut)
    }

    @Test func `a cancelled caller stops waiting`() async throws {
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let result = try await CannedServer.run(
            .answer { _ in
                arrival.yield()
                return ""
            }
        ) { server in
            let call = Task { try await send("http://127.0.0.1:\(server.port)/") }
            for await _ in arrivals { break }
            call.cancel()
            return try await call.value
        }
        #expect(failure(result) == .cancelled)
    }

    @Test func `a caller that is already cancelled sends nothing`() async throws {
        let result = try await withThrowingTaskGroup(
            of: Result<HTTPTransportResponse, Failure>.self
        ) { group in
            group.cancelAll()
            group.addTask { try await answer(to: .silence) }
            return try await group.next()
        }
        #expect(failure(try #require(result)) == .cancelled)
    }

    @Test func `joins the chunks of a body and counts all of them for the limit`() async throws {
        let piece = String(repeating: "x", count: 0x400)
        let chunks = String(repeating: "400\r\n\(piece)\r\n", count: 100) + "0\r\n\r\n"
        let said = CannedServer.Behaviour.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
        #expect(try await answer(to: said, limit: 102_400).get().body.count == 102_400)
        #expect(failure(try await answer(to: said, limit: 102_399)) == .tooLarge(limit: 102_399))
    }

    @Test func `reports a broken compression`() async throws {
        let broken = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello"
        #expect(failure(try await answer(to: .send(broken))) == .malformed(reason: "the body can't be unpacked"))
    }

    @Test func `twenty requests without an answer do not delay another one`() async throws {
        try await CannedServer.run(
            .answer { request in request.contains("/quick") ? "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}" : "" }
        ) { server in
            try await withLiveHTTPTransport { transport in
                let url = "http://127.0.0.1:\(server.port)"
                await withTaskGroup(of: Void.self) { group in
                    for index in 0..<20 {
                        group.addTask {
                            // Has no answer until it is cancelled.
                            _ = try? await transport.send(
                                HTTPTransportRequest(url: "\(url)/slow/\(index)", timeout: .testTimeout)
                            )
                        }
                    }
                    let quick = try? await transport.send(
                        HTTPTransportRequest(url: "\(url)/quick", timeout: .testTimeout)
                    )
                    #expect(quick?.status == 200)
                    group.cancelAll()
                }
            }
        }
    }

    @Test func `ends a body that is too large`() async throws {
        let body = String(repeating: "x", count: 5000)
        let result = try await answer(to: .send("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n\(body)"), limit: 1000)
        #expect(failure(result) == .tooLarge(limit: 1000))
    }

    @Test func `reports an answer that is not HTTP`() async throws {
        #expect(failure(try await answer(to: .send("SSH-2.0-OpenSSH_9.2\r\n\r\n")))?.code == .malformed)
    }

    // MARK: Evidence

    @Test func `describes what was sent and what came back`() async throws {
        let response = try await answer(
            to: .send("HTTP/1.1 503 Unavailable\r\nServer: envoy\r\nContent-Length: 23\r\n\r\nno healthy upstream: xx")
        ).get()
        let exchange = try #require(response.exchange)
        #expect(exchange.medium == .http && exchange.ending == .complete)
        #expect(exchange.request.line.hasPrefix("GET http://127.0.0.1:"))
        #expect(exchange.request.headerNames == ["authorization"])
        #expect(exchange.connection?.isEncrypted == false && exchange.connection?.httpVersion == "1.1")
        #expect(exchange.answer?.status == 503 && exchange.answer?.header("server") == "envoy")
        #expect(exchange.answer?.body?.message == "no healthy upstream: xx")
    }

    @Test func `a failure has the part of the answer that was received`() async throws {
        let result = try await answer(
            to: .send("HTTP/1.1 502 Bad Gateway\r\nServer: nginx\r\nContent-Length: 500\r\n\r\nbroken")
        )
        let exchange = try #require(failure(result)?.exchange)
        #expect(exchange.ending == .failed(.cutOff))
        #expect(exchange.answer?.status == 502 && exchange.answer?.bytes == 6)
        #expect(exchange.answer?.body?.content == .text("broken"))
    }

    @Test func `a refused connection has no answer`() async throws {
        try await RefusedPort.run { port in
            let exchange = try #require(failure(try await send("http://127.0.0.1:\(port)/x?key=abc"))?.exchange)
            #expect(exchange.answer == nil && exchange.ending == .failed(.refused))
            #expect(exchange.request.line == "GET http://127.0.0.1:\(port)/x?key")
        }
    }

    @Test func `reports a port without TLS`() async throws {
        let error = try await CannedServer.run(.send("HTTP/1.1 400 Bad Request\r\n\r\n")) { server in
            failure(try await send("https://127.0.0.1:\(server.port)/"))
        }
        #expect(error == .wrongPort(reason: "the server does not use TLS on this port"))
    }

    @Test(arguments: ["", "x", "ftp://a/", "http://", "http://a b/", "http://user@host/", "http://a:99999/"])
    func `refuses an invalid URL`(url: String) async throws {
        #expect(failure(try await send(url)) == .invalidURL)
    }

    @Test func `printing a request reveals neither its headers nor its query`() {
        let request = HTTPTransportRequest(
            url: "https://host/path?secret=1",
            headers: [("authorization", "Bearer secret")],
            timeout: .seconds(1)
        )
        var dumped = ""
        dump(request, to: &dumped)
        for text in ["\(request)", String(reflecting: request), dumped] { #expect(!text.contains("secret")) }
    }
}
