import Failures
import FleetTokens
import Foundation
import Testing
import TripModel
import TripTestSupport
import TripText

@testable import tripshare

@Suite("tripshare doctor", .ends(within: .longTest))
struct DoctorTests {
    /// Runs the doctor with JSON output.
    ///
    /// Returns its exit code, the steps with their verdicts, and the last check before the end.
    private func doctor(
        _ arguments: [String],
        environment: [String: String] = [:]
    ) async throws -> (status: Int32, steps: [String: String], last: [String: Any]) {
        let run = try await Program.runInProcess(["doctor", "--output", "json"] + arguments, environment: environment)
        #expect(!run.output.contains("eyJ") && !run.errors.contains("eyJ"))
        let lines = try run.lines.map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(lines.last?["type"] as? String == "end")
        let checks = lines.dropLast()
        let steps = checks.compactMap { line -> (String, String)? in
            guard let step = line["step"] as? String, let verdict = line["verdict"] as? String else { return nil }
            return (step, verdict)
        }
        return (run.status, Dictionary(steps) { _, last in last }, checks.last ?? [:])
    }

    /// A token that is valid in every part that a client can check.
    private func token(lifetime: Duration = .seconds(3300), age: Double = 10, trip: String = "t") throws -> String {
        let issued = Date().addingTimeInterval(-age)
        return FakeToken(.trip(try TripID(trip)), issuedAt: issued, lifetime: lifetime).text
    }

    private func examine(
        _ engine: CannedEngine
    ) async throws -> (
        status: Int32, steps: [String: String], last: [String: Any]
    ) {
        let token = try token()
        nonisolated(unsafe) var result: (status: Int32, steps: [String: String], last: [String: Any])?
        try await engine.run { url in
            unsafe result = try await doctor(
                ["t", "--provider-id", "p", "--fleet-engine-url", url, "--token-env", "THE_TOKEN"],
                environment: ["THE_TOKEN": token]
            )
        }
        return try unsafe #require(result)
    }

    @Test func `finds nothing wrong with an emulated ride`() async throws {
        // In real time, so that the ride of minutes is still running when a busy machine has started two programs.
        try await EmulatedEngine.run([]) { ready, _ in
            let watch = try await Program.run(["watch", "--emulator", ready, "--until", "ENROUTE_TO_PICKUP"])
            #expect(watch.status == 0)
            let plain = try await Program.run(["doctor", "--emulator", ready])
            #expect(plain.status == 0, "\(plain.output)")
            #expect(plain.lines.last == "All checks passed.")
            for step in ["connection", "clock", "token", "claims", "provider", "trip", "vehicle", "position"] {
                #expect(plain.output.contains("✓ \(step)"), "\(step): \(plain.output)")
            }
        }
    }

    @Test func `reports errors in a set-up with an emulator`() async throws {
        try await EmulatedEngine.run([]) { ready, object in
            let provider = try await doctor(["--emulator", ready, "--provider-id", "other-project"])
            // The service says what is wrong; the account of another project is only a hint at it.
            #expect(provider.status == 78 && provider.steps["provider"] == "warned")
            #expect(provider.last["step"] as? String == "trip")
            #expect((provider.last["evidence"] as? String)?.contains("The provider is not") == true)

            let missing = try await doctor(["unknown-trip", "--emulator", ready])
            #expect(missing.status == 66)
            #expect(missing.last["step"] as? String == "trip")

            let url = try #require(object["tokenURL"] as? String)
            let foreign = try await doctor([
                "--emulator", ready, "--token-url", url.replacing("{tripId}", with: "other?{tripId}"),
            ])
            #expect(foreign.status == 77)
            #expect(foreign.last["step"] as? String == "claims")
            #expect(foreign.last["advice"] is String)
        }
    }

    @Test func `reports that the connection is refused`() async throws {
        let result = try await RefusedPort.run { port in
            try await doctor([
                "t", "--provider-id", "p", "--fleet-engine-url", "http://127.0.0.1:\(port)", "--token-env", "X",
            ])
        }
        #expect(result.status == 69)
        #expect(result.steps == ["configuration": "passed", "name": "passed", "connection": "failed"])
    }

