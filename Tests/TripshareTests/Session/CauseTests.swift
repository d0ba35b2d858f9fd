import FleetTokens
import Foundation
import Runtime
import Synchronization
import Testing
import TripModel
import TripTestSupport

/// The first cause of a failure is reported, however fast the next failure follows.
@Suite("Causes", .ends(within: .longTest))
struct CauseTests {
    private static let words = """
        Fleet Engine API has not been used in project 123456 before or it is disabled. Enable it by visiting \
        https://console.developers.google.com then retry.
        """

    /// Runs a token endpoint at `/token` and a Fleet Engine, which by default refuses every token.
    private static func run(
        _ engine: @escaping @Sendable (_ number: Int) -> (status: String, headers: String, body: String) = { _ in
            ("403 Forbidden", "", #"{"error":{"code":403,"message":"\#(words)","status":"PERMISSION_DENIED"}}"#)
        },
        _ body: (_ url: String) async throws -> Void
    ) async throws {
        let calls = Locked(0)
        try await CannedServer.run(
            .answer { request in
                if request.hasPrefix("GET /token") {
                    guard let trip = try? TripID("t") else { return "" }
                    let token = FakeToken(.trip(trip), issuedAt: Date(), serial: Int.random(in: 0..<1_000_000)).text
                    return response("200 OK", "", #"{"jwt":"\#(token)"}"#)
                }
                let number = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                let answer = engine(number)
                return response(answer.status, answer.headers, answer.body)
            }
        ) { server in try await body("http://127.0.0.1:\(server.port)") }
    }

    private static func response(_ status: String, _ headers: String, _ body: String) -> String {
        "HTTP/1.1 \(status)\r\n\(headers)Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
            + "Connection: close\r\n\r\n\(body)"
    }

    private static func arguments(_ url: String, _ output: String) -> [String] {
        [
            "watch", "t", "--provider-id", "p", "--fleet-engine-url", url, "--token-url", "\(url)/token?trip={tripId}",
            "--output", output, "--interval", "1",
        ]
    }

    @Test(arguments: 1...2)
    func `plain output and the final message contain the service's error`(run: Int) async throws {
        try await Self.run { url in
            let watch = try await Program.runInProcess(Self.arguments(url, "plain"))
            #expect(watch.status == 77)
            let cause = "403 PERMISSION_DENIED: Fleet Engine API has not been used in project 123456"
            let lines = watch.lines
            let said = lines.firstIndex { $0.contains(cause) }
            let refused = lines.firstIndex { $0.contains("rejected the token (HTTP 403)") }
            #expect(said != nil && refused != nil, "\(watch.output)")
            if let said, let refused { #expect(refused < said, "\(watch.output)") }
            #expect(watch.errors.contains(cause), "\(watch.errors)")
        }
    }

    @Test(arguments: 1...2)
    func `JSON has every outcome in order, with the cause of the missing token`(run: Int) async throws {
        try await Self.run { url in
            let watch = try await Program.runInProcess(Self.arguments(url, "json"))
            let lines = try watch.lines.compactMap {
                try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            }
            #expect(lines.count == watch.lines.count)
            let polls = lines.filter { $0["type"] as? String == "poll" }
            #expect(polls.first?["code"] as? String == "PERMISSION_DENIED")
            #expect((polls.first?["message"] as? String)?.hasPrefix("Fleet Engine API has not been used") == true)
            for poll in polls where (poll["code"] as? String)?.hasPrefix("TOKEN") == true {
                let cause = poll["cause"] as? [String: Any]
                #expect(cause?["code"] as? String == "PERMISSION_DENIED" && cause?["httpStatus"] as? Int == 403)
                #expect((cause?["message"] as? String)?.hasPrefix("Fleet Engine API") == true)
            }
            let events = lines.compactMap { $0["event"] as? String ?? ($0["code"] as? String) }
            #expect(Array(events.prefix(4)) == ["fetching", "stored", "rejected", "failed"], "\(watch.output)")
            #expect(events.dropFirst(4).first == "PERMISSION_DENIED", "\(watch.output)")
            #expect(polls.count { $0["code"] as? String == "PERMISSION_DENIED" } >= 1)
        }
    }

    /// The answers are a trip, one of these failures, and the end of the trip.
    @Test(arguments: [
        ("302 Found", "Location: https://elsewhere.example/login\r\n", ""),
        ("200 OK", "", "<!doctype html><title>Login</title>"),
        ("400 Bad Request", "", #"{"error":{"code":400,"status":"INVALID_ARGUMENT","message":"no"}}"#),
        ("404 Not Found", "", "nothing here"),
    ])
    func `a failure after a good answer counts as an outage`(status: String, headers: String, body: String) async throws
    {
        @Sendable func trip(_ status: String) -> String {
            #"{"name":"providers/p/trips/t","tripStatus":"\#(status)","vehicleId":"v"}"#
        }
        try await Self.run { number in
            switch number {
            case 1: ("200 OK", "", trip("ENROUTE_TO_PICKUP"))
            case 2: (status, headers, body)
            default: ("200 OK", "", trip("COMPLETE"))
            }
        } _: { url in
            let watch = try await Program.runInProcess(Self.arguments(url, "json"))
            #expect(watch.status == 0, "\(watch.output) \(watch.errors)")
            #expect(watch.lines.last?.contains(#""outcome":"reached""#) == true)
        }
    }

    /// After a good answer, the URL is right.
    @Test(arguments: [
        ("302 Found", "Location: https://elsewhere.example/login\r\n", "", "Probably a gateway in between"),
        ("200 OK", "", "<!doctype html><title>Login</title>", "Either the service or a gateway in between"),
        ("200 OK", "", #"{"name":"providers/p/tri"#, "The cause is unknown."),
        ("200 OK", "", "", "The cause is unknown."),
    ])
    func `a failure after a good answer is not blamed on the command line`(
        status: String,
        headers: String,
        body: String,
        cause: String
    ) async throws {
        let good = #"{"name":"providers/p/trips/t","tripStatus":"ENROUTE_TO_PICKUP","vehicleId":"v"}"#
        try await Self.run { number in
            switch number {
            case 1: ("200 OK", "", good)
            case 2: (status, headers, body)
            default: ("200 OK", "", good.replacing("ENROUTE_TO_PICKUP", with: "COMPLETE"))
            }
        } _: { url in
            let watch = try await Program.runInProcess(Self.arguments(url, "plain"))
            #expect(watch.status == 0, "\(watch.output) \(watch.errors)")
            #expect(watch.output.contains(cause), "\(watch.output)")
            #expect(!watch.output.contains("--fleet-engine-url"), "\(watch.output)")
        }
    }

    @Test func `every command reports the token endpoint's own message`() async throws {
        try await CannedServer.run(
            .answer { request in
                request.hasPrefix("GET /token")
                    ? Self.response("403 Forbidden", "", #"{"error":"no booking of this name"}"#)
                    : Self.response("401 Unauthorized", "", #"{"error":{"code":401,"status":"UNAUTHENTICATED"}}"#)
            }
        ) { server in
            let url = "http://127.0.0.1:\(server.port)"
            let token = ["--token-url", "\(url)/token?trip={tripId}"]
            let target = ["t", "--provider-id", "p", "--fleet-engine-url", url] + token
            let message = "denied a token for trip t (HTTP 403) (‘no booking of this name’)"
            let watch = try await Program.runInProcess(["watch"] + target + ["--output", "plain", "--once"])
            #expect(watch.errors.contains(message), "\(watch.errors)")
            let json = try await Program.runInProcess(["watch"] + target + ["--output", "json", "--once"])
            let polls = json.lines.filter { $0.contains(#""type":"poll""#) }
            #expect(polls.contains { $0.contains(message) }, "\(json.output)")
            let doctor = try await Program.runInProcess(["doctor"] + target)
            #expect(doctor.output.contains(message), "\(doctor.output)")
            let fetch = try await Program.runInProcess(["token", "fetch", "--trip", "t"] + token)
            #expect(fetch.errors.contains(message), "\(fetch.errors)")
        }
    }

    @Test func `a redirect before any good answer is a configuration error`() async throws {
        try await Self.run { _ in
            ("302 Found", "Location: https://elsewhere.example/\r\n", "")
        } _: { url in
            let watch = try await Program.runInProcess(Self.arguments(url, "plain"))
            #expect(watch.status == 78, "\(watch.errors)")
        }
    }

    @Test(arguments: [
        ("401 Unauthorized", #"{"error":"login required"}"#, Int32(77), true),
        ("503 Service Unavailable", #"{"error":"database is locked"}"#, 69, false),
    ])
    func `the timeout ends with the code of the failure that lasts`(
        status: String,
        body: String,
        code: Int32,
        needsChange: Bool
    ) async throws {
        try await CannedServer.run(.answer { _ in Self.response(status, "", body) }) { server in
            let url = "http://127.0.0.1:\(server.port)"
            // In a process of its own, where other tests do not delay the first answer.
            let watch = try await Program.run(Self.arguments(url, "plain") + ["--timeout", "2"])
            #expect(watch.status == code, "\(watch.errors)")
            #expect(watch.errors.contains("Waiting does not help") == needsChange, "\(watch.errors)")
        }
    }
}
