import FleetTokens
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Token machine: rejections by the service", .ends(within: .quickTest))
struct RejectionTests {
    /// A machine with a token that is one minute old by default, and that token.
    private func seasoned(age: Duration = .seconds(60)) throws -> (MachineDriver, BearerToken) {
        var driver = MachineDriver.working()
        let answer = driver.call()
        let token = try #require(answer?.token)
        driver.now = driver.now.advanced(by: age)
        return (driver, token)
    }

    // 39
    @Test func `fifty rejections of one token cause one fetch`() throws {
        var (driver, token) = try seasoned()
        var taken = 0
        for _ in 0..<50 where driver.machine.reject(token, status: 401, at: driver.now) != nil { taken += 1 }
        #expect(taken == 1)
        #expect(driver.machine.tokenState(at: driver.now) == .invalidated)
        #expect(driver.machine.fetchReason(at: driver.now) == .rejected)
        _ = driver.run()
        #expect(driver.fetches.count == 2)
        #expect(driver.machine.read(at: driver.now)?.token.generation == 2)
    }

    @Test func `fifty tasks that reject one token at once cause one fetch`() async throws {
        let scene = try TokenScene()
        let token = try await scene.provider.token(for: scene.trip)
        scene.clock.advance(by: .seconds(60))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask { scene.provider.reject(token, for: scene.trip, status: 401) }
            }
        }
        #expect(await scene.outcome().token?.generation == 2)
        let counters = scene.provider.counters
        #expect(counters.rejections == 1)
        #expect(counters.ignoredRejections == 49)
        #expect(scene.source.fetches.count == 2)
    }

    // 40
    @Test func `ignores a rejection of a token that was already replaced`() async throws {
        let scene = try TokenScene()
        let old = try await scene.provider.token(for: scene.trip)
        scene.clock.advance(by: .seconds(60))
        scene.provider.reject(old, for: scene.trip, status: 401)
        let new = try await scene.provider.token(for: scene.trip)
        #expect(new.generation == 2)
        scene.provider.reject(old, for: scene.trip, status: 401)
        #expect(try await scene.provider.token(for: scene.trip).generation == 2)
        #expect(scene.source.fetches.count == 2)
        #expect(scene.provider.counters.ignoredRejections == 1)
    }

    // 41
    @Test func `discards the result of a fetch that began before the rejection`() throws {
        var (driver, token) = try seasoned()
        driver.machine.refresh(at: driver.now)
        driver.machine.begin(number: 2, reason: .requested, timeout: .seconds(10), at: driver.now)
        let rejection = driver.machine.reject(token, status: 401, at: driver.now)
        let release = try #require(rejection)
        #expect(release.cancelledFetch == 2)
        guard driver.machine.request(waiter: 9, validFor: .zero, at: driver.now) == nil else {
            Issue.record("the caller should wait")
            return
        }
        let stale = MachineDriver.token(2, driver.now)
        let late = driver.machine.completed(
            number: 2,
            result: .success(stale),
            duration: .zero,
            jitter: 0,
            at: driver.now
        )
        #expect(late.events == [.discardedLate])
        #expect(late.results.isEmpty)
        #expect(driver.machine.waiters[9] != nil)
        #expect(driver.machine.read(at: driver.now) == nil)
        driver.now = driver.now.advanced(by: .seconds(1))
        let completion = driver.run()
        let outcome = completion?.results.first { $0.waiter == 9 }
        #expect(outcome?.result.token?.generation == 2)
    }

    // 42
    @Test func `does not hand out a rejected token again after a failed refresh`() throws {
        var (driver, token) = try seasoned()
        driver.answer = { _, _ in .failure(.sourceTimedOut) }
        driver.machine.refresh(at: driver.now)
        _ = driver.run()
        let rejection = driver.machine.reject(token, status: 401, at: driver.now)
        #expect(rejection != nil)
        for _ in 0..<20 {
            let answer = driver.call()
            #expect(answer?.token == nil)
            driver.advance(by: .seconds(1))
        }
    }

    // 43
    @Test func `does not fetch again for 10, 20, 40 and 60 s after rejections of young tokens`() throws {
        var driver = MachineDriver.working()
        for wait in [10, 20, 40, 60, 60] {
            let answer = driver.call()
            let token = try #require(answer?.token)
            let rejection = driver.machine.reject(token, status: 403, at: driver.now)
            #expect(rejection != nil)
            let again = driver.call()
            #expect(again?.error == .rejectedByService(status: 403, retryAfter: .seconds(wait)))
            driver.advance(by: .seconds(wait))
        }
        #expect(driver.fetches.count == 5)
    }

    @Test func `a 401 causes one new token at once, and the refusal of that one the same waits`() throws {
        var driver = MachineDriver.working()
        let first = try #require(driver.call()?.token)
        _ = driver.machine.reject(first, status: 401, at: driver.now)
        #expect(driver.machine.fetchReason(at: driver.now.advanced(by: .seconds(1))) == .rejected)
        driver.advance(by: .seconds(1))
        for wait in [10, 20, 40, 60] {
            let token = try #require(driver.call()?.token)
            _ = driver.machine.reject(token, status: 401, at: driver.now)
            let again = driver.call()
            #expect(again?.error == .rejectedByService(status: 401, retryAfter: .seconds(wait)))
            driver.advance(by: .seconds(wait))
        }
        #expect(driver.fetches.count == 5)
    }

    @Test func `a token that replaced a refused one and lived long is replaced again`() throws {
        var driver = MachineDriver.working()
        for age in [0, 60, 0] {
            let token = try #require(driver.call()?.token)
            driver.advance(by: .seconds(age))
            _ = driver.machine.reject(token, status: 401, at: driver.now)
            driver.advance(by: .seconds(1))
            #expect(driver.machine.backoff == nil)
        }
        #expect(driver.call()?.token?.generation == 4)
    }

    @Test func `a token counts as young until it is 10 s old`() throws {
        var (young, newborn) = try seasoned(age: .milliseconds(9999))
        let early = young.machine.reject(newborn, status: 403, at: young.now)
        #expect(early != nil)
        #expect(young.machine.fetchReason(at: young.now) == nil)
        let answer = young.call()
        #expect(answer?.error == .rejectedByService(status: 403, retryAfter: .seconds(10)))

        var (old, token) = try seasoned(age: .seconds(10))
        let late = old.machine.reject(token, status: 403, at: old.now)
        #expect(late != nil)
        #expect(old.machine.fetchReason(at: old.now) == .rejected)
    }

    // 44
    @Test func `does not store the rejected token when the source returns it again`() throws {
        var driver = MachineDriver { _, now in .success(MachineDriver.token(1, now)) }
        let answer = driver.call()
        let token = try #require(answer?.token)
        driver.now = driver.now.advanced(by: .seconds(60))
        let rejection = driver.machine.reject(token, status: 401, at: driver.now)
        #expect(rejection != nil)
        let again = driver.call()
        #expect(again?.error == .unusable(.tokenSameAgain, retryAfter: .seconds(10)))
        #expect(driver.fetches.count == 2)
        for (passed, wait) in [(10, 20), (20, 40), (40, 60), (60, 60)] {
            driver.advance(by: .seconds(passed))
            let later = driver.call()
            #expect(later?.error == .unusable(.tokenSameAgain, retryAfter: .seconds(wait)))
        }
        #expect(driver.fetches.count == 6)
    }

    // 45
    @Test func `the fourth rejection within a minute causes no fetch`() throws {
        var driver = MachineDriver.working()
        for round in 1...4 {
            let answer = driver.call()
            let token = try #require(answer?.token)
            driver.now = driver.now.advanced(by: .seconds(11))
            let rejection = driver.machine.reject(token, status: 401, at: driver.now)
            #expect(rejection != nil)
            #expect((driver.machine.fetchReason(at: driver.now) == .rejected) == (round < 4))
        }
        #expect(driver.machine.tokenState(at: driver.now) == .failing)
    }

    @Test func `remembers a rejected token while no caller needs the next one`() throws {
        var driver = MachineDriver { _, now in .success(MachineDriver.token(1, now)) }
        let token = try #require(driver.call()?.token)
        driver.now = driver.now.advanced(by: .seconds(60))
        _ = driver.machine.reject(token, status: 401, at: driver.now)
        driver.machine.stopRefreshing()
        #expect(driver.machine.fetchReason(at: driver.now) == nil)
        driver.now = driver.now.advanced(by: .seconds(60))
        #expect(!driver.machine.isBlank(at: driver.now))
        #expect(driver.call()?.error == .unusable(.tokenSameAgain, retryAfter: .seconds(10)))
    }

    @Test func `a provider retains a key with a rejected token among the failed keys`() async throws {
        let scene = try TokenScene(policy: try TokenPolicy(fetchLimit: 1)) { fetch in
            fetch.number == 2 ? .gate : .token(TokenScene.token(fetch.context, ManualClock(), serial: 1))
        }
        let token = try await scene.provider.token(for: scene.trip)
        scene.clock.advance(by: .seconds(20))
        let other = AuthorizationContext.trip(try TripID("other"))
        let waiting = Task.immediate { try await scene.provider.token(for: other) }
        await scene.source.fetches(atLeast: 2)
        scene.provider.reject(token, for: scene.trip, status: 401)
        scene.provider.stopRefreshing(scene.trip)
        scene.source.open(2, with: TokenScene.token(other, scene.clock, serial: 2))
        _ = try await waiting.value
        #expect(await scene.outcome().error?.code == "unusable.same_token_again")
    }

    @Test(arguments: [(429, 300.0), (503, 1), (403, 1)])
    func `a Retry-After of the source also applies after a rejection by the service, and not longer`(
        status: Int,
        seconds: Double
    ) throws {
        var isBusy = false
        var driver = MachineDriver { number, now in
            isBusy
                ? .failure(.sourceStatus(status, retryAfter: .seconds(seconds)))
                : .success(MachineDriver.token(number, now))
        }
        let token = try #require(driver.call()?.token)
        isBusy = true
        _ = driver.machine.read(at: driver.now)
        driver.machine.refresh(at: driver.now.advanced(by: .seconds(60)))
        driver.now = driver.now.advanced(by: .seconds(60))
        for _ in 0..<5 {
            _ = driver.run()
            let until = try #require(driver.machine.backoff?.until)
            driver.now = driver.now.advanced(by: until - driver.now.steady)
        }
        _ = driver.run()
        driver.machine.refresh(at: driver.now)
        driver.now = driver.now.advanced(by: .seconds(1))
        _ = driver.run()
        let named = driver.now.steady + .seconds(seconds)
        driver.now = driver.now.advanced(by: .milliseconds(500))
        let rejection = driver.machine.reject(token, status: 401, at: driver.now)
        #expect(rejection != nil)
        #expect(driver.machine.fetchReason(at: driver.now) == nil)
        #expect(driver.machine.nextCheck == named)
        #expect([.failing, .denied].contains(driver.machine.tokenState(at: driver.now)))
        let answer = driver.machine.request(waiter: 99, validFor: .zero, at: driver.now)
        let error = try #require(answer?.error)
        #expect(error.retryAfter == named - driver.now.steady)
        driver.now = driver.now.advanced(by: named - driver.now.steady)
        #expect(driver.machine.fetchReason(at: driver.now) == .rejected)
    }

    @Test func `a rejection of a young token does not shorten the source's Retry-After`() throws {
        var isBusy = false
        var driver = MachineDriver { number, now in
            isBusy
                ? .failure(.sourceStatus(429, retryAfter: .seconds(300)))
                : .success(MachineDriver.token(number, now))
        }
        let token = try #require(driver.call()?.token)
        isBusy = true
        driver.now = driver.now.advanced(by: .seconds(2))
        driver.machine.refresh(at: driver.now)
        _ = driver.run()
        let until = try #require(driver.machine.backoff?.until)
        driver.now = driver.now.advanced(by: .seconds(1))
        _ = driver.machine.reject(token, status: 403, at: driver.now)
        #expect(driver.machine.backoff?.until == until)
        #expect(driver.machine.backoff?.error == .rejectedByService(status: 403, retryAfter: until - driver.now.steady))
    }

    @Test func `does not evict keys that wait for the fetch after a rejection`() async throws {
        let clock = ManualClock()
        let policy = try TokenPolicy(fetchLimit: 1, negativeKeyLimit: 2)
        let scene = try TokenScene(policy: policy) { fetch in
            fetch.number == 5 ? .gate : .token(TokenScene.token(fetch.context, clock, serial: fetch.number))
        }
        let keys = try (1...4).map { AuthorizationContext.trip(try TripID("k\($0)")) }
        var tokens: [BearerToken] = []
        for key in keys { tokens.append(try await scene.provider.token(for: key)) }
        scene.clock.advance(by: .seconds(20))
        let busy = Task.immediate { await scene.outcome() }
        await scene.source.fetches(atLeast: 5)
        for (key, token) in zip(keys, tokens) { scene.provider.reject(token, for: key, status: 401) }
        #expect(scene.provider.counters.evictions == 0)
        for key in keys { #expect(scene.provider.status(of: key).state == .invalidated) }
        scene.source.open(5, with: scene.token(serial: 5))
        _ = await busy.value
        await scene.source.fetches(atLeast: 9)
    }
}
