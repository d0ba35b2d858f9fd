import FleetTokens
import Runtime
import Testing
import TripModel
import TripTestSupport

/// Tests of tens of thousands of fetches, each in a process of its own.
///
/// Each fetch switches between several tasks. In the process of all tests, each switch would wait for the tests that compute.
@Suite("Token provider: many fetches", .serialized, .ends(within: .longTest))
struct ManyFetchesTests {
    // 47
    @Test func `a flood of denied IDs does not evict live keys`() async throws {
        try await SeparateProcess.run { try await ManyFetches.flood() }
    }

    // 68
    @Test func `three thousand simultaneous keys are all served, eight fetches at a time`() async throws {
        try await SeparateProcess.run { try await ManyFetches.simultaneousKeys() }
    }

    // 35
    @Test func `every caller resumes exactly once for any order of cancellation and completion`() async throws {
        try await SeparateProcess.run { try await ManyFetches.randomCancellations() }
    }
}

private enum ManyFetches {
    static func flood() async throws {
        let clock = ManualClock()
        let policy = try TokenPolicy(keyLimit: 20, negativeKeyLimit: 50)
        let scene = try TokenScene(policy: policy) { fetch in
            fetch.context.id.hasPrefix("live")
                ? .token(TokenScene.token(fetch.context, clock, serial: fetch.number))
                : .failure(.sourceStatus(404, retryAfter: nil))
        }
        for index in 0..<20 { _ = try await scene.provider.token(for: trip("live-\(index)")) }
        var random = SeededGenerator(seed: 47)
        var denied = 0
        for _ in 0..<repetitions(20_000) {
            let context = try trip("random-\(random.next())")
            do throws(TokenError) {
                _ = try await scene.provider.token(for: context)
            } catch {
                denied += 1
            }
        }
        #expect(denied == repetitions(20_000))
        for index in 0..<20 { #expect(scene.provider.cached(for: try trip("live-\(index)")) != nil) }
        #expect(scene.provider.counters.keys <= 70)
    }

    static func simultaneousKeys() async throws {
        let scene = try TokenScene { _ in .gate }
        let count = repetitions(3000)
        let contexts = try (0..<count).map { try trip("cold-\($0)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for context in contexts { group.addImmediateTask { _ = try await scene.provider.token(for: context) } }
            for first in stride(from: 1, through: count, by: 8) {
                let last = min(first + 7, count)
                await scene.source.fetches(atLeast: last)
                let fetches = scene.source.fetches
                // All before have ended, so that eight may have begun: a fetch ends only when its gate is opened here.
                #expect(fetches.count == last)
                for number in first...last {
                    let token = TokenScene.token(fetches[number - 1].context, scene.clock, serial: number)
                    scene.source.open(number, with: token)
                }
            }
            try await group.waitForAll()
        }
        #expect(scene.source.fetches.count == count)
        #expect(scene.source.mostInFlight == 8)
    }

    /// A continuation that is resumed twice traps; one that is never resumed hangs until the deadline.
    static func randomCancellations() async throws {
        var random = SeededGenerator(seed: 35)
        for round in 0..<repetitions(3000) {
            let scene = try TokenScene { _ in .gate }
            let callers = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                Task.immediate { await scene.outcome() }
            }
            // Cancels callers and completes the fetch in a random order. Completion runs in a task of its own.
            let cancelled = callers.indices.filter { _ in Bool.random(using: &random) }
            for step in (cancelled + [-1]).shuffled(using: &random) {
                if step < 0 { scene.source.open(1, with: scene.token(serial: round)) } else { callers[step].cancel() }
            }
            for (index, caller) in callers.enumerated() {
                let outcome = await caller.value
                let isServed = outcome.token?.generation == 1
                #expect(isServed || (cancelled.contains(index) && outcome.error == .cancelled))
            }
        }
    }

    private static func trip(_ name: String) throws -> AuthorizationContext { .trip(try TripID(name)) }
}
