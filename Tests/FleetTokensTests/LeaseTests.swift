import Foundation
import Synchronization
import Testing
import TripModel
import TripTestSupport

@testable import FleetTokens

@Suite("Token provider: leases", .ends(within: .minutes(10)))
struct LeaseTests {
    /// A lease that a list can hold.
    private final class Hold: Sendable {
        let lease: TokenLease
        init(_ lease: consuming TokenLease) { self.lease = lease }
    }

    private func trip(_ name: String) throws -> AuthorizationContext { .trip(try TripID(name)) }

    // 51
    @Test func `a lease has the new token at the call after a refresh, and takes no lock before`() async throws {
        let scene = try TokenScene()
        var lease = scene.provider.lease(for: scene.trip)
        #expect(try await lease.token(validFor: .zero).generation == 1)
        #expect(lease.token()?.generation == 1)
        // Whoever took the lock here would wait for itself.
        let held = scene.provider.state.withLock { _ in lease.token() }
        #expect(held?.generation == 1)
        let events = scene.provider.events()
        await scene.clock.sleepers()
        scene.clock.advance(by: .seconds(52 * 60))
        let kinds = await TokenScene.collect(events) { $0.isLanding }.map(\.kind)
        #expect(kinds == [.fetching(.ahead), .stored(generation: 2)])
        #expect(lease.token()?.generation == 2)
    }

    @Test(arguments: [false, true])
    func `the copy that a lease holds is handed out no longer than the token itself`(bySteady: Bool) async throws {
        let clock = ManualClock()
        let scene = try TokenScene { fetch in
            fetch.number == 1 ? .token(TokenScene.token(fetch.context, clock, serial: 1)) : .gate
        }
        var lease = scene.provider.lease(for: scene.trip)
        _ = try await lease.token(validFor: .zero)
        #expect(lease.token() != nil)
        if bySteady {
            // The deadline itself: by the time of day it is good for a millisecond more.
            scene.clock.advance(by: .seconds(3270))
        } else {
            // Nobody is woken by it, so that no refresh comes in between.
            scene.clock.stepWall(by: .seconds(3271))
        }
        #expect(lease.token() == nil)
    }

    @Test func `the copy that a lease holds goes with the provider's end`() async throws {
        let scene = try TokenScene()
        var lease = scene.provider.lease(for: scene.trip)
        _ = try await lease.token(validFor: .zero)
        #expect(lease.token() != nil)
        await scene.provider.close()
        #expect(lease.token() == nil)
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

    @Test func `however many keys are held, one task sleeps for all of them`() async throws {
        let scene = try TokenScene()
        let held = try (1...100).map { Hold(scene.provider.lease(for: try trip("\($0)"))) }
        for hold in held { _ = try await scene.provider.token(for: hold.lease.context) }
        await scene.clock.sleepers()
        #expect(scene.clock.sleeping == 1)
        #expect(scene.provider.counters.pinned == held.count)
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
}
