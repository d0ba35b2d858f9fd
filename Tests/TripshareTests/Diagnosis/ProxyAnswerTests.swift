import FleetTokens
import Foundation
import Testing
import TripModel
import TripTestSupport

@testable import tripshare

/// A proxy for plain HTTP can answer in place of the host: then no sentence says that the host did.
@Suite("Answers of proxies", .ends(within: .longTest))
struct ProxyAnswerTests {
    private static let page = "<html><head><title>Denied</title></head><body>Not allowed here</body></html>"
    private static let marks = "Server: squid/5.7\r\nX-Squid-Error: ERR_ACCESS_DENIED 0\r\n"
    private static let form = #"{"error":"no booking of this name"}"#

    /// The headers and the body of a 403 that names its proxy, and of two that do not show who sent them.
    private static let marked = answer(marks, page, "text/html")
    private static let unmarked = [answer("", page, "text/html"), answer("", "Forbidden", "text/plain")]

    private static func answer(_ headers: String, _ body: String, _ type: String) -> String {
        "HTTP/1.1 403 Forbidden\r\n\(headers)Content-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n"
            + "Connection: close\r\n\r\n\(body)"
    }

    /// Returns what each command says about a token from an endpoint on plain HTTP, which is at the origin of the service.
    private static func words(
        _ origin: String,
        _ options: [String],
        start: ([String], [String: String]) async throws -> Program.Run
    ) async throws -> [String: String] {
        let source = ["--token-url", "\(origin)/token?trip={tripId}"] + options
        let target = ["t", "--provider-id", "p", "--fleet-engine-url", origin] + source
        var words: [String: String] = [:]
        for (name, arguments) in [
            ("watch", ["watch"] + target + ["--once", "--output", "plain"]),
            ("json", ["watch"] + target + ["--once", "--output", "json"]), ("doctor", ["doctor"] + target),
            ("fetch", ["token", "fetch", "--trip", "t"] + source),
        ] {
            let run = try await start(arguments, [:])
            #expect(run.status != 0, "\(name)")
            words[name] = run.output + run.errors
        }
        return words
    }

    private static func inProcess(_ arguments: [String], _ environment: [String: String]) async throws -> Program.Run {
        try await Program.runInProcess(arguments, environment: environment)
    }

    @Test func `a proxy that names itself has answered, and not the token endpoint`() async throws {
        try await CannedServer.run(.send(Self.marked)) { proxy in
            let options = ["--proxy", "http://127.0.0.1:\(proxy.port)"]
            let words = try await Self.words("http://127.0.0.1:1", options) {
                try await Program.run($0, environment: $1)
            }
            for (command, words) in words {
                let sentence = "No token for trip t: a proxy answered the request for the token: HTTP 403"
                #expect(words.contains(sentence), "\(command): \(words)")
                for claim in ["endpoint denied", "endpoint answered", "the endpoint denies"] {
                    #expect(!words.contains(claim), "\(command): \(words)")
                }
            }
            #expect(words["watch"]?.contains("Probably the network, because the proxy answered.") == true, "\(words)")
        }
    }

    @Test(arguments: unmarked)
    func `an answer in clear without a mark can be the endpoint's or the proxy's`(answer: String) async throws {
        try await CannedServer.run(.send(answer)) { proxy in
            let options = ["--proxy", "http://127.0.0.1:\(proxy.port)"]
            let words = try await Self.words("http://127.0.0.1:1", options, start: Self.inProcess)
            for (command, words) in words {
                let sentence = "No token for trip t: the token endpoint or the proxy in between answered: HTTP 403"
                #expect(words.contains(sentence), "\(command): \(words)")
                for claim in ["The token endpoint denied", "the token endpoint answered", "because the proxy answered"]
                {
                    #expect(!words.contains(claim), "\(command): \(words)")
                }
            }
        }
    }

    @Test(arguments: unmarked + [answer("", form, "application/json"), answer("Server: nginx\r\n", page, "text/html")])
    func `a 403 without a proxy is the endpoint's`(answer: String) async throws {
        try await CannedServer.run(.send(answer)) { server in
            let words = try await Self.words("http://127.0.0.1:\(server.port)", [], start: Self.inProcess)
            for (command, words) in words {
                let sentence = "The token endpoint denied a token for trip t (HTTP 403)"
                #expect(words.contains(sentence), "\(command): \(words)")
            }
        }
    }

    @Test func `an error for programs that a proxy passes on is the endpoint's`() async throws {
        try await CannedServer.run(.send(Self.answer("", Self.form, "application/json"))) { server in
            try await ForwardProxy.run { proxy in
                let url = "http://127.0.0.1:\(server.port)"
                let words = try await Self.words(url, ["--proxy", proxy.url], start: Self.inProcess)
                for (command, words) in words {
                    let sentence = "The token endpoint denied a token for trip t (HTTP 403) (‘no booking of this name’"
                    #expect(words.contains(sentence), "\(command): \(words)")
                }
                #expect(!proxy.requests.isEmpty)
            }
        }
    }

    // MARK: Fleet Engine

    /// Returns what `watch` says about a service on plain HTTP behind a proxy with this answer.
    private static func service(_ answer: String) async throws -> [String] {
        try await CannedServer.run(.send(answer)) { proxy in
            let target = [
                "t", "--provider-id", "p", "--fleet-engine-url", "http://127.0.0.1:1", "--token-env", "RIDER",
                "--proxy", "http://127.0.0.1:\(proxy.port)",
            ]
            let environment = ["RIDER": FakeToken(.trip(try TripID("t")), issuedAt: Date()).text]
            var words: [String] = []
            for output in ["plain", "json"] {
                let arguments = ["watch"] + target + ["--once", "--timeout", "20", "--output", output]
                let run = try await Program.runInProcess(arguments, environment: environment)
                #expect(run.status != 0)
                words.append(run.output + run.errors)
            }
            return words
        }
    }

    @Test func `a proxy that names itself has answered, and not the Fleet Engine`() async throws {
        for words in try await Self.service(Self.marked) {
            #expect(words.contains("A proxy answered the request to 127.0.0.1: "), "\(words)")
            #expect(!words.contains("127.0.0.1 answered"), "\(words)")
        }
    }

    @Test(arguments: unmarked)
    func `an answer in clear without a mark can be the Fleet Engine's or the proxy's`(answer: String) async throws {
        for words in try await Self.service(answer) {
            #expect(words.contains("127.0.0.1 or the proxy in between answered: "), "\(words)")
            #expect(!words.contains("127.0.0.1 answered"), "\(words)")
        }
    }
}
