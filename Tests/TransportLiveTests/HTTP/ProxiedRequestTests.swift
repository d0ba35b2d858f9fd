import Failures
import Testing
import TransportLive
import TripTestSupport

/// Requests through a real proxy.
@Suite("Requests through a proxy", .ends(within: .longTest))
struct ProxiedRequestTests {
    private static func settings(_ proxy: ForwardProxy) -> ConnectionSettings {
        ConnectionSettings(proxies: ProxySettings(environment: [:], option: proxy.url))
    }

    @Test func `a request over plain HTTP is sent to the proxy without a tunnel`() async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
        try await CannedServer.run(.send(answer)) { server in
            try await ForwardProxy.run { proxy in
                let outcome = try await withLiveHTTPTransport(Self.settings(proxy)) {
                    await Asking.outcome("http://127.0.0.1:\(server.port)/v1/trips?a=b%20c#d", through: $0)
                }
                #expect(try outcome.get().body == Array("ok".utf8))
                #expect(try outcome.get().exchange?.connection?.proxy == "127.0.0.1:\(proxy.port)")
                #expect(try outcome.get().exchange?.connection?.options?.curl() == ["--proxy", "'\(proxy.url)'"])
                #expect(proxy.requests == ["GET http://127.0.0.1:\(server.port)/v1/trips?a=b%20c HTTP/1.1"])
            }
        }
    }

    @Test func `a request over TLS goes through a tunnel, with the certificate checked for the host`() async throws {
        let identity = try TestIdentity.p256(names: ["fleet.example"], commonName: "fleet.example")
        try await SecureServer.run(offering: ["h2"], identity: identity) { server in
            try await ForwardProxy.run(to: server.port) { proxy in
                var settings = Self.settings(proxy)
                settings.roots = TrustedRoots(server.certificate, path: "ca.pem", source: "--ca")
                let (known, other) = try await withLiveHTTPTransport(settings) {
                    (
                        await Asking.outcome("https://fleet.example/", through: $0),
                        await Asking.outcome("https://other.example:8443/", through: $0)
                    )
                }
                #expect(known.failure == nil)
                #expect(other.failure == .tls(reason: "the certificate is for another host (fleet.example)"))
                #expect(
                    proxy.requests == [
                        "CONNECT fleet.example:443 HTTP/1.1", "CONNECT other.example:8443 HTTP/1.1",
                        "CONNECT other.example:8443 HTTP/1.1",
                    ]
                )
            }
        }
    }

    @Test(arguments: [
        (403, "does not open a connection to the host (HTTP 403)", FailureCode.proxyFailed),
        (407, "requires a login (HTTP 407): use http://USER:PASSWORD@host:port", .unusableProxy),
        (502, "does not open a connection to the host (HTTP 502)", .proxyFailed),
    ])
    func `the answer of a proxy that opens no tunnel is evidence`(
        status: Int,
        reason: String,
        code: FailureCode
    ) async throws {
        let page = "<html><title>Blocked</title>by policy 12" + String(repeating: " and more", count: 600) + "</html>"
        let head = "HTTP/1.1 \(status) No\r\nContent-Type: text/html\r\nProxy-Authenticate: Basic realm=\"office\"\r\n"
        try await CannedServer.run(.send(head + "Content-Length: \(page.utf8.count)\r\n\r\n\(page)")) { server in
            let proxies = ProxySettings(environment: ["https_proxy": "http://127.0.0.1:\(server.port)"])
            let outcome = try await withLiveHTTPTransport(ConnectionSettings(proxies: proxies)) {
                await Asking.outcome("https://fleet.example/", through: $0)
            }
            let failure = try #require(outcome.failure)
            #expect(failure.code == code)
            #expect(failure.reason == "the proxy 127.0.0.1:\(server.port) in https_proxy \(reason)")
            let answer = try #require(failure.exchange?.answer)
            #expect(answer.status == status && answer.bytes == page.utf8.count)
            #expect(answer.header("proxy-authenticate") != nil)
            guard case .text(let text)? = answer.body?.content else {
                Issue.record("no text in \(answer)")
                return
            }
            #expect(text.contains("by policy 12") && text.utf8.count <= Exchange.Body.longestText)
        }
    }

    @Test func `the answer of a proxy that refuses and leaves the connection open is evidence`() async throws {
        let answer = "HTTP/1.1 403 No\r\nContent-Length: 10\r\n\r\nby policy."
        try await CannedServer.run(.converse { _ in answer }) { server in
            let proxies = ProxySettings(environment: [:], option: "http://127.0.0.1:\(server.port)")
            let outcome = try await withLiveHTTPTransport(ConnectionSettings(proxies: proxies)) {
                await Asking.outcome("https://fleet.example/", through: $0)
            }
            #expect(outcome.failure?.exchange?.answer?.body?.message == "by policy.")
        }
    }
}
