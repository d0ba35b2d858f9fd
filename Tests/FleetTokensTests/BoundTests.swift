import FleetTokens
import Foundation
import Testing
import TripModel
import TripTestSupport

@Suite("Token provider: bounds")
struct BoundTests {
    private func trip(_ name: String) throws -> AuthorizationContext { .trip(try TripID(name)) }

    // 47
    @Test func `a flood of IDs that are denied does not push out live keys`() async throws {
        let clock = ManualClock()
        let policy = try TokenPolicy(keyLimit: 20, negativeKeyLimit: 50)
        let scene = try TokenScene(policy: policy) { fetch in
            fetch.context.id.hasPrefix("live")
                ? .token(TokenScene.token(fetch.context, clock, serial: fetch.number))
                : .failure(.refusedStatus(404, retryAfter: nil))
        }
        for index in 0..<20 { _ = try await scene.provider.token(for: trip("live-\(index)")) }
        var random = SeededGenerator(seed: 47)
        var denied = 0
        for _ in 0..<100_000 {
            let context = try trip("random-\(random.next())")
            do throws(TokenError) {
                _ = try await scene.provider.token(for: context)
            } catch {
                denied += 1
            }
        }
        #expect(denied == 100_000)
        for index in 0..<20 { #expect(scene.provider.cached(for: try trip("live-\(index)")) != nil) }
        #expect(scene.provider.counters.keys <= 70)
    }

    // 48
    @Test func `expired keys go first, then the least recently used, never a pinned one`() async throws {
        let clock = ManualClock()
        let policy = try TokenPolicy(keyLimit: 3)
        let source = ScriptedTokenSource { fetch in
            let life: Duration = fetch.context.id == "short" ? .seconds(60) : .seconds(3300)
            return .token(TokenScene.token(fetch.context, clock, lifetime: life, serial: fetch.number))
        }
        let provider = TokenProvider(source: source, clock: clock, policy: policy, seed: 1)
        let lease = provider.lease(for: try trip("pinned"))
        for name in ["pinned", "old", "short"] {
            _ = try await provider.token(for: trip(name))
            clock.advance(by: .seconds(1))
        }
        clock.advance(by: .seconds(60))
        _ = try await provider.token(for: trip("fourth"))
        #expect(provider.status(of: try trip("short")).state == .absent)
        #expect(provider.status(of: try trip("old")).state == .fresh)
        clock.advance(by: .seconds(1))
        _ = try await provider.token(for: trip("fifth"))
        #expect(provider.status(of: try trip("old")).state == .absent)
        #expect(provider.status(of: lease.context).state == .fresh)
        #expect(provider.counters.evictions == 2)
    }

    // 49
    @Test func `when every key is pinned a newcomer is told so`() async throws {
        let clock = ManualClock()
        let policy = try TokenPolicy(keyLimit: 1)
        let scene = try TokenScene(policy: policy) { fetch in
            .token(TokenScene.token(fetch.context, clock, serial: fetch.number))
        }
        var lease = scene.provider.lease(for: scene.trip)
        _ = try await lease.token(validFor: .zero)
        await #expect(throws: TokenError.tooManyKeys(limit: 1)) {
            try await scene.provider.token(for: trip("newcomer"))
        }
        #expect(lease.token()?.generation == 1)
    }

    // 51
    @Test func `a lease has the new token at the call after a refresh`() async throws {
        let scene = try TokenScene()
        var lease = scene.provider.lease(for: scene.trip)
        #expect(try await lease.token(validFor: .zero).generation == 1)
        #expect(lease.token()?.generation == 1)
        scene.clock.advance(by: .seconds(60))
        let events = scene.provider.events()
        scene.provider.refresh(scene.trip)
        _ = await TokenScene.collect(events) { $0.isLanding }
        #expect(lease.token()?.generation == 2)
    }

    // 52
    @Test func `a lease that is gone lets the key lapse`() async throws {
        let scene = try TokenScene()
        do {
            var lease = scene.provider.lease(for: scene.trip)
            _ = try await lease.token(validFor: .zero)
            await scene.clock.sleepers()
        }
        scene.clock.advance(by: .seconds(3240))
        #expect(scene.source.fetches.count == 1)
        #expect(scene.provider.status(of: scene.trip).state == .stale)
    }

    // 62
    @Test func `a trip and a vehicle of one ID are two keys, and so are two spellings of one text`() async throws {
        let scene = try TokenScene()
        let vehicle = AuthorizationContext.vehicle(try VehicleID("trip-A"))
        #expect(vehicle != scene.trip)
        let one = try await scene.provider.token(for: scene.trip)
        let two = try await scene.provider.token(for: vehicle)
        #expect(one.fingerprint != two.fingerprint)
        #expect(try trip("caf\u{E9}") != trip("cafe\u{301}"))
    }

    // 62
    @Test func `providers of two audiences share nothing and take nothing that is for the other`() async throws {
        let clock = ManualClock()
        let context = try trip("trip-A")
        func provider(_ audience: String, handing out: String) -> TokenProvider {
            let source = ScriptedTokenSource { fetch in
                var token = FakeToken(fetch.context, issuedAt: clock.now().wall, serial: fetch.number)
                token.audience = out
                return .token(token.issued)
            }
            return TokenProvider(
                source: source,
                clock: clock,
                expectations: TokenExpectations(audience: audience),
                seed: 1
            )
        }
        let one = try await provider("https://one.example/", handing: "https://one.example/").token(for: context)
        let two = try await provider("https://two.example/", handing: "https://two.example/").token(for: context)
        #expect(one.fingerprint != two.fingerprint)
        await #expect(throws: TokenError.unusable(.wrongAudience, retryAfter: .seconds(1))) {
            try await provider("https://one.example/", handing: "https://two.example/").token(for: context)
        }
    }

    // 67
    @Test func `the ninth fetch waits for a place, and callers go before refreshes`() async throws {
        let scene = try TokenScene { _ in .gate }
        let tasks = try (0..<9).map { index in
            let context = try trip("k\(index)")
            return Task.immediate { try? await scene.provider.token(for: context) }  // only its end matters here
        }
        await scene.source.fetches(atLeast: 8)
        #expect(scene.provider.counters.inFlight == 8)
        let first = scene.source.fetches[0]
        scene.source.open(1, with: TokenScene.token(first.context, scene.clock, serial: 1))
        await scene.source.fetches(atLeast: 9)
        #expect(scene.source.fetches[8].context.id == "k8")
        await scene.provider.close()
        for task in tasks { _ = await task.value }
    }

    // 68
    @Test func `ten thousand keys at once are all served, eight at a time`() async throws {
        let scene = try TokenScene()
        let served = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<10_000 {
                group.addImmediateTask {
                    guard let trip = try? TripID("cold-\(index)") else { return false }  // every such ID is allowed
                    return (try? await scene.provider.token(for: .trip(trip))) != nil  // counted below
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(served == 10_000)
        #expect(scene.source.mostInFlight <= 8)
    }

    @Test func `more callers than may wait are told so`() async throws {
        let scene = try TokenScene(policy: try TokenPolicy(waiterLimit: 2)) { _ in .gate }
        let waiting = (0..<2).map { _ in Task.immediate { await scene.outcome() } }
        #expect(await scene.outcome().error == .tooManyWaiters(limit: 2))
        scene.source.open(1, with: scene.token(serial: 1))
        for task in waiting { #expect(await task.value.token != nil) }
    }
}
