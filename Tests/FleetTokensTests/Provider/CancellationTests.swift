import Failures
import FleetTokens
import Foundation
import Testing
import TripModel
import TripTestSupport

@Suite("Token provider: cancellation", .ends(within: .quickTest))
struct CancellationTests {
    /// The result of a call in a task that is cancelled before it starts.
    private func cancelledOutcome(
        _ scene: TokenScene,
        validFor: Duration = .zero
    ) async -> Result<BearerToken, TokenError>? {
        await withTaskGroup(of: Result<BearerToken, TokenError>.self) { group in
            group.cancelAll()
            group.addTask { await scene.outcome(validFor: validFor) }
            return await group.next()
        }
    }

    // 29
    @Test func `a cancelled caller returns at once and the others get the token`() async throws {
        let scene = try TokenScene { _ in .gate }
        let first = Task.immediate { await scene.outcome() }
        let others = (0..<2).map { _ in Task.immediate { await scene.outcome() } }
        first.cancel()
        #expect(await first.value.error == .cancelled)
        scene.source.open(1, with: scene.token(serial: 1))
        for other in others { #expect(await other.value.token?.generation == 1) }
        #expect(scene.provider.counters.cancelledWaits == 1)
    }

    // 30, 33
    @Test func `the fetch continues after the last caller is cancelled and does not count as a failure`() async throws {
        let scene = try TokenScene { _ in .gate }
        let events = scene.provider.events()
        let only = Task.immediate { await scene.outcome() }
        only.cancel()
        #expect(await only.value.error == .cancelled)
        // Checked before the token arrives, because storing a token resets both.
        let status = scene.provider.status(of: scene.trip)
        #expect(status.failures == 0)
        #expect(status.retryAt == nil)
        #expect(status.state == .fetching)
        scene.source.open(1, with: scene.token(serial: 1))
        let kinds = await TokenScene.collect(events) { $0.endsFetch }.map(\.kind)
        #expect(kinds == [.fetching(.needed), .stored(generation: 1)])
        #expect(scene.provider.cached(for: scene.trip)?.generation == 1)
        #expect(scene.provider.counters.failures.isEmpty)
    }

    // 31
    @Test func `a caller that is already cancelled starts no fetch`() async throws {
        let scene = try TokenScene()
        #expect(await cancelledOutcome(scene)?.error == .cancelled)
        #expect(scene.source.fetches.isEmpty)
    }

    // 32
    @Test func `a cancelled caller still gets a cached token`() async throws {
        let scene = try TokenScene()
        _ = try await scene.provider.token(for: scene.trip)
        #expect(await cancelledOutcome(scene)?.token?.generation == 1)
    }

    // 34
    @Test func `a source that throws a cancellation error by itself counts as failed`() async throws {
        let scene = try TokenScene { _ in .failure(.sourceCancelled) }
        let error = await scene.outcome().error
        #expect(error?.failure.cause == .sourceCancelled)
        let status = scene.provider.status(of: scene.trip)
        #expect(status.state == .failing)
        #expect(status.retryAt != nil)
        let again = await scene.outcome().error
        #expect(again?.code == "unavailable.cancelled")
        #expect(scene.source.fetches.count == 1)
    }

    // 36
    @Test func `a caller gives up at its own deadline and the token is still cached`() async throws {
        let scene = try TokenScene { _ in .gate }
        let events = scene.provider.events()
        let caller = Task.immediate { await scene.outcome() }
        let deadline = Task.immediate { [clock = scene.clock] in
            try await clock.sleep(until: .seconds(1))
            caller.cancel()
        }
        scene.clock.advance(by: .seconds(1))
        try await deadline.value
        #expect(await caller.value.error == .cancelled)
        scene.clock.advance(by: .seconds(2))
        scene.source.open(1, with: scene.token(serial: 1))
        _ = await TokenScene.collect(events) { $0.endsFetch }
        #expect(scene.provider.cached(for: scene.trip) != nil)
    }

    // 37, 38
    @Test func `a fetch that never ends times out after 10 s and its late answer is discarded`() async throws {
        let scene = try TokenScene { _ in .stubbornGate }
        let events = scene.provider.events()
        let caller = Task.immediate { await scene.outcome() }
        await scene.source.fetches(atLeast: 1)
        await scene.clock.sleepers()
        scene.clock.advance(by: .seconds(10))
        #expect(await caller.value.error?.failure.cause == .sourceTimedOut)
        await scene.source.cancellations(atLeast: 1)
        #expect(scene.provider.counters.inFlight == 0)
        scene.source.open(1, with: scene.token(serial: 1))
        _ = await TokenScene.collect(events) { $0 == .discardedLate }
        #expect(scene.provider.counters.discardedLate == 1)
        #expect(scene.provider.cached(for: scene.trip) == nil)
    }

    @Test func `the fetch timeout of 10 s is measured in real time`() async throws {
        let scene = try TokenScene(speed: 60) { _ in .gate }
        let caller = Task.immediate { await scene.outcome() }
        await scene.clock.sleepers()
        #expect(scene.clock.earliest == .seconds(600))
        caller.cancel()
        await scene.provider.close()
    }

    @Test func `a cancelled caller gets a cached token only if it lasts long enough`() async throws {
        let scene = try TokenScene()
        _ = try await scene.provider.token(for: scene.trip)
        #expect(await cancelledOutcome(scene, validFor: .seconds(5))?.token?.generation == 1)
        #expect(await cancelledOutcome(scene, validFor: .seconds(3400))?.error == .cancelled)
    }
}
