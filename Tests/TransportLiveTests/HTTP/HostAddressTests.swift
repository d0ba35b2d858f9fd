import Failures
import Testing
import TransportLive
import TripTestSupport

/// Addresses instead of look-ups, as with `--resolve` of curl.
@Suite("Addresses of hosts", .ends(within: .longTest))
struct HostAddressTests {
    @Test(arguments: [
        ("Fleet.Example:443:192.0.2.1", "fleet.example:443:192.0.2.1"), ("h:1:::1", "h:1:[::1]"),
        ("h:65535:[2001:db8::1]", "h:65535:[2001:db8::1]"),
    ])
    func `parses a host, a port and an address`(text: String, parsed: String) {
        #expect(HostAddress(text)?.text == parsed)
    }

    @Test(arguments: [
        "", "h", "h:443", "h:443:", "h::127.0.0.1", ":443:127.0.0.1", "h:0:127.0.0.1", "h:65536:127.0.0.1",
        "h:+1:127.0.0.1", "h:443:other.example", "h:443:[127.0.0.1]", "h:443:127.0.0.1,127.0.0.2", "h:443:[::1",
        "127.0.0.1:443:127.0.0.2", "*:443:127.0.0.1", "-h:443", "a/b:443:127.0.0.1", "a b:443:127.0.0.1",
        "u@h:443:127.0.0.1",
    ])
    func `refuses other text`(text: String) {
        #expect(HostAddress(text) == nil)
    }

    @Test func `the last address of a host and a port counts, and other ports are looked up`() throws {
        let addresses = ["a.example:443:192.0.2.1", "a.example:443:192.0.2.2", "a.example:80:192.0.2.3"]
        let settings = ConnectionSettings(addresses: addresses.compactMap(HostAddress.init))
        func address(_ url: String) throws -> String? {
            settings.address(of: try #require(URLOrigin(url)))?.address
        }
        #expect(try address("https://A.example/") == "192.0.2.2")
        #expect(try address("http://a.example/") == "192.0.2.3")
        #expect(try address("https://a.example:8443/") == nil)
        #expect(try address("https://b.example/") == nil)
    }

    @Test func `connects to the address and checks the certificate for the name`() async throws {
        let identity = try TestIdentity.p256(names: ["fleet.example"], commonName: "fleet.example")
        try await SecureServer.run(offering: ["h2"], identity: identity) { server in
            let roots = try #require(TrustedRoots(server.certificate, path: "ca.pem", source: "--ca"))
            let hosts = ["fleet.example", "other.example"]
            let addresses = hosts.compactMap { HostAddress("\($0):\(server.port):127.0.0.1") }
            let settings = ConnectionSettings(roots: roots, addresses: addresses)
            let outcomes = try await withLiveHTTPTransport(settings) { transport in
                var outcomes: [Asking.Outcome] = []
                for host in ["Fleet.Example", "other.example"] {
                    outcomes.append(await Asking.outcome("https://\(host):\(server.port)/a", through: transport))
                }
                return outcomes
            }
            #expect(outcomes[0].failure == nil)
            #expect(
                try outcomes[0].get().exchange?.connection?.options?.curl() == [
                    "--cacert", "'ca.pem'", "--resolve", "'fleet.example:\(server.port):127.0.0.1'",
                ]
            )
            #expect(outcomes[1].failure == .tls(reason: "the certificate is for another host (fleet.example)"))
        }
    }

    @Test func `the header Host stays that of the name`() async throws {
        let echo = CannedServer.Behaviour.answer { request in
            let host = request.split(separator: "\r\n").first { $0.lowercased().hasPrefix("host:") } ?? ""
            return "HTTP/1.1 200 OK\r\nContent-Length: \(host.utf8.count)\r\n\r\n\(host)"
        }
        try await CannedServer.run(echo) { server in
            let address = try #require(HostAddress("fleet.example:\(server.port):127.0.0.1"))
            let outcome = try await withLiveHTTPTransport(ConnectionSettings(addresses: [address])) {
                await Asking.outcome("http://fleet.example:\(server.port)/", through: $0)
            }
            let body = String(decoding: try outcome.get().body, as: UTF8.self)
            #expect(body.lowercased() == "host: fleet.example:\(server.port)")
        }
    }
}
