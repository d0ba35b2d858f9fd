import FleetTokens
import Foundation
import Testing
import TripModel
import TripTestSupport

@Suite("Token provider: fetching and caching", .ends(within: .quickTest))
struct ProviderBasicsTests {
    // 1
    @Test func `the first call fetches once and the key changes from absent to fetching to fresh`() async throws {
        let scene = try TokenScene { _ in .gate }
        #expect(scene.provider.status(of: scene.trip).state == .absent)
        async let token = scene.provider.token(for: scene.trip)
        await scene.source.fetches(atLeast: 1)
        #expect(scene.provider.status(of: scene.trip).state == .fetching)
        scene.source.open(1, with: scene.token(serial: 1))
        #expect(try await token.generation == 1)
        #expect(scene.provider.status(of: scene.trip).state == .fresh)
        #expect(scene.source.fetches.count == 1)
    }

    // 2
    @Test func `serves the second call from the cache`() async throws {
        let scene = try TokenScene()
        let first = try await scene.provider.token(for: scene.trip)
        let second = try await scene.provider.token(for: scene.trip)
        #expect(first.fingerprint == second.fingerprint)
        #expect(second.generation == 1)
        #expect(scene.source.fetches.count == 1)
    }

    // 3
    @Test func `a thousand simultaneous callers share one fetch`() async throws {
        let scene = try TokenScene { _ in .gate }
        let tokens = try await withThrowingTaskGroup(of: BearerToken.self) { group in
            // An immediate task runs until it suspends: after the loop all thousand callers are waiting.
            for _ in 0..<1000 { group.addImmediateTask { try await scene.provider.token(for: scene.trip) } }
            scene.source.open(1, with: scene.token(serial: 1))
            return try await group.reduce(into: [BearerToken]()) { $0.append($1) }
        }
        #expect(tokens.count == 1000)
        #expect(Set(tokens.map(\.fingerprint)).count == 1)
        #expect(scene.source.fetches.count == 1)
        #expect(scene.provider.counters.joins == 999)
    }

    // 4
    @Test func `fetches two keys concurrently`() async throws {
        let scene = try TokenScene { _ in .gate }
        let other = AuthorizationContext.trip(try TripID("trip-B"))
        async let one = scene.provider.token(for: scene.trip)
        async let two = scene.provider.token(for: other)
        await scene.source.fetches(atLeast: 2)
        for fetch in scene.source.fetches {
            scene.source.open(fetch.number, with: TokenScene.token(fetch.context, scene.clock, serial: fetch.number))
        }
        #expect(try await one.fingerprint != two.fingerprint)
    }

    // 5
    @Test func `a slow key does not delay a fast one`() async throws {
        let clock = ManualClock()
        let scene = try TokenScene { fetch in
            fetch.context.id == "trip-A" ? .gate : .token(TokenScene.token(fetch.context, clock, serial: 1))
        }
        async let slow = scene.provider.token(for: scene.trip)
        await scene.source.fetches(atLeast: 1)
        let fast = try await scene.provider.token(for: .trip(try TripID("trip-B")))
        #expect(fast.generation == 1)
        scene.source.open(1, with: scene.token(serial: 2))
        _ = try await slow
    }

    @Test func `a log shows only the end of an ID and escapes its control characters`() throws {
        func shown(_ id: String) throws -> String { "\(AuthorizationContext.trip(try TripID(id)))" }
        #expect(try shown("trip-4f2a") == "trip …4f2a")
        #expect(try shown("trip\u{1b}[2J") == #"trip …\u{1B}[2J"#)
        #expect(try shown("a\r\n\u{202e}x") == #"trip …\r\n\u{202E}x"#)
        #expect(try shown("e" + String(repeating: "\u{301}", count: 200)).count < 60)
    }

    @Test func `requests no token for all trips unless that is allowed`() async throws {
        let all = AuthorizationContext.trip(try TripID("*"))
        let scene = try TokenScene()
        await #expect { try await scene.provider.token(for: all) } throws: {
            ($0 as? TokenError)?.code == "unusable.over_broad"
        }
        #expect(scene.source.fetches.isEmpty)
        var expectations = TokenExpectations()
        expectations.allowsWildcard = true
        let server = try TokenScene(expectations: expectations)
        _ = try await server.provider.token(for: all)
    }
}
