import Failures
import FleetTokens
import Foundation
import Testing
import TripModel
import TripTestSupport

@testable import tripshare

/// The options for connections, and the variables that they replace.
@Suite("Network options", .ends(within: .longTest))
struct NetworkOptionTests {
    /// The arguments that poll the first trip of an emulator once, without its ready file.
    private static func watch(_ ready: [String: Any], at url: String) throws -> [String] {
        [
            "watch", try #require((ready["tripIds"] as? [String])?.first), "--once", "--timeout", "20",
            "--provider-id", try #require(ready["providerId"] as? String),
            "--token-url", try #require(ready["tokenURL"] as? String),
            "--fleet-engine-url", url,
        ]
    }

    // MARK: Certificates

    @Test func `--ca and SSL_CERT_FILE replace the system's certificates, and the option wins`() async throws {
        try await EmulatedEngine.run(["--grpc-port", "0"]) { _, ready in
            let root = try #require(ready["grpcRootCertificate"] as? String)
            let url = "https://\(try #require(ready["grpcTarget"] as? String))"
            let watch = try Self.watch(ready, at: url) + ["--transport", "grpc"]
            let unknown = try await Program.run(watch)
            #expect(unknown.status == 69 && unknown.errors.contains("not trusted"), "\(unknown.errors)")
            for (options, environment) in [
                (["--ca", root], [:]),
                ([], ["SSL_CERT_FILE": root]),
                (["--ca", root], ["SSL_CERT_FILE": "/dev/null", "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": "/dev/null"]),
            ] as [([String], [String: String])] {
                let run = try await Program.run(watch + options, environment: environment)
                #expect(run.status == 0, "\(options) \(environment) \(run.errors)")
            }
        }
    }

    @Test(
        arguments: [
            (["--ca", "/no/such.pem"], [:], 66, "‘/no/such.pem’"),
            (["--ca", "/dev/null"], [:], 65, "‘/dev/null’ is not a file of certificates"),
            (["--ca", "/"], [:], 65, "is a folder"),
            ([], ["SSL_CERT_FILE": "/no/such.pem"], 78, "SSL_CERT_FILE names ‘/no/such.pem’"),
            ([], ["SSL_CERT_FILE": "/dev/null"], 78, "SSL_CERT_FILE names ‘/dev/null’"),
        ] as [([String], [String: String], Int32, String)]
    )
    func `an unusable file of certificates is named`(
        options: [String],
        environment: [String: String],
        status: Int32,
        words: String
    ) async throws {
        let source = ["--token-env", "T", "--fleet-engine-url", "http://127.0.0.1:1"]
        for command in [
            ["watch", "t", "--provider-id", "p", "--once"] + source, ["trips", "--provider-id", "p"] + source,
            ["doctor", "t", "--provider-id", "p"] + source, ["token", "fetch", "--trip", "t", "--token-env", "T"],
        ] {
            let run = try await Program.runInProcess(
                command + options,
                environment: environment.merging(["T": "x"]) { $1 }
            )
            #expect(run.status == status, "\(command) \(run.errors)")
            #expect((run.output + run.errors).contains(words), "\(command) \(run.output) \(run.errors)")
        }
    }

    // MARK: Proxies

    @Test func `requests to this machine go through the proxy of --proxy only, unless NO_PROXY has it`()
        async throws
    {
        try await EmulatedEngine.run([]) { _, ready in
            let url = try #require(ready["fleetEngineURL"] as? String)
            let tokens = try #require(ready["tokenURL"] as? String).prefix { $0 != "{" }
            let watch = try Self.watch(ready, at: url)
            for (isOption, exceptions, isUsed) in [
                (true, "", true), (false, "", false), (true, "127.0.0.0/8", false), (true, "localhost", true),
            ] {
                try await ForwardProxy.run { proxy in
                    // The option replaces a proxy that refuses connections.
                    let environment = [
                        "http_proxy": isOption ? "http://127.0.0.1:1" : proxy.url, "no_proxy": exceptions,
                    ]
                    let run = try await Program.run(
                        watch + (isOption ? ["--proxy", proxy.url] : []),
                        environment: environment
                    )
                    #expect(run.status == 0, "\(environment) \(run.errors)")
                    let requests = proxy.requests
                    #expect(requests.isEmpty != isUsed, "\(environment) \(requests)")
                    guard isUsed else { return }
                    #expect(requests.allSatisfy { $0.hasPrefix("GET http://127.0.0.1:") }, "\(requests)")
                    for target in [url, String(tokens)] {
                        #expect(requests.contains { $0.hasPrefix("GET \(target)") }, "\(target) \(requests)")
                    }
                }
            }
        }
    }

