import Failures
import Testing
import TransportLive
import TripTestSupport

/// The server chooses the HTTP version inside TLS, and several polls share a connection.
@Suite("Live transport over TLS", .ends(within: .longTest))
struct SecureTransportTests {
    /// Sends one request and then several at once.
    ///
    /// Returns the HTTP versions that were used.
    private func versions(_ server: SecureServer, atOnce count: Int) async throws -> [String] {
        let url = "https://localhost:\(server.port)/v1/trip"
        return try await withLiveHTTPTransport(trusting: [server.certificate]) { transport in
            let ask = { @Sendable () async throws -> String in
                let request = HTTPTransportRequest(url: url, timeout: .testTimeout, maximumResponseBytes: 100)
                return String(decoding: try await transport.send(request).body, as: UTF8.self)
            }
            let first = try await ask()
            return try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<count { group.addTask { try await ask() } }
                return try await group.reduce(into: [first]) { $0.append($1) }
            }
        }
    }

    /// The same with a new server, and the number of its connections: the lowest of up to five runs.
    ///
    /// The client closes a connection after a minute without use, and a busy machine can be as slow as that.
    private func exchange(offering protocols: [String], atOnce count: Int) async throws -> ([String], connections: Int)
    {
        var result: ([String], connections: Int) = ([], .max)
        for _ in 0..<5 where result.connections > 1 {
            result = try await SecureServer.run(offering: protocols) { server in
                (try await versions(server, atOnce: count), server.connections)
            }
        }
        return result
    }

    @Test func `uses HTTP/2 if the server offers it, with all polls on one connection`() async throws {
        let (versions, connections) = try await exchange(offering: ["h2", "http/1.1"], atOnce: 20)
        #expect(versions == Array(repeating: "2.0", count: 21))
        #expect(connections == 1)
    }

    @Test func `uses HTTP/1.1 if the server offers nothing else, and retains the connection`() async throws {
        let (versions, connections) = try await exchange(offering: ["http/1.1"], atOnce: 1)
        #expect(versions == ["1.1", "1.1"])
        #expect(connections == 1)
    }

    @Test func `uses HTTP/1.1 if the server offers no protocol`() async throws {
        try await SecureServer.run(offering: []) { server in
            let versions = try await versions(server, atOnce: 0)
            #expect(versions == ["1.1"])
        }
    }

    @Test func `refuses an untrusted certificate with the reason`() async throws {
        let identity = try TestIdentity.p256(commonName: "Example TLS Inspection CA")
        try await SecureServer.run(offering: ["h2"], identity: identity) { server in
            let outcome = try await withLiveHTTPTransport {
                await Asking.outcome("https://localhost:\(server.port)/", through: $0)
            }
            #expect(
                outcome.failure
                    == .tls(reason: "the certificate is not trusted (issuer: Example TLS Inspection CA)")
            )
            let certificate = try #require(outcome.failure?.exchange?.connection?.certificate)
            #expect(certificate.issuer == "Example TLS Inspection CA")
            #expect(certificate.names == ["localhost"])
            #expect(server.requests == 0)
        }
    }

    @Test func `an untrusted certificate behind a proxy is read through a tunnel, without a request`() async throws {
        let identity = try TestIdentity.p256(names: ["fleet.example"], commonName: "Example Gateway CA")
        try await SecureServer.run(offering: ["http/1.1"], identity: identity) { server in
            try await ForwardProxy.run(to: server.port) { proxy in
                let proxies = ProxySettings(environment: [:], option: "http://u:p@127.0.0.1:\(proxy.port)")
                let outcome = try await withLiveHTTPTransport(ConnectionSettings(proxies: proxies)) {
                    await Asking.outcome("https://fleet.example/", through: $0)
                }
                #expect(outcome.failure?.exchange?.connection?.certificate?.issuer == "Example Gateway CA")
                #expect(proxy.requests == Array(repeating: "CONNECT fleet.example:443 HTTP/1.1", count: 2))
                #expect(server.requests == 0)
            }
        }
    }

    @Test func `a certificate without a common name of its issuer has the organization`() async throws {
        let identity = try TestIdentity.p256(organization: "Example Ltd")
        try await SecureServer.run(offering: ["h2"], identity: identity) { server in
            let outcome = try await withLiveHTTPTransport {
                await Asking.outcome("https://localhost:\(server.port)/", through: $0)
            }
            #expect(outcome.failure == .tls(reason: "the certificate is not trusted (issuer: Example Ltd)"))
        }
    }

    @Test func `the certificates of a file replace the system's`() async throws {
        try await SecureServer.run(offering: ["h2"]) { server in
            let url = "https://localhost:\(server.port)/"
            let own = try #require(TrustedRoots(server.certificate, path: "ca.pem", source: "--ca"))
            let trusted = try await withLiveHTTPTransport(ConnectionSettings(roots: own)) {
                await Asking.outcome(url, through: $0)
            }
            #expect(trusted.failure == nil)
            let other = try #require(TrustedRoots(try TestIdentity.p256().certificate, path: "ca.pem", source: "--ca"))
            let refused = try await withLiveHTTPTransport(ConnectionSettings(roots: other)) {
                await Asking.outcome(url, through: $0)
            }
            #expect(refused.failure == .tls(reason: "the certificate is not trusted (issuer: localhost)"))
        }
    }

    @Test(arguments: ["", "no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func `a text without valid certificates is refused`(text: String) {
        #expect(TrustedRoots(text, path: "ca.pem", source: "--ca") == nil)
    }
}
