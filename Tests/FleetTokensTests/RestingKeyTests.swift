import FleetTokens
import Testing
import TripModel
import TripTestSupport

@Suite("Token provider: keys that nobody needs any more", .ends(within: .minutes(10)))
struct RestingKeyTests {
    private func trip(_ number: Int) throws -> AuthorizationContext { .trip(try TripID("t\(number)")) }

    @Test func `the last thousand are kept for those who come back`() async throws {
        let scene = try TokenScene()
        for number in 0..<1500 {
            _ = try await scene.provider.token(for: trip(number))
            scene.provider.lapse(try trip(number))
        }
        #expect(scene.provider.counters.keys == 1000)
        #expect(scene.provider.counters.evictions == 500)
        #expect(scene.provider.cached(for: try trip(499)) == nil)
        #expect(scene.provider.cached(for: try trip(500)) != nil)
    }

    @Test func `a key that is asked for again is needed again`() async throws {
        let scene = try TokenScene()
        _ = try await scene.provider.token(for: trip(0))
        scene.provider.lapse(try trip(0))
        #expect(scene.provider.cached(for: try trip(0)) != nil)
        for number in 1..<1500 {
            _ = try await scene.provider.token(for: trip(number))
            scene.provider.lapse(try trip(number))
        }
        #expect(scene.provider.cached(for: try trip(0)) != nil)
        scene.provider.lapse(try trip(0))
        scene.provider.lapse(try trip(0))
        #expect(scene.provider.counters.keys == 1000)
    }

    @Test func `a key that a lease holds stays, however often it is said not to be needed`() async throws {
        let scene = try TokenScene()
        let lease = scene.provider.lease(for: try trip(0))
        _ = try await scene.provider.token(for: trip(0))
        scene.provider.lapse(try trip(0))
        for number in 1..<1500 {
            _ = try await scene.provider.token(for: trip(number))
            scene.provider.lapse(try trip(number))
        }
        #expect(scene.provider.status(of: lease.context).state == .fresh)
        #expect(scene.provider.counters.keys == 1001)
    }
}
