import FleetTokens
import HTTPTransport
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Trip feed", .ends(within: .minutes(10)))
struct TripFeedTests {
    @Test func `spreads the polls of many trips evenly over the interval`() async throws {
        let scene = try FeedScene(trips: try trips(100))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scene.feed.run() }
            await scene.pass(10, pollers: 100, steps: 10)
            group.cancelAll()
        }
        // Twice per trip, and of every half second's ten none is off by more than three.
        let times = scene.now.polls.map(\.at).filter { $0 < .seconds(10) }
        #expect((198...200).contains(times.count))
        for slot in 0..<20 {
            let range = Duration.milliseconds(slot * 500)..<Duration.milliseconds(slot * 500 + 500)
            #expect((7...13).contains(times.count { range.contains($0) }), "slot \(slot)")
        }
    }

    @Test func `asks for the first trip at once, even if it comes a moment after the feed began`() async throws {
        let ids = try trips(1)
        let scene = try FeedScene(trips: [], staysOpen: true)
        scene.clock.advance(by: .milliseconds(200))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scene.feed.run() }
            scene.feed.add(ids[0])
            await scene.pass(1, pollers: 1)
            group.cancelAll()
        }
        #expect(scene.now.polls.first?.at == .milliseconds(200))
    }

    @Test func `a trip that fails is none of the others' business`() async throws {
        let ids = try trips(3)
        let scene = try FeedScene(trips: ids) { trip, _ throws(HTTPTransportError) in
            if trip == ids[1] { throw .timedOut }
            return nil
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scene.feed.run() }
            await scene.pass(30, pollers: 3)
            group.cancelAll()
        }
        for trip in [ids[0], ids[2]] { #expect((6...7).contains(scene.now.polls.count { $0.trip == trip })) }
    }

    @Test func `drops trips that have ended, and returns after the last`() async throws {
        let ids = try trips(2)
        let scene = try FeedScene(trips: ids) { trip, number throws(HTTPTransportError) in
            FeedScene.response(trip, number >= (trip == ids[0] ? 2 : 4) ? "COMPLETE" : "ENROUTE_TO_DROPOFF")
        }
        async let running: Void = scene.feed.run()
        // The first polls at 0, 5 and 10 seconds, the second at 3.1, 8.1, … 23.1.
        await scene.pass(9, pollers: 2)
        scene.clock.advance(by: .seconds(1))
        await scene.pass(13, pollers: 1)
        #expect(scene.tokens.counters.nextRefresh != nil)
        scene.clock.advance(by: .seconds(1))
        await running
        // Nobody needs a token of theirs any more.
        #expect(scene.tokens.counters.nextRefresh == nil)
        #expect(scene.now.polls.count { $0.trip == ids[0] } == 3)
        #expect(scene.now.polls.count { $0.trip == ids[1] } == 5)
        #expect(scene.feed.trips.isEmpty)
        #expect(scene.feed.over == Set(ids))
    }

    @Test func `follows trips that are added, and no more those that are removed`() async throws {
        let ids = try trips(2)
        let scene = try FeedScene(trips: [ids[0]], staysOpen: true)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scene.feed.run() }
            await scene.pass(6, pollers: 1)
            scene.feed.add(ids[1])
            scene.feed.add(ids[1])
            #expect(scene.feed.trips == Set(ids))
            await scene.pass(10, pollers: 2)
            await scene.feed.remove(ids[0])
            for await trip in scene.endings where trip == ids[0] { break }
            await scene.pass(10, pollers: 1)
            group.cancelAll()
        }
        let record = scene.now
        #expect((2...4).contains(record.polls.count { $0.trip == ids[0] }))
        #expect((3...5).contains(record.polls.count { $0.trip == ids[1] }))
        #expect(record.polls.last { $0.trip == ids[0] }.map { $0.at <= .seconds(16) } == true)
        let last = record.events.last { $0.trip == ids[0] }
        guard case .ended(_, let end)? = last else {
            Issue.record("that it was left is the last news of a trip")
            return
        }
        #expect(end == .left)
    }

    @Test func `a trip that is removed and added at once is followed on, and never asked twice at a time`() async throws
    {
        let ids = try trips(1)
        let scene = try FeedScene(trips: ids, staysOpen: true)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scene.feed.run() }
            await scene.pass(6, pollers: 1)
            for _ in 0..<20 {
                await scene.feed.remove(ids[0])
                scene.feed.add(ids[0])
            }
            await scene.pass(11, pollers: 1)
            #expect(scene.feed.trips == Set(ids))
            group.cancelAll()
        }
        #expect(scene.now.polls.contains { $0.at > .seconds(10) })
        #expect(scene.now.mostUnderWay == 1)
    }

    @Test func `keeps all trips together within the quota, and says that the interval is longer`() async throws {
        let scene = try FeedScene(trips: try trips(60), requestsPerMinute: 120)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scene.feed.run() }
            await scene.pass(90, pollers: 60)
            group.cancelAll()
        }
        let polls = scene.now.polls.filter { $0.at >= .seconds(30) }
        // 120 a minute, both ends of it counted, and what fell together by chance.
        #expect((100...125).contains(polls.count))
        let schedules = scene.now.events.compactMap { event -> PollSchedule? in
            guard case .polled(_, _, let schedule) = event else { return nil }
            return schedule
        }
        #expect(schedules.allSatisfy { $0.interval == .seconds(30) && $0.clampedFrom == .seconds(5) })
    }

    @Test func `asking again and again spends no more than the budget, and is answered once`() async throws {
        let scene = try FeedScene(trips: try trips(1))
        let trip = try #require(try trips(1).first)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scene.feed.run() }
            await scene.pass(1, pollers: 1)
            for _ in 0..<200 {
                await scene.feed.command(.pollNow, trip: trip)
                await scene.pass(1, pollers: 1, steps: 10)
            }
            let asked = scene.now.polls.count
            await scene.pass(10, pollers: 1)
            // It goes on at its interval as soon as nobody asks any more.
            #expect(scene.now.polls.count > asked)
            group.cancelAll()
        }
        // The burst, and one for each half interval of the 200 seconds.
        #expect(scene.now.polls.count <= 110)
    }

    @Test func `a paused trip that has to wait for its turn is asked for all the same`() async throws {
        let scene = try FeedScene(trips: try trips(1), requestsPerMinute: 1)
        let trip = try #require(try trips(1).first)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scene.feed.run() }
            await scene.pass(1, pollers: 1)
            await scene.feed.command(.pause, trip: trip)
            for _ in 0..<25 {
                await scene.feed.command(.pollNow, trip: trip)
                await scene.pass(1, pollers: 1)
            }
            let asked = scene.now.polls.count
            await scene.feed.command(.pollNow, trip: trip)
            await scene.pass(600, pollers: 1)
            #expect(scene.now.polls.count > asked)
            group.cancelAll()
        }
    }

    @Test func `a machine that was suspended wakes to no burst of all trips`() async throws {
        let scene = try FeedScene(trips: try trips(200))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scene.feed.run() }
            await scene.pass(6, pollers: 200)
            scene.clock.suspend(for: .seconds(3600))
            await scene.pass(5, pollers: 200, steps: 10)
            group.cancelAll()
        }
        let after = scene.now.polls.filter { $0.at >= .seconds(3606) }
        // 200 trips in 5 s are 40 a second, twice as many may be made up for, and 20 more may fall together.
        for tenth in 0..<50 {
            let start = Duration.seconds(3606) + .milliseconds(tenth * 100)
            #expect(after.count { $0.at >= start && $0.at < start + .milliseconds(100) } <= 32)
        }
        #expect(Set(after.map(\.trip)).count == 200)
    }
}
