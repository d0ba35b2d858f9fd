import Failures
import Synchronization
import Testing
import TransportLive
import TripTestSupport

/// A server that closes a connection while the next request is on its way has not read it (RFC 9112, 9.3.1).
@Suite("Reused connections", .ends(within: .longTest))
struct ReusedConnectionTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

    /// Sends requests one after the other to a server that sends these answers in order; it closes the connection after those
    /// that are not complete.
    ///
    /// Returns the outcomes and the requests that arrived.
    private func outcomes(
        of methods: [String],
        answers: [String]
    ) async throws -> (outcomes: [Asking.Outcome], arrived: [String]) {
        let arrived = Mutex<[String]>([])
        let count = { @Sendable (request: [UInt8]) -> Int in
            arrived.withLock { arrived in
                arrived.append(String(decoding: request.prefix { $0 != 0x20 }, as: UTF8.self))
                return arrived.count
            }
        }
        let outcomes = try await CannedServer.run(
            .converseInBytes { request in
                let number = count(request)
                let answer = number <= answers.count ? answers[number - 1] : ""
                return (Array(answer.utf8), closes: answer != Self.ok)
            }
        ) { server in
            try await withLiveHTTPTransport { transport in
                var outcomes: [Asking.Outcome] = []
                for method in methods {
                    let url = "http://127.0.0.1:\(server.port)/"
                    outcomes.append(await Asking.outcome(url, through: transport, method: method))
                }
                return outcomes
            }
        }
        return (outcomes, arrived.withLock { $0 })
    }

    @Test func `a GET is repeated once on a new connection if the server closes a reused one`() async throws {
        let run = try await outcomes(of: ["GET", "GET"], answers: [Self.ok, "", Self.ok])
        #expect(run.outcomes.map(\.status) == [200, 200])
        #expect(run.arrived == ["GET", "GET", "GET"])
    }

    @Test func `every connection that the server closes costs one repetition, and no poll`() async throws {
        let round = [Self.ok, "", Self.ok]
        let run = try await outcomes(
            of: Array(repeating: "GET", count: 10),
            answers: Array(repeating: round, count: 5).flatMap(\.self)
        )
        #expect(run.outcomes.map(\.status) == Array(repeating: 200, count: 10))
        #expect(run.arrived.count == 15)
    }

    @Test func `the repetition is the last one`() async throws {
        let run = try await outcomes(of: ["GET", "GET"], answers: [Self.ok, "", "", Self.ok])
        #expect(run.outcomes.map(\.status) == [200, nil])
        #expect(run.outcomes.last?.failure == .connectionLost)
        #expect(run.arrived.count == 3)
    }

    @Test(arguments: ["POST", "PATCH", "PUT"])
    func `a call that may change something is not repeated`(method: String) async throws {
        let run = try await outcomes(of: ["GET", method], answers: [Self.ok, "", Self.ok])
        #expect(run.outcomes.last?.failure == .connectionLost)
        #expect(run.arrived == ["GET", method])
    }

    @Test(arguments: ["H", "HTTP/1.1 2", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n", ok.dropLast().description])
    func `a GET is not repeated once bytes of the answer have arrived`(answer: String) async throws {
        let run = try await outcomes(of: ["GET", "GET"], answers: [Self.ok, answer, Self.ok])
        #expect(run.outcomes.last?.failure != nil)
        #expect(run.arrived.count == 2)
    }

    @Test func `a GET on a new connection is not repeated`() async throws {
        let run = try await outcomes(of: ["GET"], answers: ["", Self.ok])
        #expect(run.outcomes.last?.failure == .connectionLost)
        #expect(run.arrived.count == 1)
    }

    @Test(arguments: [["h2"], ["http/1.1"]])
    func `a GET is repeated over TLS and HTTP/2, too`(offer: [String]) async throws {
        try await SecureServer.run(offering: offer, speech: .httpOnce) { server in
            try await withLiveHTTPTransport(trusting: [server.certificate]) { transport in
                let url = "https://localhost:\(server.port)/"
                for _ in 0..<4 { #expect(await Asking.outcome(url, through: transport).status == 200) }
            }
            // The answered requests, and the second and the fourth one on the connection of the one before.
            #expect(server.requests == 6)
        }
    }
}
