import FleetTokens
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Token provider: limits", .ends(within: .quickTest))
struct BoundTests {
    private func trip(_ name: String) throws -> AuthorizationContext { .trip(try TripID(name)) }

    // 48
    @Test func `evicts expired keys first, then the least recently used`() async throws {
        let clock = ManualClock()
        let policy = try TokenPolicy(keyLimit: 2)
        let source = ScriptedTokenSource { fetch in
            let life: Duration = fetch.context.id == "short" ? .seconds(60) : .seconds(3300)
            return .token(TokenScene.token(fetch.context, clock, lifetime: life, serial: fetch.number))
        }
        let provider = TokenProvider(source: source, clock: clock, policy: policy, seed: 1)
        for name in ["old", "short"] {
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
        #expect(provider.status(of: try trip("fourth")).state == .fresh)
        #expect(provider.counters.evictions == 2)
    }

    // 48
    @Test func `a cache hit counts as a use, and a key with a waiting caller is never evicted`() async throws {
        let clock = ManualClock()
        let source = ScriptedTokenSource { fetch in
            if fetch.number == 4 { return .gate }
            let life: Duration = fetch.context.id == "waited for" ? .seconds(60) : .seconds(3300)
            return .token(TokenScene.token(fetch.context, clock, lifetime: life, serial: fetch.number))
        }
        let provider = TokenProvider(source: source, clock: clock, policy: try TokenPolicy(keyLimit: 3), seed: 1)
        for name in ["waited for", "read", "unread"] { _ = try await provider.token(for: trip(name)) }
        clock.advance(by: .seconds(70))
        // The first hit marks the key as in use. Later hits must count as well.
        for name in ["read", "unread", "read"] {
            clock.advance(by: .seconds(1))
            #expect(provider.cached(for: try trip(name)) != nil)
        }
        let late = try trip("waited for")
        let waiting = Task.immediate { try await provider.token(for: late) }
        await source.fetches(atLeast: 4)
        _ = try await provider.token(for: trip("newcomer"))
        #expect(provider.status(of: try trip("unread")).state == .absent)
        #expect(provider.cached(for: try trip("read")) != nil)
        source.open(4, with: TokenScene.token(late, clock, serial: 4))
        #expect(try await waiting.value.generation == 2)
        #expect(provider.counters.evictions == 1)
    }

    @Test func `evicts the least recently used sixteenth of a large cache at once`() async throws {
        let scene = try TokenScene(policy: try TokenPolicy(keyLimit: 32))
        for index in 0..<32 {
            _ = try await scene.provider.token(for: trip("k\(index)"))
            scene.clock.advance(by: .seconds(1))
        }
        #expect(scene.provider.cached(for: try trip("k0")) != nil)
        _ = try await scene.provider.token(for: trip("newcomer"))
        let gone = try (0..<32).filter { scene.provider.status(of: try trip("k\($0)")).state == .absent }
        #expect(gone == [1, 2])
        #expect(scene.provider.counters.evictions == 2)
        #expect(scene.provider.counters.keys == 31)
    }

    @Test func `an evicted key retains its minimum fetch interval, and a rejection of its old token is ignored`()
        async throws
    {
        let scene = try TokenScene(policy: try TokenPolicy(keyLimit: 1))
        let old = try await scene.provider.token(for: scene.trip)
        _ = try await scene.provider.token(for: trip("trip-B"))
        #expect(scene.provider.counters.evictions == 1)
        let caller = Task.immediate { try await scene.provider.token(for: scene.trip) }
        // The provider's own counter is checked as well, because the source sees a fetch only later.
        #expect(scene.provider.counters.inFlight == 0)
        #expect(scene.source.fetches.count == 2)
        scene.clock.advance(by: .seconds(1))
        let new = try await caller.value
        #expect(scene.source.fetches.count == 3)
        // The generation of the key starts again at 1, so that only the fingerprints differ.
        #expect(new.generation == old.generation)
        #expect(new.fingerprint != old.fingerprint)
        scene.provider.reject(old, for: scene.trip, status: 401)
        #expect(scene.provider.counters.ignoredRejections == 1)
        #expect(scene.provider.counters.rejections == 0)
        #expect(scene.provider.cached(for: scene.trip)?.fingerprint == new.fingerprint)
    }

    // 49
    @Test(arguments: [false, true])
    func `a new key fails with tooManyKeys when callers wait for every key`(withToken: Bool) async throws {
        let clock = ManualClock()
        let scene = try TokenScene(policy: try TokenPolicy(keyLimit: 1)) { fetch in
            withToken && fetch.number == 1 ? .token(TokenScene.token(fetch.context, clock, serial: 1)) : .gate
        }
        if withToken {
            _ = try await scene.provider.token(for: scene.trip)
            for clock in [clock, scene.clock] { clock.advance(by: .seconds(60)) }
        }
        // With a token, the caller waits because it requires a longer lifetime than is left.
        let waiting = Task.immediate { await scene.outcome(validFor: .seconds(3280)) }
        let number = withToken ? 2 : 1
        await scene.source.fetches(atLeast: number)
        await #expect(throws: TokenError.tooManyKeys(limit: 1)) {
            try await scene.provider.token(for: trip("newcomer"))
        }
        #expect(scene.provider.counters.keys == 1)
        scene.source.open(number, with: TokenScene.token(scene.trip, scene.clock, serial: 9))
        #expect(await waiting.value.token != nil)
    }

