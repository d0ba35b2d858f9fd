import Failures
import FleetTokens
import Runtime
import Synchronization
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Trip feed", .ends(within: .quickTest))
struct TripFeedTests {
    @Test func `spreads the polls of many trips evenly over the interval`() async throws {
        let scene = try FeedScene(trips: try trips(100))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scene.feed.run() }
            await scene.pass(10, steps: 10)
            group.cancelAll()
        }
        // Two polls per trip. Each half second has ten polls on average and differs from that by at most three.
        let times = scene.now.polls.map(\.at).filter { $0 < .seconds(10) }
        #expect((198...200).contains(times.count))
        for slot in 0..<20 {
            let range = Duration.milliseconds(slot * 500)..<Duration.milliseconds(slot * 500 + 500)
            #expect((7...13).contains(times.count { range.contains($0) }), "slot \(slot)")
        }
    }

    @Test func `polls the first trip at once even if it is added after the feed started`() async throws {
        let ids = try trips(1)
        let scene = try FeedScene(trips: [], staysOpen: true)
        scene.clock.advance(by: .milliseconds(200))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scene.feed.run() }
            scene.feed.add(.trip(ids[0]))
            await scene.pass(1)
            group.cancelAll()
        }
        #expect(scene.now.polls.first?.at == .milliseconds(200))
    }

    @Test func `a failing trip does not affect other trips`() async throws {
        let ids = try trips(3)
        let scene = try FeedScene(trips: ids) { trip, _ throws(Failure) in
            if trip == ids[1] { throw .timedOut }
            return nil
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scene.feed.run() }
            await scene.pass(30)
            group.cancelAll()
        }
        for trip in [ids[0], ids[2]] { #expect((6...7).contains(scene.now.polls.count { $0.trip == trip })) }
    }

    @Test func `drops ended trips and returns after the last one`() async throws {
        let ids = try trips(2)
        let scene = try FeedScene(trips: ids) { trip, number throws(Failure) in
            FeedScene.response(trip, number >= (trip == ids[0] ? 2 : 4) ? "COMPLETE" : "ENROUTE_TO_DROPOFF")
        }
        async let running: Void = scene.feed.run()
        // The first trip is polled at 0, 5 and 10 s, the second at 3.1, 8.1, … 23.1 s.
        await scene.pass(9)
        scene.clock.advance(by: .seconds(1))
        await scene.pass(13)
        #expect(scene.tokens.counters.nextRefresh != nil)
        scene.clock.advance(by: .seconds(1))
        await running
        // Their tokens are no longer needed.
        #expect(scene.tokens.counters.nextRefresh == nil)
        #expect(scene.now.polls.count { $0.trip == ids[0] } == 3)
        #expect(scene.now.polls.count { $0.trip == ids[1] } == 5)
        #expect(scene.feed.trips.isEmpty)
        #expect(scene.feed.over == Set(ids.map(JourneyID.trip)))
    }

    @Test func `polls added trips and stops polling removed ones`() async throws {
        let ids = try trips(2)
        let scene = try FeedScene(trips: [ids[0]], staysOpen: true)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scene.feed.run() }
            await scene.pass(6)
            scene.feed.add(.trip(ids[1]))
            scene.feed.add(.trip(ids[1]))
            #expect(scene.feed.trips == Set(ids.map(JourneyID.trip)))
            await scene.pass(10)
            await scene.feed.remove(.trip(ids[0]))
            for await trip in scene.endings where trip == ids[0] { break }
            await scene.pass(10)
            group.cancelAll()
        }
        let record = scene.now
        #expect((2...4).contains(record.polls.count { $0.trip == ids[0] }))
        #expect((3...5).contains(record.polls.count { $0.trip == ids[1] }))
        #expect(record.polls.last { $0.trip == ids[0] }.map { $0.at <= .seconds(16) } == true)
        let last = record.events.last { $0.journey == .trip(ids[0]) }
        guard case .ended(_, let end)? = last else {
            Issue.record("that it was left is the last event of a trip")
            return
        }
        #expect(end == .left)
    }

    @Test func `a trip that is removed and added at once is still polled, one request at a time`() async throws {
        let ids = try trips(1)
        let scene = try FeedScene(trips: ids, staysOpen: true)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scene.feed.run() }
            await scene.pass(6)
            for _ in 0..<20 {
                await scene.feed.remove(.trip(ids[0]))
                scene.feed.add(.trip(ids[0]))
            }
            await scene.pass(11)
            #expect(scene.feed.trips == Set(ids.map(JourneyID.trip)))
            group.cancelAll()
        }
        #expect(scene.now.polls.contains { $0.at > .seconds(10) })
        #expect(scene.now.mostUnderWay == 1)
    }

    @Test func `polls all trips within the quota and reports the longer interval`() async throws {
        let scene = try FeedScene(trips: try trips(60), requestsPerMinute: 120)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scene.feed.run() }
            await scene.pass(90)
            group.cancelAll()
        }
        let polls = scene.now.polls.filter { $0.at >= .seconds(30) }
        // 120 a minute, including both ends, plus random coincidences.
        #expect((100...125).contains(polls.count))
        let schedules = scene.now.events.compactMap { event -> PollSchedule? in
            guard case .polled(_, _, let schedule) = event else { return nil }
            return schedule
        }
        #expect(schedules.allSatisfy { $0.interval == .seconds(30) && $0.clampedFrom == .seconds(5) })
    }

    @Test func `repeated manual polls stay within the budget`() async throws {
        let scene = try FeedScene(trips: try trips(1))
        let trip = try #require(try trips(1).first)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scene.feed.run() }
            await scene.pass(1)
            for _ in 0..<200 {
                await scene.feed.command(.pollNow, journey: .trip(trip))
                await scene.pass(1, steps: 10)
            }
            let asked = scene.now.polls.count
            await scene.pass(10)
            // It continues at its interval once the manual polls stop.
            #expect(scene.now.polls.count > asked)
            group.cancelAll()
        }
        // The burst, plus one for each half interval of the 200 seconds.
        #expect(scene.now.polls.count <= 110)
    }

    @Test func `makes a manual poll of a paused trip that waits for the quota`() async throws {
        let scene = try FeedScene(trips: try trips(1), requestsPerMinute: 1)
        let trip = try #require(try trips(1).first)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scene.feed.run() }
            await scene.pass(1)
            await scene.feed.command(.pause, journey: .trip(trip))
            for _ in 0..<25 {
                await scene.feed.command(.pollNow, journey: .trip(trip))
                await scene.pass(1)
            }
            let asked = scene.now.polls.count
            await scene.feed.command(.pollNow, journey: .trip(trip))
            await scene.pass(600)
            #expect(scene.now.polls.count > asked)
            group.cancelAll()
        }
    }

    @Test func `does not poll all trips at once after a suspension`() async throws {
        let scene = try FeedScene(trips: try trips(200))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scene.feed.run() }
            await scene.pass(6)
            scene.clock.suspend(for: .seconds(3600))
            await scene.pass(5, steps: 10)
            group.cancelAll()
        }
        let after = scene.now.polls.filter { $0.at >= .seconds(3606) }
        // 200 trips in 5 s are 40 polls a second. Up to twice as many may catch up, and 20 more may coincide.
        for tenth in 0..<50 {
            let start = Duration.seconds(3606) + .milliseconds(tenth * 100)
            #expect(after.count { $0.at >= start && $0.at < start + .milliseconds(100) } <= 32)
        }
        #expect(Set(after.map(\.trip)).count == 200)
    }

    @Test func `returns after a cancellation only when no request is in progress`() async throws {
        let (requests, request) = AsyncStream.makeStream(of: Void.self)
        let record = RequestRecord()
        let clock = ManualClock()
        let tokens = TokenProvider(
            source: ScriptedTokenSource { .token(FakeToken($0.context, issuedAt: clock.now().wall).issued) },
            clock: ManualClock(),
            seed: 1
        )
        let transport = HTTPTransport { _ async throws(Failure) in
            record.counts.withLock { $0.inProgress += 1 }
            request.yield()
            let (answers, answer) = AsyncStream.makeStream(of: Never.self)
            // It ends when the task is cancelled.
            for await _ in answers {}
            answer.finish()
            record.counts.withLock { $0.inProgress -= 1 }
            throw .cancelled
        }
        let feed = TripFeed(
            trips: try trips(1).map(JourneyID.trip),
            options: TripFeed.Options(
                provider: try ProviderID("p"),
                policy: .init(interval: .seconds(5), shortestInterval: .seconds(1), creationTimeout: nil),
                seed: 1
            ),
            client: FleetClient(
                endpoint: try ServiceEndpoint("https://engine.example"),
                tokens: tokens,
                transport: transport,
                clock: clock
            ),
            clock: clock,
            report: { _ in record.counts.withLock { $0.events += 1 } }
        )
        let running = Task { await feed.run() }
        for await _ in requests { break }
        running.cancel()
        await running.value
        // The start of the poll is reported, but not its end.
        #expect(record.counts.withLock { $0 == (0, 1) })
        await tokens.close()
    }

    /// Asynchronous functions keep memory for each event that they report while they wait.
    @Test func `an event and a state are small, so that following thousands of trips needs little memory`() {
        #expect(MemoryLayout<FeedEvent>.stride <= 128)
        #expect(MemoryLayout<TripState>.stride <= 280)
    }
}

/// What a cancelled feed has done.
private final class RequestRecord: Sendable {
    let counts = Locked((inProgress: 0, events: 0))
}
