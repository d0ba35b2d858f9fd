import FleetTokens
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Token provider: events and closing", .ends(within: .quickTest))
struct LifecycleTests {
    // 69
    @Test func `closing resumes every waiting caller once, cancels the source and ends the events`() async throws {
        let scene = try TokenScene { _ in .gate }
        let events = scene.provider.events()
        let callers = (0..<100).map { _ in Task.immediate { await scene.outcome() } }
        await scene.source.fetches(atLeast: 1)
        await scene.provider.close()
        for caller in callers { #expect(await caller.value.error == .closed) }
        #expect(scene.source.cancelled == [1])
        var last: TokenEvent.Kind?
        for await event in events { last = event.kind }
        #expect(last == .closed)
        #expect(await scene.outcome().error == .closed)
        #expect(scene.provider.status(of: scene.trip).state == .closed)
    }

    @Test func `forgetting a key removes its token and cancels its waiting callers`() async throws {
        let clock = ManualClock()
        let scene = try TokenScene { fetch in
            fetch.number == 2 ? .gate : .token(TokenScene.token(fetch.context, clock, serial: fetch.number))
        }
        let first = try await scene.provider.token(for: scene.trip)
        _ = scene.provider.cached(for: scene.trip)
        scene.clock.advance(by: .seconds(1))
        scene.provider.forget(scene.trip)
        #expect(scene.provider.cached(for: scene.trip) == nil)
        #expect(scene.provider.status(of: scene.trip).state == .absent)
        #expect(scene.provider.counters.keys == 0)
        let waiting = Task.immediate { await scene.outcome() }
        await scene.source.fetches(atLeast: 2)
        scene.provider.forget(scene.trip)
        #expect(await waiting.value.error == .cancelled)
        await scene.source.cancellations(atLeast: 1)
        // The key is fetched again, but not before the minimum interval between two fetches has passed.
        let next = Task.immediate { await scene.outcome() }
        await scene.clock.sleepers()
        #expect(scene.source.fetches.count == 2)
        scene.clock.advance(by: .seconds(1))
        let third = await next.value.token
        #expect(third != nil && third?.fingerprint != first.fingerprint)
        scene.provider.forget(scene.trip)
        #expect(scene.provider.cached(for: scene.trip) == nil)
        #expect(scene.source.fetches.count == 3)
        scene.provider.forget(try .trip(TripID("unknown")))
    }

    // 70
    @Test func `a released provider is deallocated and cancels its fetch`() async throws {
        let clock = ManualClock()
        let source = ScriptedTokenSource { fetch in
            fetch.number == 2 ? .gate : .token(TokenScene.token(fetch.context, clock, serial: 1))
        }
        weak var dropped: TokenProvider?
        let events: AsyncStream<TokenEvent>
        do {
            let provider = TokenProvider(source: source, clock: clock, seed: 1)
            dropped = provider
            events = provider.events()
            let trip = AuthorizationContext.trip(try TripID("trip-A"))
            _ = try await provider.token(for: trip)
            _ = provider.cached(for: trip)
            await clock.sleepers()
            clock.advance(by: .seconds(1))
            provider.refresh(trip)
            await source.fetches(atLeast: 2)
        }
        await source.cancellations(atLeast: 1)
        // The task that completes the fetch retains the provider a moment longer; the events end with the provider.
        for await _ in events {}
        #expect(dropped == nil)
        #expect(clock.sleeping == 0)
    }

    // 72
    @Test func `publishes the events of a key's life in order`() async throws {
        let clock = ManualClock()
        let source = ScriptedTokenSource { fetch in
            switch fetch.reason {
            case .ahead: return .failure(.sourceStatus(503, retryAfter: nil))
            case .retry:
                let service = clock.now().wall - 300
                var issued = FakeToken(fetch.context, issuedAt: service, serial: fetch.number).issued
                issued.serverDate = service
                return .token(issued)
            default: return .token(TokenScene.token(fetch.context, clock, serial: fetch.number))
            }
        }
        let provider = TokenProvider(source: source, clock: clock, seed: 1)
        let events = provider.events()
        let trip = AuthorizationContext.trip(try TripID("trip-A"))
        let token = try await provider.token(for: trip)
        clock.advance(by: .seconds(60))
        provider.reject(token, for: trip, status: 401)
        _ = try await provider.token(for: trip)
        // The key was read, so that it is refreshed ahead. That refresh fails and is retried while the token is still
        // valid.
        #expect(provider.cached(for: trip)?.generation == 2)
        clock.advance(by: .seconds(52 * 60))
        var kinds = await TokenScene.collect(events) { $0 == .fetching(.ahead) }.map(\.kind)
        kinds += await TokenScene.collect(events) { $0.endsFetch }.map(\.kind)
        clock.advance(by: .seconds(1))
        kinds += await TokenScene.collect(events) { $0.endsFetch }.map(\.kind)
        provider.forget(trip)
        await provider.close()
        kinds += await TokenScene.collect(events) { $0 == .closed }.map(\.kind)
        let unavailable = TokenError.unavailable(.sourceStatus(503, retryAfter: nil), retryAfter: .seconds(1))
        let expected: [TokenEvent.Kind] = [
            .fetching(.needed), .stored(generation: 1), .rejected(status: 401), .fetching(.rejected),
            .stored(generation: 2), .fetching(.ahead), .failed(unavailable), .fetching(.retry),
            // The Date header has no fraction of a second, so that half a second is the best estimate.
            .clockDisagreement(.milliseconds(-299_500)), .stored(generation: 3), .evicted, .closed,
        ]
        #expect(kinds == expected)
    }

    @Test func `a slow reader gets the outcome of every key and delays no other reader`() async throws {
        let scene = try TokenScene()
        let events = scene.provider.events()
        for index in 0..<300 { _ = try await scene.provider.token(for: .trip(try TripID("t-\(index)"))) }
        await scene.provider.close()
        var kinds: [TokenEvent.Kind] = []
        for await event in events { kinds.append(event.kind) }
        #expect(kinds.count { $0 == .stored(generation: 1) } == 300)
        #expect(kinds.suffix(300).allSatisfy { $0 == .closed })
    }

    // 73
    @Test func `the counters add up to the number of calls`() async throws {
        let clock = ManualClock()
        let scene = try TokenScene { fetch in
            fetch.number.isMultiple(of: 3)
                ? .failure(.sourceTimedOut) : .token(TokenScene.token(fetch.context, clock, serial: fetch.number))
        }
        var random = SeededGenerator(seed: 73)
        for _ in 0..<500 {
            let trip = AuthorizationContext.trip(try TripID("t-\(Int.random(in: 0..<5, using: &random))"))
            _ = try? await scene.provider.token(for: trip)  // errors are part of the sum
            scene.clock.advance(by: .seconds(Int.random(in: 0..<300, using: &random)))
            clock.advance(by: scene.clock.now().steady - clock.now().steady)
        }
        let counters = scene.provider.counters
        let sum = counters.hits + counters.joins + counters.starts + counters.negativeHits + counters.refusals
        #expect(sum == 500)
    }

    // 73
    @Test func `counts callers that join, leave, fail and come too late once each`() async throws {
        let scene = try TokenScene { _ in .gate }
        let first = Task.immediate { await scene.outcome() }
        await scene.source.fetches(atLeast: 1)
        let joined = (0..<20).map { _ in Task.immediate { await scene.outcome() } }
        scene.clock.advance(by: .seconds(2))
        #expect(scene.provider.counters.oldestWaiter == .seconds(2))
        for task in joined[..<7] { task.cancel() }
        for task in joined[..<7] { #expect(await task.value.error == .cancelled) }
        scene.source.open(1, failing: .sourceStatus(503, retryAfter: nil))
        for task in joined[7...] { #expect(await task.value.error != nil) }
        #expect(await first.value.error != nil)
        for _ in 0..<5 { #expect(await scene.outcome().error != nil) }
        scene.clock.advance(by: .seconds(2))
        let second = Task.immediate { await scene.outcome() }
        await scene.source.fetches(atLeast: 2)
        scene.source.open(2, with: scene.token(serial: 2))
        #expect(await second.value.token != nil)
        #expect(scene.provider.cached(for: scene.trip) != nil)
        #expect(await scene.outcome(validFor: .seconds(4000)).error != nil)
        await scene.provider.close()
        #expect(await scene.outcome().error == .closed)
        let counters = scene.provider.counters
        #expect(counters.starts == 2)
        #expect(counters.joins == 20)
        #expect(counters.cancelledWaits == 7)
        #expect(counters.negativeHits == 5)
        #expect(counters.hits == 1)
        #expect(counters.refusals == 2)
        #expect(counters.failures == [.transient: 1])
        #expect(counters.successes == 1)
        #expect(counters.oldestWaiter == nil)
    }

    @Test func `counts failures by cause and stale tokens that were served`() async throws {
        let clock = ManualClock()
        let trip = AuthorizationContext.trip(try TripID("trip-A"))
        let source = ScriptedTokenSource { fetch in
            switch (fetch.context.id, fetch.reason) {
            case ("denied", _): return .failure(.sourceStatus(404, retryAfter: nil))
            case ("another's", _): return .token(TokenScene.token(trip, clock, serial: fetch.number))
            case (_, .ahead): return .failure(.sourceStatus(503, retryAfter: nil))
            default: return .token(TokenScene.token(fetch.context, clock, serial: fetch.number))
            }
        }
        let provider = TokenProvider(source: source, clock: clock, seed: 1)
        for name in ["denied", "another's"] {
            let context = AuthorizationContext.trip(try TripID(name))
            await #expect(throws: TokenError.self) { try await provider.token(for: context) }
        }
        let first = try await provider.token(for: trip)
        clock.advance(by: .seconds(60))
        provider.reject(first, for: trip, status: 401)
        _ = try await provider.token(for: trip)
        #expect(provider.cached(for: trip)?.generation == 2)
        let events = provider.events()
        clock.advance(by: .seconds(52 * 60))
        _ = await TokenScene.collect(events) { $0.endsFetch }
        #expect(provider.cached(for: trip)?.generation == 2)
        let counters = provider.counters
        #expect(counters.failures == [.denied: 1, .unusable: 1, .transient: 1])
        #expect(counters.rejections == 1)
        #expect(counters.ignoredRejections == 0)
        #expect(counters.staleServed == 1)
        #expect(counters.successes == 2)
        #expect(counters.fetches == [.needed: 3, .rejected: 1, .ahead: 1])
    }

    // 75
    @Test func `a resumed caller finds the new token in the cache`() async throws {
        let scene = try TokenScene { _ in .gate }
        let seen = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<100 {
                group.addImmediateTask {
                    _ = await scene.outcome()
                    return scene.provider.cached(for: scene.trip)?.generation
                }
            }
            scene.source.open(1, with: scene.token(serial: 1))
            return await group.reduce(into: [Int?]()) { $0.append($1) }
        }
        #expect(seen == [Int?](repeating: 1, count: 100))
    }

    @Test func `a manual refresh ends the backoff and continues to serve the current token`() async throws {
        let clock = ManualClock()
        let scene = try TokenScene { fetch in
            fetch.number == 1 ? .failure(.sourceTimedOut) : .token(TokenScene.token(fetch.context, clock, serial: 2))
        }
        #expect(await scene.outcome().error != nil)
        let events = scene.provider.events()
        scene.provider.refresh(scene.trip)
        await scene.clock.sleepers()
        #expect(scene.source.fetches.count == 1)
        scene.clock.advance(by: .seconds(1))
        _ = await TokenScene.collect(events) { $0 == .stored(generation: 1) }
        #expect(scene.source.fetches.map(\.reason) == [.needed, .requested])
    }

    @Test func `forgetting a key does not shorten its minimum fetch interval`() async throws {
        let scene = try TokenScene()
        _ = try await scene.provider.token(for: scene.trip)
        for _ in 0..<20 {
            scene.provider.forget(scene.trip)
            let caller = Task.immediate { await scene.outcome() }
            caller.cancel()
            _ = await caller.value
        }
        #expect(scene.source.fetches.count == 1)
        #expect(scene.provider.counters.keys == 1)
        let next = Task.immediate { await scene.outcome() }
        await scene.clock.sleepers()
        scene.clock.advance(by: .seconds(1))
        #expect(await next.value.token?.generation == 2)
    }

    @Test func `a forgotten key becomes blank when its minimum fetch interval has passed`() throws {
        var driver = MachineDriver.working()
        _ = driver.call()
        _ = driver.machine.forget()
        #expect(!driver.machine.isBlank(at: driver.now))
        let due = try #require(driver.machine.nextCheck)
        #expect(due == .seconds(1))
        driver.now = driver.now.advanced(by: due)
        #expect(driver.machine.isBlank(at: driver.now))
        #expect(driver.machine.fetchReason(at: driver.now) == nil)
    }
}
