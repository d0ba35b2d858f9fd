import Foundation
import Synchronization
import Testing
import TripModel
import TripTestSupport

@testable import FleetTokens

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
        for _ in 0..<repetitions(100_000) {
            let context = try trip("random-\(random.next())")
            do throws(TokenError) {
                _ = try await scene.provider.token(for: context)
            } catch {
                denied += 1
            }
        }
        #expect(denied == repetitions(100_000))
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

    // 48
    @Test func `a hit is a use like any other, and a key that is waited for stays however old its token`() async throws
    {
        let clock = ManualClock()
        let source = ScriptedTokenSource { fetch in
            if fetch.number == 4 { return .gate }
            let life: Duration = fetch.context.id == "waited for" ? .seconds(60) : .seconds(3300)
            return .token(TokenScene.token(fetch.context, clock, lifetime: life, serial: fetch.number))
        }
        let provider = TokenProvider(source: source, clock: clock, policy: try TokenPolicy(keyLimit: 3), seed: 1)
        for name in ["waited for", "read", "unread"] { _ = try await provider.token(for: trip(name)) }
        clock.advance(by: .seconds(70))
        // The first hit makes it a key in use; the second is served without a look at anything else, and counts as well.
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

    /// Lets the sleeping task wake, and expects that it finds no time to sleep until any more: no refresh can come.
    private func outlastSleep(of scene: TokenScene, by duration: Duration) async {
        let sleep = scene.provider.state.withLock { $0.sleeper?.task }
        scene.clock.advance(by: duration)
        await sleep?.value
        #expect(sleep != nil)
        #expect(scene.clock.sleeping == 0)
        #expect(scene.provider.state.withLock { $0.sleeper == nil })
    }

    // 52
    @Test func `a lease that is gone lets the key lapse`() async throws {
        let scene = try TokenScene()
        do {
            var lease = scene.provider.lease(for: scene.trip)
            _ = try await lease.token(validFor: .zero)
            await scene.clock.sleepers()
        }
        await outlastSleep(of: scene, by: .seconds(3240))
        #expect(scene.source.fetches.count == 1)
        // Its next one would be due; nobody has failed to get it.
        #expect(scene.provider.status(of: scene.trip).state == .fresh)
    }

    // 52
    @Test func `a key that its readers let lapse is refreshed no more, unless a lease holds it`() async throws {
        let scene = try TokenScene()
        _ = try await scene.provider.token(for: scene.trip)
        _ = scene.provider.cached(for: scene.trip)
        await scene.clock.sleepers()
        scene.provider.lapse(scene.trip)
        await outlastSleep(of: scene, by: .seconds(30))
        #expect(scene.provider.cached(for: scene.trip) != nil)
        scene.provider.lapse(scene.trip)
        let lease = scene.provider.lease(for: scene.trip)
        scene.provider.lapse(lease.context)
        await scene.clock.sleepers()
        #expect(scene.provider.counters.nextRefresh != nil)
        #expect(scene.provider.counters.pinned == 1)
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

    // 67
    @Test func `a caller goes before the refreshes that came before it`() async throws {
        let policy = try TokenPolicy(flightTimeout: .seconds(250), flightLimit: 1)
        let scene = try TokenScene(policy: policy) { _ in .gate }
        let held = try ["a", "b"].map(trip)
        for (index, context) in held.enumerated() {
            async let token = scene.provider.token(for: context)
            await scene.source.fetches(atLeast: index + 1)
            scene.source.open(index + 1, with: TokenScene.token(context, scene.clock, serial: index))
            _ = try await token
            _ = scene.provider.cached(for: context)
        }
        // A fetch is in the air and holds the only place; then both refreshes are due, and at last a caller comes.
        scene.clock.advance(by: .seconds(2940))
        let first = try trip("first")
        let waiting = Task.immediate { try await scene.provider.token(for: first) }
        await scene.source.fetches(atLeast: 3)
        scene.clock.advance(by: .seconds(181))
        for context in held { #expect(scene.provider.cached(for: context) != nil) }
        let last = try trip("last")
        let caller = Task.immediate { try await scene.provider.token(for: last) }
        scene.source.open(3, with: TokenScene.token(first, scene.clock, serial: 3))
        await scene.source.fetches(atLeast: 4)
        #expect(scene.source.fetches[3].context == last)
        scene.source.open(4, with: TokenScene.token(last, scene.clock, serial: 4))
        await scene.source.fetches(atLeast: 5)
        #expect(scene.source.fetches[4].context == held[0])
        _ = try await (waiting.value, caller.value)
        await scene.provider.close()
    }

    // 68
    @Test func `refreshes that wait for a place go by the end of their tokens`() async throws {
        let policy = try TokenPolicy(flightTimeout: .seconds(250), flightLimit: 1)
        let scene = try TokenScene(policy: policy) { _ in .gate }
        // The one that comes last ends first.
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

    @Test func `leases that never fetched and callers that left leave no key behind`() async throws {
        let scene = try TokenScene(policy: try TokenPolicy(flightLimit: 1, keyLimit: 10)) { _ in .gate }
        for index in 0..<100 { _ = scene.provider.lease(for: try trip("leased-\(index)")) }
        #expect(scene.provider.counters.keys == 0)
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

    @Test func `more callers than may wait are told so`() async throws {
        let scene = try TokenScene(policy: try TokenPolicy(waiterLimit: 2)) { _ in .gate }
        let waiting = (0..<2).map { _ in Task.immediate { await scene.outcome() } }
        #expect(await scene.outcome().error == .tooManyWaiters(limit: 2))
        scene.source.open(1, with: scene.token(serial: 1))
        for task in waiting { #expect(await task.value.token != nil) }
    }

    @Test func `no more keys are held than there are places, whether they have a token yet or not`() async throws {
        let scene = try TokenScene(policy: try TokenPolicy(keyLimit: 10))
        let provider = scene.provider
        var held = try (1...10).map { Hold(provider.lease(for: try trip("\($0)"))) }
        for hold in held.prefix(5) { _ = try await provider.token(for: hold.lease.context) }
        for name in ["11", "12", "13"] {
            await #expect(throws: TokenError.tooManyKeys(limit: 10)) { try await provider.token(for: trip(name)) }
        }
        #expect(provider.counters.keys == 10)
        #expect(provider.counters.pinned == 10)
        held = []
        #expect(provider.counters.keys == 5)
        _ = try await provider.token(for: trip("11"))
    }

    /// A lease that a list can hold.
    private final class Hold: Sendable {
        let lease: TokenLease
        init(_ lease: consuming TokenLease) { self.lease = lease }
    }

    @Test func `a key that failed and has its token now stands no longer among those that failed`() async throws {
        let clock = ManualClock()
        let scene = try TokenScene(policy: try TokenPolicy(keyLimit: 2, negativeKeyLimit: 1)) { fetch in
            fetch.number == 1 || fetch.context.id == "bad"
                ? .failure(.timedOut) : .token(TokenScene.token(fetch.context, clock, serial: fetch.number))
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

    @Test func `nor are more held by leases of keys that were there before`() async throws {
        let scene = try TokenScene(policy: try TokenPolicy(keyLimit: 10))
        let provider = scene.provider
        for name in 1...10 { _ = try await provider.token(for: trip("\(name)")) }
        let new = try (11...20).map { Hold(provider.lease(for: try trip("\($0)"))) }
        let old = try (1...10).map { Hold(provider.lease(for: try trip("\($0)"))) }
        #expect(provider.counters.pinned == 10)
        for hold in new { _ = try await provider.token(for: hold.lease.context) }
        #expect(provider.counters.keys == 10)
        #expect(old.count == 10)
    }

    @Test func `nor by leases of keys that only failed so far`() async throws {
        let isUp = Atomic(false)
        let clock = ManualClock()
        let scene = try TokenScene(policy: try TokenPolicy(keyLimit: 10, negativeKeyLimit: 100)) { fetch in
            isUp.load(ordering: .acquiring)
                ? .token(TokenScene.token(fetch.context, clock, serial: fetch.number)) : .failure(.timedOut)
        }
        for name in 1...20 {
            let context = try trip("\(name)")
            await #expect(throws: TokenError.self) { try await scene.provider.token(for: context) }
        }
        let held = try (1...20).map { Hold(scene.provider.lease(for: try trip("\($0)"))) }
        #expect(scene.provider.counters.pinned == 10)
        isUp.store(true, ordering: .releasing)
        scene.clock.advance(by: .seconds(60))
        for hold in held.prefix(10) { _ = try await scene.provider.token(for: hold.lease.context) }
        #expect(scene.provider.counters.pinned == 10)
    }

    @Test func `a failed key that is forgotten leaves its place`() async throws {
        let scene = try TokenScene { _ in .failure(.timedOut) }
        #expect(await scene.outcome().error != nil)
        scene.clock.advance(by: .seconds(1))
        scene.provider.forget(scene.trip)
        #expect(scene.provider.counters.keys == 0)
    }
}
