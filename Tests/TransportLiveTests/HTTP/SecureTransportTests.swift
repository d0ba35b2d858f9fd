import Failures
import Testing
import Transport
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

    @Test func `uses HTTP/1.1 if the server offers nothing else, and keeps the connection`() async throws {
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
        let error = try await SecureServer.run(offering: ["h2"]) { server in
            try await withLiveHTTPTransport { transport -> Failure? in
                do throws(Failure) {
                    _ = try await transport.send(
                        HTTPTransportRequest(url: "https://localhost:\(server.port)/", timeout: .testTimeout)
                    )
                    return nil
                } catch {
                    return error
                }
            }
        }
        #expect(error == .tls(reason: "the certificate is not trusted"))
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
            #expect(refused.failure == .tls(reason: "the certificate is not trusted"))
        }
    }

    @Test(arguments: ["", "no certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func `a text without valid certificates is refused`(text: String) {
        #expect(TrustedRoots(text, path: "ca.pem", source: "--ca") == nil)
    }
}