    @Test(
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<html></html>", "service", 78),
            ("HTTP/1.1 302 Found\r\nLocation: https://x/\r\nContent-Length: 0\r\n\r\n", "service", 78),
            ("HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnone", "service", 78),
            (
                "HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: 43\r\n\r\n"
                    + #"{"error":{"code":404,"status":"NOT_FOUND"}}"#, "service", 78
            ),
            ("HTTP/1.1 503 Unavailable\r\nContent-Length: 0\r\n\r\n", "service", 69),
            ("SSH-2.0-OpenSSH_9.6\r\n", "service", 69),
        ] as [(String, String, Int32)]
    )
    func `reports what is listening instead of a Fleet Engine`(answer: String, step: String, status: Int32) async throws
    {
        try await CannedServer.run(.send(answer)) { server in
            let result = try await doctor([
                "t", "--provider-id", "p", "--fleet-engine-url", "http://127.0.0.1:\(server.port)", "--token-env", "X",
            ])
            #expect(result.status == status)
            #expect(result.last["step"] as? String == step)
        }
    }

    @Test func `shows the words of a service that is not a Fleet Engine`() async throws {
        let body = #"{"error":{"code":404,"message":"Method not found.","status":"NOT_FOUND"}}"#
        let answer = "HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
        try await CannedServer.run(.send(answer + body)) { server in
            let result = try await doctor([
                "t", "--provider-id", "p", "--fleet-engine-url", "http://127.0.0.1:\(server.port)", "--token-env", "X",
            ])
            #expect(result.status == 78 && result.last["step"] as? String == "service")
            let evidence = try #require(result.last["evidence"] as? String)
            #expect(evidence.contains("NOT_FOUND") && evidence.contains("Method not found."), "\(evidence)")
        }
    }

    @Test(arguments: [#"{"message":"Missing Authentication Token"}"#, "<html><title>Login</title></html>"])
    func `goes on behind a gateway that refuses requests without a token`(refusal: String) async throws {
        let engine = CannedEngine(
            fields: CannedEngine.underWay(reported: 5),
            refusal: refusal
        )
        let result = try await examine(engine)
        #expect(result.status == 0 && result.steps["service"] == "warned" && result.steps["position"] == "passed")
    }

    @Test func `names a proxy that is not there`() async throws {
        try await RefusedPort.run { port in
            let result = try await doctor(
                ["t", "--provider-id", "p", "--fleet-engine-url", "https://fleet.example", "--token-env", "X"],
                environment: ["HTTPS_PROXY": "http://user:secret@127.0.0.1:\(port)", "https_proxy": "", "no_proxy": ""]
            )
            #expect(result.status == 69 && result.last["step"] as? String == "connection")
            let evidence = try #require(result.last["evidence"] as? String)
            #expect(evidence.contains("the proxy 127.0.0.1:\(port) in HTTPS_PROXY refuses"), "\(evidence)")
            #expect(result.last["party"] as? String == "network")
        }
    }

    @Test func `reports a clock difference`() async throws {
        let result = try await examine(CannedEngine(fields: #""tripStatus":"NEW""#, offset: 200))
        #expect(result.status == 78)
        #expect(result.last["step"] as? String == "clock")
        let little = try await examine(CannedEngine(fields: #""tripStatus":"COMPLETE""#, offset: 20))
        #expect(little.status == 0)
        #expect(little.steps["clock"] == "warned")
    }

    @Test func `reports an expired token`() async throws {
        let token = try token(lifetime: .seconds(60), age: 90)
        try await CannedEngine(fields: #""tripStatus":"NEW""#).run { url in
            let result = try await doctor(
                ["t", "--provider-id", "p", "--fleet-engine-url", url, "--token-env", "THE_TOKEN"],
                environment: ["THE_TOKEN": token]
            )
            #expect(result.status == 77)
            #expect(result.last["step"] as? String == "claims")
            #expect((result.last["evidence"] as? String)?.contains("before it arrived") == true)
            #expect(result.last["party"] as? String == "token endpoint")
        }
    }

    @Test func `reports a missing vehicle and a trip that has ended`() async throws {
        let waiting = try await examine(CannedEngine(fields: #""tripStatus":"NEW""#))
        #expect(waiting.status == 1)
        #expect(waiting.last["step"] as? String == "vehicle")
        let over = try await examine(CannedEngine(fields: #""tripStatus":"COMPLETE","vehicleId":"v""#))
        #expect(over.status == 0)
        #expect(over.steps["position"] == "skipped")
    }

    @Test func `reports an old position`() async throws {
        let old = try await examine(CannedEngine(fields: CannedEngine.underWay(reported: 600)))
        #expect(old.status == 1)
        #expect(old.last["step"] as? String == "position")
        let fresh = try await examine(CannedEngine(fields: CannedEngine.underWay(reported: 5)))
        #expect(fresh.status == 0)
        #expect(fresh.steps["position"] == "passed")
    }

    @Test func `reports invalid flags like every other command`() async throws {
        let result = try await doctor(["t", "--provider-id", "p", "--fleet-engine-url", "nowhere", "--token-env", "X"])
        #expect(result.status == 78)
        #expect(result.last["step"] as? String == "configuration")
        let run = try await Program.runInProcess(["doctor", "t", "--token-env", "X"])
        #expect(run.status == 64)
        #expect(run.lines.first?.hasSuffix("No Google Cloud project is given.") == true, "\(run.output)")
        #expect(run.lines.dropFirst().first?.contains("→ Set it with --provider-id") == true, "\(run.output)")
    }

    @Test func `promises no automatic retry, and distinguishes an unusable proxy from a service that is down`()
        async throws
    {
        try await CannedServer.run(.send("HTTP/1.1 503 Unavailable\r\nContent-Length: 0\r\n\r\n")) { server in
            let url = "http://127.0.0.1:\(server.port)"
            let run = try await Program.runInProcess([
                "doctor", "t", "--provider-id", "p", "--fleet-engine-url", url, "--token-env", "X",
            ])
            #expect(run.status == 69 && run.output.contains("Probably the service"), "\(run.output)")
            #expect(run.output.contains("Try again in a while."), "\(run.output)")
            let watch = try await Program.runInProcess([
                "watch", "t", "--provider-id", "p", "--fleet-engine-url", url, "--once", "--output", "json",
                "--token-url", "\(url)/{tripId}",
            ])
            #expect(watch.status == 69 && !watch.errors.contains("automatically"), "\(watch.errors)")
        }
        let proxy = ["https_proxy": "socks5://127.0.0.1:1"]
        let target = ["t", "--provider-id", "p", "--token-url", "https://b.example/{tripId}"]
        let result = try await doctor(target, environment: proxy)
        #expect(result.status == 78)
        #expect(result.steps == ["configuration": "passed", "connection": "failed"])
        #expect((result.last["advice"] as? String)?.contains("NO_PROXY") == true)
        let fetch = try await Program.runInProcess(
            ["token", "fetch", "--trip", "t", "--token-url", "https://b.example/{tripId}"],
            environment: proxy
        )
        #expect(fetch.status == 78 && fetch.errors.contains("https_proxy"), "\(fetch.errors)")
    }

    @Test(arguments: [
        (Failure.sourceTimedOut, "Try again in a while."),
        (.sourceStatus(500, retryAfter: nil), "Check the endpoint's own log."),
        (.sourceStatus(429, retryAfter: nil), "Issue longer-lived tokens: they need fewer requests."),
        (.sourceUnreachable(reason: "refused"), "Start it, or check host and port of --token-url."),
    ])
    func `removes promises from advice that the end of the program would break`(
        error: Failure,
        last: String
    ) throws {
        let sentence = UserMessage(error)
        #expect(sentence.advice?.contains("automatically") == true)
        #expect(sentence.last.advice == last)
        let failure = UserMessage(
            noToken: TokenError.unavailable(error, retryAfter: .zero).failure,
            journey: try .trip(TripID("t"))
        )
        #expect(failure.last.advice == last)
        let german = UserMessage(error, localizer: Localizer(.german))
        #expect(german.last.advice != german.advice && german.last.advice != last)
    }
}
