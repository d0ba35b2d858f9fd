import FleetTokens
import Testing
import TripModel
import TripTestSupport

@Suite("Token provider: keys that are no longer needed", .ends(within: .minutes(10)))
struct RestingKeyTests {
    private func trip(_ number: Int) throws -> AuthorizationContext { .trip(try TripID("t\(number)")) }

    @Test func `keeps the last 1000 lapsed keys`() async throws {
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

    @Test func `a lapsed key that is requested again counts as needed`() async throws {
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

    @Test func `a leased key is kept although it lapses`() async throws {
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
