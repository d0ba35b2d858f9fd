import Failures
import FleetTokens
import FleetWire
import Foundation
import Runtime
import Synchronization
import Testing
import TransportLive
import TripFeed
import TripModel
import TripTestSupport

/// Invalid HTTP over a real connection with the real transport.
@Suite("Hostile HTTP", .serialized, .ends(within: .longTest))
struct HostileHTTPTests {
    @Test func `every connection ends as an answer or a failure within its time limit`() async throws {
        // In a process of its own, which other tests of this process don't slow down.
        try await SeparateProcess.run { try await HostileHTTPRun.check() }
    }
}

/// Sends requests to a server that answers with invalid HTTP.
private enum HostileHTTPRun {
    static func check() async throws {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["HOSTILE_HTTP_SEED"].flatMap { UInt64($0) }
        let seeds: [UInt64] = first.map { [$0] } ?? (0..<200).map { 5_000_000 + $0 * 31 }
        let trip = try TripID("t")
        let clock = HurriedClock()
        let seed = Locked<UInt64>(0)
        let token = FakeToken(.trip(trip), issuedAt: HurriedClock.start).text
        let outcomes = Locked<[String: Int]>([:])
        try await RawServer.run { _ in
            var answers = HostileAnswers(seed: seed.withLock { $0 }, trip: trip)
            return answers.wire(secret: token, at: HurriedClock.start)
        } body: { server in
            try await withLiveHTTPTransport { live in
                let hurried = HTTPTransport { request async throws(Failure) in
                    var request = request
                    request.timeout = .milliseconds(500)
                    return try await live.send(request)
                }
                let source = ScriptedTokenSource { fetch in
                    .token(FakeToken(fetch.context, issuedAt: HurriedClock.start, serial: fetch.number).issued)
                }
                let request = JourneyRequest(provider: try ProviderID("p"), journey: .trip(trip))
                for number in seeds {
                    seed.withLock { $0 = number }
                    let tokens = TokenProvider(source: source, clock: clock.patient, seed: number)
                    let client = FleetClient(
                        endpoint: try ServiceEndpoint("http://127.0.0.1:\(server.port)"),
                        tokens: tokens,
                        transport: hurried,
                        clock: clock
                    )
                    let began = ContinuousClock.now
                    let report = await client.get(request)
                    let duration = began.duration(to: .now)
                    // Ten times the deadline, because the machine may be busy.
                    if duration > .seconds(5) { Issue.record("HOSTILE_HTTP_SEED \(number): \(duration)") }
                    if let status = report.answer?.status, !(100...999).contains(status) {
                        Issue.record("HOSTILE_HTTP_SEED \(number): status \(status)")
                    }
                    if report.failure?.isMissingToken == true { Issue.record("HOSTILE_HTTP_SEED \(number): no token") }
                    outcomes.withLock { $0[report.failure?.nameInJSON ?? "trip", default: 0] += 1 }
                    await tokens.close()
                }
            }
        }
        let counts = outcomes.withLock { $0 }
        #expect(counts.values.reduce(0, +) == seeds.count)
        if first == nil {
            // There were both good answers and broken ones.
            #expect(counts.keys.contains("trip"))
            #expect(counts.keys.contains("TRANSPORT_CUT_OFF"))
            #expect(counts.keys.contains("TRANSPORT_MALFORMED"))
        }
        print(
            "Hostile HTTP: \(counts.sorted { $0.value > $1.value }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))"
        )
    }
}
