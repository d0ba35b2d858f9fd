import FleetTokens
import FleetTokensMonitoring
import MetricsTestKit
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Token metrics", .ends(within: .quickTest))
struct TokenMetricsTests {
    @Test func `counters grow by the difference since the last update, and gauges show the current value`() async throws
    {
        let clock = ManualClock()
        let source = ScriptedTokenSource { fetch in
            fetch.context.id == "bad"
                ? .failure(.sourceTimedOut)
                : .token(FakeToken(fetch.context, issuedAt: clock.now().wall, serial: fetch.number).issued)
        }
        let provider = TokenProvider(source: source, clock: clock, seed: 1)
        let backend = TestMetrics()
        let metrics = TokenMetrics(dimensions: [("fleet", "f")], factory: backend)
        func total(_ name: String, _ dimensions: [(String, String)] = []) throws -> Int64 {
            try backend.expectCounter("fleet_tokens_\(name)", [("fleet", "f")] + dimensions).totalValue
        }
        let trip = AuthorizationContext.trip(try TripID("t"))
        let bad = AuthorizationContext.trip(try TripID("bad"))
        _ = try await provider.token(for: trip)
        _ = provider.cached(for: trip)
        _ = try? await provider.token(for: bad)  // counted below
        metrics.update(from: provider)
        #expect(try total("hits") == 1)
        #expect(try total("fetches", [("reason", "needed")]) == 2)
        #expect(try total("failures", [("kind", "timeout")]) == 1)
        #expect(try total("failures", [("kind", "denied")]) == 0)
        #expect(try backend.expectGauge("fleet_tokens_keys", [("fleet", "f")]).lastValue == 2)
        _ = provider.cached(for: trip)
        metrics.update(from: provider)
        metrics.update(from: provider)
        #expect(try total("hits") == 2)
        #expect(try total("successes") == 1)
        let next = try #require(
            try backend.expectGauge("fleet_tokens_next_refresh_seconds", [("fleet", "f")]).lastValue
        )
        #expect((2970...3120).contains(next))
        await provider.close()
    }

    @Test func `concurrent updates count nothing twice`() async throws {
        let clock = ManualClock()
        let source = ScriptedTokenSource { fetch in
            .token(FakeToken(fetch.context, issuedAt: clock.now().wall, serial: fetch.number).issued)
        }
        let provider = TokenProvider(source: source, clock: clock, seed: 1)
        let backend = TestMetrics()
        let metrics = TokenMetrics(factory: backend)
        let trip = AuthorizationContext.trip(try TripID("t"))
        _ = try await provider.token(for: trip)
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<500 {
                        _ = provider.cached(for: trip)
                        metrics.update(from: provider)
                    }
                }
            }
        }
        let total = try backend.expectCounter("fleet_tokens_hits").totalValue
        #expect(total == 2000)
        await provider.close()
    }
}
