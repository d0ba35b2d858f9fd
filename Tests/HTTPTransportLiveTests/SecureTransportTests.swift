import HTTPTransport
import HTTPTransportLive
import Testing
import TripTestSupport

/// What is spoken inside of TLS is the server's choice, and several polls share a connection.
@Suite("Live transport over TLS", .ends(within: .minutes(20)))
struct SecureTransportTests {
    /// Asks once, then so many times at once; the versions of HTTP that were spoken.
    private func versions(_ server: SecureServer, atOnce count: Int) async throws -> [String] {
        let url = "https://localhost:\(server.port)/v1/trip"
        return try await withLiveHTTPTransport(trusting: [server.certificate]) { transport in
            let ask = { @Sendable () async throws -> String in
                let request = HTTPTransportRequest(url: url, timeout: .patience, maximumResponseBytes: 100)
                return String(decoding: try await transport.send(request).body, as: UTF8.self)
            }
            let first = try await ask()
            return try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<count { group.addTask { try await ask() } }
                return try await group.reduce(into: [first]) { $0.append($1) }
            }
        }
    }

    /// The same before a server of its own, and how many connections it took: the fewest of five runs at most.
    ///
    /// The client closes a connection that nobody has used for a minute, and a busy machine can be as slow as that.
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

    @Test func `speaks HTTP/2 where the server offers it, all polls on one connection`() async throws {
        let (versions, connections) = try await exchange(offering: ["h2", "http/1.1"], atOnce: 20)
        #expect(versions == Array(repeating: "2.0", count: 21))
        #expect(connections == 1)
    }

    @Test func `speaks HTTP/1.1 where the server offers no other, and keeps the connection`() async throws {
        let (versions, connections) = try await exchange(offering: ["http/1.1"], atOnce: 1)
        #expect(versions == ["1.1", "1.1"])
        #expect(connections == 1)
    }

    @Test func `a server that offers nothing is spoken to in HTTP/1.1`() async throws {
        try await SecureServer.run(offering: []) { server in
            let versions = try await versions(server, atOnce: 0)
            #expect(versions == ["1.1"])
        }
    }

    @Test func `a certificate that nobody vouches for is refused with the reason`() async throws {
        let error = try await SecureServer.run(offering: ["h2"]) { server in
            try await withLiveHTTPTransport { transport -> HTTPTransportError? in
                do throws(HTTPTransportError) {
                    _ = try await transport.send(
                        HTTPTransportRequest(url: "https://localhost:\(server.port)/", timeout: .patience)
                    )
                    return nil
                } catch {
                    return error
                }
            }
        }
        guard case .tls(let reason)? = error else {
            Issue.record("got \(String(describing: error))")
            return
        }
        #expect(reason == "the certificate is not trusted")
    }
}