    @Test func `the words of a proxy that opens no tunnel are recorded`() async throws {
        let answer = "HTTP/1.1 403 No\r\nContent-Type: text/plain\r\nContent-Length: 19\r\n\r\nblocked by policy 7"
        try await CannedServer.run(.send(answer)) { server in
            try await Program.withFolder { folder in
                let file = folder.appending(path: "ride.ndjson")
                let run = try await Program.run(
                    [
                        "watch", "t", "--provider-id", "p", "--token-env", "RIDER", "--once", "--timeout", "20",
                        "--fleet-engine-url", "https://fleet.example", "--proxy", "http://127.0.0.1:\(server.port)",
                        "--record", file.path,
                    ],
                    environment: ["RIDER": FakeToken(.trip(try TripID("t")), issuedAt: Date()).text]
                )
                #expect(run.status == 69 && run.errors.contains("(HTTP 403)"), "\(run.status) \(run.errors)")
                let text = try String(contentsOf: file, encoding: .utf8)
                #expect(text.contains("blocked by policy 7"), "\(text)")
            }
        }
    }

    @Test func `doctor says which proxy, address and certificates are used`() async throws {
        let source = ["doctor", "t", "--provider-id", "p", "--token-env", "T", "--output", "json"]
        let environment = ["T": "x", "https_proxy": "http://u:secret@127.0.0.1:1", "NO_PROXY": "direct.example"]
        let proxied = try await Program.runInProcess(
            source + ["--fleet-engine-url", "https://fleet.example"],
            environment: environment
        )
        #expect(proxied.output.contains("through the proxy http://127.0.0.1:1 (https_proxy)"), "\(proxied.output)")
        #expect(!proxied.output.contains("secret"))
        let given = try await Program.runInProcess(
            source + ["--fleet-engine-url", "https://direct.example:1", "--resolve", "direct.example:1:127.0.0.1"],
            environment: environment
        )
        #expect(given.output.contains("at the address 127.0.0.1 (--resolve)"), "\(given.output)")
        #expect(!given.output.contains("through the proxy"))
    }

    @Test(arguments: [
        (["--proxy", "http://u:p@proxy.example:1"], "https_proxy"), (["--proxy", ""], "--proxy takes"),
        (["--proxy", "socks5://proxy.example"], "--proxy takes"), (["--resolve", "a:443"], "--resolve takes"),
        (["--resolve", "192.0.2.1:443:127.0.0.1"], "--resolve takes"),
    ])
    func `an unusable value is a usage error`(options: [String], words: String) async throws {
        for command in [["watch", "t", "--once"], ["trips"], ["drive", "v", "--to", "Station"], ["emulate"]] {
            let run = try await Program.runInProcess(command + options)
            #expect(run.status == 64 && run.errors.contains(words), "\(command) \(run.errors)")
            #expect(!run.errors.contains("u:p@"))
        }
    }

    // MARK: Addresses

    @Test(arguments: [[], ["--transport", "grpc"]])
    func `--resolve connects to the address, also for the token endpoint`(transport: [String]) async throws {
        let isRemote = !transport.isEmpty
        let options = (isRemote ? ["--grpc-port", "0", "--grpc-plaintext"] : []) + ["--allow-host", "fleet.example"]
        try await EmulatedEngine.run(options) { _, ready in
            let service =
                isRemote
                ? "http://\(try #require(ready["grpcTarget"] as? String))"
                : try #require(ready["fleetEngineURL"] as? String)
            let tokens = try #require(ready["tokenURL"] as? String)
            func named(_ url: String) -> String {
                url.replacing("127.0.0.1", with: "fleet.example").replacing("localhost", with: "fleet.example")
            }
            var ready = ready
            ready["tokenURL"] = named(tokens)
            let resolve = try [service, tokens].flatMap { url in
                let port = try #require(URLOrigin(url)?.port)
                return ["--resolve", "fleet.example:\(port):127.0.0.1"]
            }
            try await Program.withFolder { folder in
                let file = folder.appending(path: "ride.ndjson")
                let watch = try Self.watch(ready, at: named(service)) + ["--allow-plain-http"] + transport
                let run = try await Program.run(watch + resolve + ["--record", file.path])
                #expect(run.status == 0, "\(run.errors)")
                let text = try String(contentsOf: file, encoding: .utf8)
                #expect(text.contains("\"resolve\":\"\(resolve[1])\""), "commands that are shown need it: \(text)")
            }
        }
    }
}
