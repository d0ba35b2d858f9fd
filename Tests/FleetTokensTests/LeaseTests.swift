import Foundation
import Synchronization
import Testing
import TripModel
import TripTestSupport

@testable import FleetTokens

@Suite("Token provider: leases", .ends(within: .minutes(10)))
struct LeaseTests {
    /// Holds a noncopyable lease, so that it can be stored in an array.
    private final class Hold: Sendable {
        let lease: TokenLease
        init(_ lease: consuming TokenLease) { self.lease = lease }
    }

    private func trip(_ name: String) throws -> AuthorizationContext { .trip(try TripID(name)) }

    // 51
    @Test func `a lease returns the new token on the first call after a refresh and takes no lock before`() async throws
    {
        let scene = try TokenScene()
        var lease = scene.provider.lease(for: scene.trip)
        #expect(try await lease.token(validFor: .zero).generation == 1)
        #expect(lease.token()?.generation == 1)
        // Taking the lock here would deadlock.
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
    func `a lease's copy of a token expires with the token`(bySteady: Bool) async throws {
        let clock = ManualClock()
        let scene = try TokenScene { fetch in
            fetch.number == 1 ? .token(TokenScene.token(fetch.context, clock, serial: 1)) : .gate
        }
        var lease = scene.provider.lease(for: scene.trip)
        _ = try await lease.token(validFor: .zero)
        #expect(lease.token() != nil)
        if bySteady {
            // At the exact deadline of the steady clock; by the wall clock the token is valid for 1 ms more.
            scene.clock.advance(by: .seconds(3270))
        } else {
            // The step wakes no sleeping task, so that no refresh happens in between.
            scene.clock.stepWall(by: .seconds(3271))
        }
        #expect(lease.token() == nil)
    }

    @Test func `a lease's copy of a token ends when the provider closes`() async throws {
        let scene = try TokenScene()
        var lease = scene.provider.lease(for: scene.trip)
        _ = try await lease.token(validFor: .zero)
        #expect(lease.token() != nil)
        await scene.provider.close()
        #expect(lease.token() == nil)
    }

    /// Advances the clock until the sleeping task wakes, and expects that it does not sleep again: no refresh is
    /// scheduled.
    private func outlastSleep(of scene: TokenScene, by duration: Duration) async {
        let sleep = scene.provider.state.withLock { $0.sleeper?.task }
        scene.clock.advance(by: duration)
        await sleep?.value
        #expect(sleep != nil)
        #expect(scene.clock.sleeping == 0)
        #expect(scene.provider.state.withLock { $0.sleeper == nil })
    }

    // 52
    @Test func `releasing a lease stops the refreshes of its key`() async throws {
        let scene = try TokenScene()
        do {
            var lease = scene.provider.lease(for: scene.trip)
            _ = try await lease.token(validFor: .zero)
            await scene.clock.sleepers()
        }
        await outlastSleep(of: scene, by: .seconds(3240))
        #expect(scene.source.fetches.count == 1)
        // Its refresh would be due, but no fetch has failed, so that the token is not stale.
        #expect(scene.provider.status(of: scene.trip).state == .fresh)
    }

    // 52
    @Test func `a lapsed key is not refreshed unless a lease holds it`() async throws {
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

    @Test func `one task sleeps for all held keys`() async throws {
        let scene = try TokenScene()
        let held = try (1...100).map { Hold(scene.provider.lease(for: try trip("\($0)"))) }
        for hold in held { _ = try await scene.provider.token(for: hold.lease.context) }
        await scene.clock.sleepers()
        #expect(scene.clock.sleeping == 1)
        #expect(scene.provider.counters.pinned == held.count)
    }

    @Test func `leases hold no more keys than the limit, with or without a token`() async throws {
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

    @Test func `leases of existing keys hold no more keys than the limit`() async throws {
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

    @Test func `leases of failed keys hold no more keys than the limit`() async throws {
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
