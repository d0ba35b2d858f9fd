import FleetTokens
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Token provider: keys that are no longer needed", .ends(within: .quickTest))
struct ReleasedKeyTests {
    private func trip(_ number: Int) throws -> AuthorizationContext { .trip(try TripID("t\(number)")) }

    // 52
    @Test func `retains the last 1000 released keys`() async throws {
        let scene = try TokenScene()
        for number in 0..<1500 {
            _ = try await scene.provider.token(for: trip(number))
            scene.provider.stopRefreshing(try trip(number))
        }
        #expect(scene.provider.counters.keys == 1000)
        #expect(scene.provider.counters.evictions == 500)
        #expect(scene.provider.cached(for: try trip(499)) == nil)
        #expect(scene.provider.cached(for: try trip(500)) != nil)
    }

    @Test func `a released key that is requested again counts as needed`() async throws {
        let scene = try TokenScene()
        _ = try await scene.provider.token(for: trip(0))
        scene.provider.stopRefreshing(try trip(0))
        #expect(scene.provider.cached(for: try trip(0)) != nil)
        for number in 1..<1500 {
            _ = try await scene.provider.token(for: trip(number))
            scene.provider.stopRefreshing(try trip(number))
        }
        #expect(scene.provider.cached(for: try trip(0)) != nil)
        scene.provider.stopRefreshing(try trip(0))
        scene.provider.stopRefreshing(try trip(0))
        #expect(scene.provider.counters.keys == 1000)
    }

    @Test func `a released key is retained while its fetch is in flight`() async throws {
        let start = ManualClock().now().wall
        let scene = try TokenScene { fetch in
            fetch.context.id == "t0" && fetch.number > 1
                ? .gate : .token(FakeToken(fetch.context, issuedAt: start, serial: fetch.number).issued)
        }
        _ = try await scene.provider.token(for: trip(0))
        scene.provider.stopRefreshing(try trip(0))
        scene.clock.advance(by: .seconds(2))
        scene.provider.refresh(try trip(0))
        await scene.source.fetches(atLeast: 2)
        for number in 1..<1500 {
            _ = try await scene.provider.token(for: trip(number))
            scene.provider.stopRefreshing(try trip(number))
        }
        #expect(scene.provider.peek(at: try trip(0)) != nil)
        #expect(scene.provider.peek(at: try trip(1)) == nil)
        await scene.provider.close()
    }

    // 51
    @Test func `a released key is not refreshed until the next call for its token`() async throws {
        let scene = try TokenScene()
        _ = try await scene.provider.token(for: scene.trip)
        _ = scene.provider.cached(for: scene.trip)
        #expect(scene.provider.counters.nextRefresh != nil)
        scene.provider.stopRefreshing(scene.trip)
        #expect(scene.provider.counters.nextRefresh == nil)
        await scene.clock.sleepers()
        scene.clock.advance(by: .seconds(3240))
        #expect(scene.source.fetches.count == 1)
        // Its refresh would be due, but no fetch has failed, so that the token is not stale.
        #expect(scene.provider.status(of: scene.trip).state == .fresh)
        #expect(scene.provider.cached(for: scene.trip)?.generation == 1)
        await scene.source.fetches(atLeast: 2)
    }

    @Test func `one timer waits for all keys in use`() async throws {
        let scene = try TokenScene()
        for number in 0..<100 {
            _ = try await scene.provider.token(for: trip(number))
            _ = scene.provider.cached(for: try trip(number))
        }
        await scene.clock.sleepers()
        #expect(scene.clock.sleeping == 1)
    }
}