    // 62
    @Test func `a trip and a vehicle with the same ID are two keys, and so are two Unicode spellings`() async throws {
        let scene = try TokenScene()
        let vehicle = AuthorizationContext.vehicle(try VehicleID("trip-A"))
        #expect(vehicle != scene.trip)
        let one = try await scene.provider.token(for: scene.trip)
        let two = try await scene.provider.token(for: vehicle)
        #expect(one.fingerprint != two.fingerprint)
        #expect(try trip("caf\u{E9}") != trip("cafe\u{301}"))
    }

    // 62
    @Test func `providers for two audiences share no token and refuse tokens for the other audience`() async throws {
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
        await #expect(throws: TokenError.unusable(.tokenWrongAudience, retryAfter: .seconds(1))) {
            try await provider("https://one.example/", handing: "https://two.example/").token(for: context)
        }
    }

    // 67
    @Test func `the ninth fetch waits for a slot, and callers come before refreshes`() async throws {
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

    // 67
    @Test func `a caller gets a slot before refreshes that were queued earlier`() async throws {
        let policy = try TokenPolicy(fetchTimeout: .seconds(250), fetchLimit: 1)
        let scene = try TokenScene(policy: policy) { _ in .gate }
        let held = try ["a", "b"].map(trip)
        for (index, context) in held.enumerated() {
            async let token = scene.provider.token(for: context)
            await scene.source.fetches(atLeast: index + 1)
            scene.source.open(index + 1, with: TokenScene.token(context, scene.clock, serial: index))
            _ = try await token
            _ = scene.provider.cached(for: context)
        }
        // A fetch is in flight and holds the only slot. Then both refreshes become due, and a caller comes last.
        scene.clock.advance(by: .seconds(2940))
        let first = try trip("first")
        let waiting = Task.immediate { try await scene.provider.token(for: first) }
        await scene.source.fetches(atLeast: 3)
        scene.clock.advance(by: .seconds(181))
        for context in held { #expect(scene.provider.cached(for: context) != nil) }
        let last = try trip("last")
        let caller = Task.immediate { try await scene.provider.token(for: last) }
        // This caller needs a longer validity than the token that is queued for a refresh has left.
        let hasty = Task.immediate { try await scene.provider.token(for: held[1], validFor: .seconds(3000)) }
        var order: [AuthorizationContext] = []
        for number in 3...5 {
            let context = scene.source.fetches[number - 1].context
            scene.source.open(number, with: TokenScene.token(context, scene.clock, serial: number))
            await scene.source.fetches(atLeast: number + 1)
            order.append(scene.source.fetches[number].context)
        }
        #expect(order == [last, held[1], held[0]])
        // Closing resumes the callers that have not been served.
        await scene.provider.close()
        _ = try await (waiting.value, caller.value, hasty.value)
    }

    // 68
    @Test func `queued refreshes run in the order in which their tokens expire`() async throws {
        let policy = try TokenPolicy(fetchTimeout: .seconds(250), fetchLimit: 1)
        let scene = try TokenScene(policy: policy) { _ in .gate }
        // The token that is fetched last expires first.
        let lives: [(name: String, life: Double)] = [("long", 3300), ("middle", 3290), ("short", 3280)]
        for (index, key) in lives.enumerated() {
            let context = try trip(key.name)
            async let token = scene.provider.token(for: context)
            await scene.source.fetches(atLeast: index + 1)
            let issued = TokenScene.token(context, scene.clock, lifetime: .seconds(key.life), serial: index)
            scene.source.open(index + 1, with: issued)
            _ = try await token
        }
        scene.clock.advance(by: .seconds(2940))
        let first = try trip("first")
        let waiting = Task.immediate { try await scene.provider.token(for: first) }
        await scene.source.fetches(atLeast: 4)
        scene.clock.advance(by: .seconds(181))
        for key in lives { #expect(scene.provider.cached(for: try trip(key.name)) != nil) }
        var order: [String] = []
        for number in 4...6 {
            let context = scene.source.fetches[number - 1].context
            scene.source.open(number, with: TokenScene.token(context, scene.clock, serial: number))
            await scene.source.fetches(atLeast: number + 1)
            order.append(scene.source.fetches[number].context.id)
        }
        #expect(order == ["short", "middle", "long"])
        _ = try await waiting.value
        await scene.provider.close()
    }

    @Test func `cancelled callers leave no key behind`() async throws {
        let scene = try TokenScene(policy: try TokenPolicy(fetchLimit: 1, keyLimit: 10)) { _ in .gate }
        let first = Task.immediate { await scene.outcome() }
        await scene.source.fetches(atLeast: 1)
        for index in 0..<100 {
            let context = try trip("left-\(index)")
            let caller = Task.immediate { try? await scene.provider.token(for: context) }  // it is cancelled
            caller.cancel()
            _ = await caller.value
        }
        #expect(scene.provider.counters.keys == 1)
        scene.source.open(1, with: scene.token(serial: 1))
        #expect(await first.value.token != nil)
    }

    @Test func `refuses callers beyond the waiter limit with tooManyWaiters`() async throws {
        let scene = try TokenScene(policy: try TokenPolicy(waiterLimit: 2)) { _ in .gate }
        let waiting = (0..<2).map { _ in Task.immediate { await scene.outcome() } }
        #expect(await scene.outcome().error == .tooManyWaiters(limit: 2))
        scene.source.open(1, with: scene.token(serial: 1))
        for task in waiting { #expect(await task.value.token != nil) }
    }

    @Test func `a failed key that gets a token no longer counts as a failed key`() async throws {
        let clock = ManualClock()
        let scene = try TokenScene(policy: try TokenPolicy(keyLimit: 2, negativeKeyLimit: 1)) { fetch in
            fetch.number == 1 || fetch.context.id == "bad"
                ? .failure(.sourceTimedOut) : .token(TokenScene.token(fetch.context, clock, serial: fetch.number))
        }
        #expect(await scene.outcome().error != nil)
        scene.clock.advance(by: .seconds(30))
        #expect(await scene.outcome().token != nil)
        await #expect(throws: TokenError.self) { try await scene.provider.token(for: trip("bad")) }
        #expect(scene.provider.counters.evictions == 0)
        #expect(scene.provider.counters.keys == 2)
        _ = try await scene.provider.token(for: trip("another"))
        #expect(scene.provider.counters.keys == 3)
    }

    @Test func `forgetting a failed key frees its slot`() async throws {
        let scene = try TokenScene { _ in .failure(.sourceTimedOut) }
        #expect(await scene.outcome().error != nil)
        scene.clock.advance(by: .seconds(1))
        scene.provider.forget(scene.trip)
        #expect(scene.provider.counters.keys == 0)
    }
}
