import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Token machine: refreshing ahead", .ends(within: .quickTest))
struct RefreshAheadTests {
    /// A machine with a token that has been read, and that token.
    private func fresh(life: Duration = .seconds(3300)) throws -> (MachineDriver, BearerToken) {
        var driver = MachineDriver.working(life: life)
        _ = driver.call()
        _ = driver.machine.read(at: driver.now)
        return (driver, try #require(driver.machine.token))
    }

    // 6
    @Test func `fetches nothing one nanosecond before the refresh time`() throws {
        var (driver, token) = try fresh()
        driver.now = driver.now.advanced(by: token.refresh.steady - .nanoseconds(1))
        #expect(driver.machine.fetchReason(at: driver.now) == nil)
    }

    // 7
    @Test func `starts one fetch at the refresh time and still serves the old token`() throws {
        var (driver, token) = try fresh()
        #expect(driver.machine.nextCheck == token.refresh.steady)
        driver.now = driver.now.advanced(by: token.refresh.steady)
        #expect(driver.machine.read(at: driver.now)?.token.generation == 1)
        #expect(driver.machine.fetchReason(at: driver.now) == .ahead)
        driver.machine.begin(number: 2, reason: .ahead, timeout: .seconds(10), at: driver.now)
        #expect(driver.machine.fetchReason(at: driver.now) == nil)
        #expect(driver.machine.tokenState(at: driver.now) == .refreshingAhead)
    }

    // 8, 9
    @Test func `a refresh ahead delays no caller, and the next call returns the new token`() async throws {
        let clock = ManualClock()
        let scene = try TokenScene { fetch in
            fetch.number == 1 ? .token(TokenScene.token(fetch.context, clock, serial: 1)) : .gate
        }
        _ = try await scene.provider.token(for: scene.trip)
        #expect(scene.provider.cached(for: scene.trip)?.generation == 1)
        await scene.clock.sleepers()
        scene.clock.advance(by: .seconds(52 * 60))
        await scene.source.fetches(atLeast: 2)
        for _ in 0..<100 {
            let token = try await scene.provider.token(for: scene.trip)
            #expect(token.generation == 1)
        }
        let events = scene.provider.events()
        scene.source.open(2, with: scene.token(serial: 2))
        _ = await TokenScene.collect(events) { $0.endsFetch }
        #expect(try await scene.provider.token(for: scene.trip).generation == 2)
    }

    // 10
    @Test func `refuses the token at its exact deadline`() throws {
        var (driver, token) = try fresh()
        let start = driver.now
        driver.now = start.advanced(by: token.deadline.steady - .nanoseconds(1))
        #expect(driver.machine.read(at: driver.now) != nil)
        driver.now = start.advanced(by: token.deadline.steady)
        #expect(driver.machine.read(at: driver.now) == nil)
        #expect(driver.machine.tokenState(at: driver.now) == .expired)
    }

    // 11
    @Test func `never hands out a token with less than the margin left`() throws {
        var random = SeededGenerator(seed: 11)
        var lateReads = 0
        for seed in 0..<repetitions(10_000) {
            let life = Duration.seconds(Int.random(in: 5...7200, using: &random))
            let minimum = min(30, life.seconds / 20)
            var driver = MachineDriver(seed: UInt64(seed)) { number, now in
                let age = Int.random(in: 0...life.milliseconds, using: &random)
                return .success(MachineDriver.token(number, now.advanced(by: .milliseconds(-age)), life: life))
            }
            for _ in 0..<8 {
                // No refresh runs between the calls, so that some of them fall between the refresh time and the deadline.
                let pause = Int.random(in: 0...life.milliseconds, using: &random)
                driver.now = driver.now.advanced(by: .milliseconds(pause))
                let held = driver.machine.token?.generation
                guard let token = driver.call()?.token else { continue }
                let left = token.expiresAt.timeIntervalSince(driver.now.wall)
                #expect(left >= minimum - 0.002)
                if token.generation == held, left < 2 * minimum { lateReads += 1 }
            }
        }
        #expect(lateReads > 0)
    }

    // 12
    @Test func `a caller that needs more time waits for a new token while others retain the old one`() throws {
        var (driver, token) = try fresh()
        driver.now = driver.now.advanced(by: token.properties.left - .seconds(100))
        #expect(driver.machine.read(at: driver.now)?.token.generation == 1)
        guard driver.machine.request(waiter: 7, validFor: .seconds(120), at: driver.now) == nil else {
            Issue.record("the caller should wait")
            return
        }
        #expect(driver.machine.read(at: driver.now)?.token.generation == 1)
        let completion = driver.run()
        let release = try #require(completion)
        #expect(release.results.first?.result.token?.generation == 2)
    }

    // 14
    @Test func `a hundred calls within 40 s need one token of 60 s`() {
        var driver = MachineDriver.working(life: .seconds(60))
        for _ in 0..<100 {
            _ = driver.call()
            driver.now = driver.now.advanced(by: .milliseconds(400))
        }
        #expect(driver.fetches.count == 1)
    }

    // 50
    @Test func `a key that is not read is not refreshed; one that is read is`() {
        var idle = MachineDriver.working()
        _ = idle.call()
        idle.advance(by: .seconds(7200))
        #expect(idle.fetches.count == 1)

        var read = MachineDriver.working()
        _ = read.call()
        _ = read.call()
        read.advance(by: .seconds(3200))
        #expect(read.fetches.count == 2)
    }

    @Test func `refreshes tokens of 90 s in time at 60 times real speed`() {
        var driver = MachineDriver.working(life: .seconds(90))
        _ = driver.call()
        for _ in 0..<200 {
            driver.advance(by: .seconds(5))
            do {
                let answer = driver.call()
                #expect(answer?.token != nil)
            }
            #expect(driver.machine.tokenState(at: driver.now) == .fresh)
        }
        #expect(driver.fetches.count <= 16)
    }

    @Test func `peeking at a token does not refresh it`() async throws {
        let scene = try TokenScene()
        let token = try await scene.provider.token(for: scene.trip)
        let hits = scene.provider.counters.hits
        #expect(scene.provider.peek(at: scene.trip)?.fingerprint == token.fingerprint)
        #expect(scene.provider.counters.hits == hits)
        let other = AuthorizationContext.trip(try TripID("trip-not-requested"))
        #expect(scene.provider.peek(at: other) == nil)
        #expect(scene.provider.counters.keys == 1)
        scene.clock.advance(by: .seconds(3400))
        #expect(scene.provider.peek(at: scene.trip) == nil)
    }

    // MARK: A source that changes

    @Test func `a change of the source renews only tokens in use at once`() throws {
        var driver = MachineDriver.working()
        _ = driver.call()
        driver.machine.sourceChanged(at: driver.now)
        driver.now = driver.now.advanced(by: .seconds(5))
        #expect(driver.machine.fetchReason(at: driver.now) == nil)
        #expect(driver.machine.nextCheck == nil)
        // A caller that reads the token gets it and triggers a refresh.
        let hit = driver.machine.read(at: driver.now)
        #expect(hit?.token.generation == 1)
        #expect(hit?.needsUpdate == true)
        #expect(driver.machine.fetchReason(at: driver.now) == .ahead)
        _ = driver.run()
        _ = driver.machine.read(at: driver.now)
        driver.now = driver.now.advanced(by: .seconds(5))
        driver.machine.sourceChanged(at: driver.now)
        #expect(driver.machine.fetchReason(at: driver.now) == .requested)
    }

    @Test func `changes of the source cause no fetch for unused keys`() throws {
        for driver in [MachineDriver.working(), .failing()] {
            var driver = driver
            _ = driver.call()
            driver.now = driver.now.advanced(by: .seconds(7200))
            for _ in 0..<5 {
                driver.machine.sourceChanged(at: driver.now)
                driver.advance(by: .seconds(60))
            }
            #expect(driver.fetches.count == 1)
        }
    }

    @Test func `a change of the source ends the backoff of a recently requested key`() throws {
        var driver = MachineDriver.failing(.sourceStatus(404, retryAfter: nil))
        _ = driver.call()
        driver.now = driver.now.advanced(by: .seconds(250))
        driver.machine.sourceChanged(at: driver.now)
        #expect(driver.machine.fetchReason(at: driver.now) == .requested)
    }

    @Test func `a token that was in flight during a source change is renewed when it is read`() throws {
        var driver = MachineDriver.working()
        driver.machine.refresh(at: driver.now)
        driver.machine.begin(number: 1, reason: .requested, timeout: .seconds(10), at: driver.now)
        driver.machine.sourceChanged(at: driver.now)
        driver.machine.stopRefreshing()
        let token = Result<BearerToken, Failure>.success(MachineDriver.token(1, driver.now))
        _ = driver.machine.completed(number: 1, result: token, duration: .zero, jitter: 0.5, at: driver.now)
        driver.now = driver.now.advanced(by: .seconds(5))
        #expect(driver.machine.fetchReason(at: driver.now) == nil)
        _ = driver.machine.read(at: driver.now)
        #expect(driver.machine.fetchReason(at: driver.now) == .ahead)
    }
}
