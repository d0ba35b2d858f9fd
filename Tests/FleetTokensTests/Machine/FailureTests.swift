import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Token machine: failures", .ends(within: .quickTest))
struct FailureTests {
    private static let down = Failure.sourceUnreachable(reason: "down")

    /// A machine with a token whose refresh is due, and a source that fails from now on.
    private func inWindow() throws -> MachineDriver {
        var driver = MachineDriver.working()
        _ = driver.call()
        _ = driver.call()
        let refresh = try #require(driver.machine.token?.refresh.steady)
        driver.answer = { _, _ in .failure(Self.down) }
        driver.now = driver.now.advanced(by: refresh)
        return driver
    }

    /// The last of this many consecutive backoffs, with the same random fraction each time.
    private func backoff(after failures: Int, jitter: Double) throws -> Duration {
        let failure = Result<BearerToken, Failure>.failure(Self.down)
        var machine = KeyMachine(policy: SharedPolicy(.standard))
        var now = MachineDriver.failing().now
        var wait = Duration.zero
        for number in 1...failures {
            _ = machine.request(waiter: number, validFor: .zero, at: now)
            machine.begin(number: number, reason: .needed, timeout: .seconds(10), at: now)
            _ = machine.completed(number: number, result: failure, duration: .zero, jitter: jitter, at: now)
            let until = try #require(machine.backoff?.until)
            wait = until - now.steady
            now = now.advanced(by: wait)
        }
        return wait
    }

    // 17
    @Test func `serves the old token to every caller while a refresh is due and the source is down`() throws {
        var driver = try inWindow()
        for _ in 0..<100 {
            do {
                let answer = driver.call()
                #expect(answer?.token?.generation == 1)
            }
            driver.advance(by: .milliseconds(50))
        }
        #expect(driver.fetches.count - 1 <= 4)
        #expect(driver.machine.tokenState(at: driver.now) == .stale)
    }

    @Test func `stops retrying a failing key that was read once and is no longer used`() throws {
        var driver = try inWindow()
        _ = driver.call()
        driver.advance(by: .seconds(86_400))
        // The key counts as in use until its token expires; after that only a caller keeps it in use.
        let last = try #require(driver.fetches.last)
        #expect(last < .seconds(3400))
        #expect(driver.machine.nextCheck == nil)
    }

    // 18
    @Test func `one retry after the backoff stores the new token and resets the failure count`() throws {
        var driver = try inWindow()
        _ = driver.call()
        driver.answer = { .success(MachineDriver.token($0, $1)) }
        driver.advance(by: .seconds(2))
        do {
            let answer = driver.call()
            #expect(answer?.token?.generation == 2)
        }
        #expect(driver.machine.failures.count == 0)
        #expect(driver.fetches.count == 3)
    }

    // 19
    @Test func `fifty callers of a source that is down share one fetch and one error`() async throws {
        let scene = try TokenScene { _ in .gate }
        let errors = await withTaskGroup(of: TokenError?.self) { group in
            for _ in 0..<50 { group.addImmediateTask { await scene.outcome().error } }
            scene.source.open(1, failing: Self.down)
            return await group.reduce(into: [TokenError?]()) { $0.append($1) }
        }
        #expect(errors.count == 50)
        #expect(errors.allSatisfy { $0 == errors[0] && $0 != nil })
        #expect(scene.source.fetches.count == 1)
    }

    // 20
    @Test func `calls during the backoff fail at once with the cause and the time left`() {
        var driver = MachineDriver.failing()
        _ = driver.call()
        for _ in 0..<100 {
            guard let error = driver.call()?.error, let retryAfter = error.retryAfter else {
                Issue.record("a call got through")
                return
            }
            #expect(error.failure.cause == Self.down)
            #expect(retryAfter > .zero && retryAfter <= .seconds(1))
        }
        #expect(driver.fetches.count == 1)
        #expect(driver.machine.tokenState(at: driver.now) == .failing)
    }

    // 21
    @Test func `the first call after the backoff fetches once`() {
        var driver = MachineDriver.failing()
        _ = driver.call()
        driver.advance(by: .seconds(1))
        _ = driver.call()
        #expect(driver.fetches.count == 2)
        _ = driver.call()
        #expect(driver.fetches.count == 2)
    }

    // 22
    @Test func `a key recovers after a thousand failures`() {
        var driver = MachineDriver.failing()
        while driver.fetches.count < 1000 {
            _ = driver.call()
            driver.advance(by: .seconds(60))
        }
        driver.answer = { .success(MachineDriver.token($0, $1)) }
        driver.advance(by: .seconds(60))
        do {
            let answer = driver.call()
            #expect(answer?.token?.generation == 1)
        }
    }

    // 23
    @Test func `the next call succeeds after a failed refresh and the token's expiry`() throws {
        var driver = try inWindow()
        _ = driver.call()
        driver.now = driver.now.advanced(by: .seconds(3600))
        driver.answer = { .success(MachineDriver.token($0, $1)) }
        do {
            let answer = driver.call()
            #expect(answer?.token?.generation == 2)
        }
    }

    // 24
    @Test func `the backoff doubles from 1 s to 60 s with equal jitter`() throws {
        var driver = MachineDriver.failing()
        let waits = try (0..<9).map { _ in try driver.nextWait() }
        for (wait, whole) in zip(waits, [1, 2, 4, 8, 16, 32, 60, 60, 60] as [Double]) {
            #expect(wait >= max(whole / 2, 1) && wait <= whole)
        }
    }

    @Test func `jitter varies the backoff between half of it and all of it`() throws {
        let shortest = try backoff(after: 4, jitter: 0)
        let longest = try backoff(after: 4, jitter: 0.999999)
        #expect(shortest == .seconds(4))
        #expect(longest > .milliseconds(7990))
        #expect(longest < .seconds(8))
    }

    @Test func `an unreachable source is retried within the outage backoff`() throws {
        var driver = MachineDriver(policy: try TokenPolicy(maximumOutageBackoff: .seconds(5))) { number, _ in
            number == 6 ? .failure(.sourceTimedOut) : .failure(Self.down)
        }
        let waits = try (0..<12).map { _ in try driver.nextWait() }
        for (wait, whole) in zip(waits, [1, 2, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5] as [Double]) {
            #expect(wait >= max(whole / 2, 1) && wait <= whole)
        }
    }

    @Test func `outages and answered failures have separate backoffs`() throws {
        let unready = Failure.sourceStatus(503, retryAfter: nil)
        let policy = try TokenPolicy(maximumOutageBackoff: .seconds(5))
        var driver = MachineDriver(policy: policy) { number, _ in
            .failure(number <= 10 || number == 16 ? Self.down : unready)
        }
        let waits = try (0..<16).map { _ in try driver.nextWait() }
        for (wait, whole) in zip(waits[10...], [1, 2, 4, 8, 16, 5] as [Double]) {
            #expect(wait >= max(whole / 2, 1) && wait <= whole)
        }
    }

    @Test func `the backoff is at most a quarter of the time left of a usable token`() throws {
        var driver = try inWindow()
        for _ in 0..<8 {
            _ = driver.call()
            let left = try #require(driver.machine.token?.deadline.steady) - driver.now.steady
            let until = try #require(driver.machine.backoff?.until)
            #expect(until - driver.now.steady <= max(left / 4, .seconds(1)))
            driver.now = driver.now.advanced(by: until - driver.now.steady)
        }
    }

    // 25
    @Test(arguments: [(429, 30, 30), (429, 4000, 300), (404, 5, 30), (404, 60, 60), (404, 4000, 300)])
    func `Retry-After is a minimum for the backoff, at most five minutes`(status: Int, said: Int, expected: Int) throws
    {
        var driver = MachineDriver.failing(.sourceStatus(status, retryAfter: .seconds(said)))
        let answer = driver.call()
        let error = try #require(answer?.error)
        #expect(error.retryAfter == .seconds(expected))
        driver.advance(by: .seconds(expected) - .milliseconds(1))
        _ = driver.call()
        #expect(driver.fetches.count == 1)
        driver.advance(by: .milliseconds(1))
        _ = driver.call()
        #expect(driver.fetches.count == 2)
    }

    @Test func `a short Retry-After does not shorten the backoff after many failures`() throws {
        var driver = MachineDriver { number, _ in
            let retryAfter: Duration? = number == 6 ? .seconds(1) : nil
            return .failure(.sourceStatus(503, retryAfter: retryAfter))
        }
        let waits = try (0..<6).map { _ in try driver.nextWait() }
        #expect(waits[5] >= 16)
    }

    // 26
    @Test func `never hands out an expired token from the source`() async throws {
        let clock = ManualClock()
        let old = FakeToken(.trip(try TripID("trip-A")), issuedAt: clock.now().wall - 4000, lifetime: .seconds(3300))
        let issued = old.text
        let scene = try TokenScene { _ in .token(IssuedToken(issued)) }
        for _ in 0..<100 {
            let error = await scene.outcome().error
            #expect(error?.failure.cause == .tokenExpired(ago: .seconds(700)))
        }
        #expect(scene.source.fetches.count == 1)
        #expect(scene.provider.cached(for: scene.trip) == nil)
    }

    // 27
    @Test(arguments: [Failure.tokenTooShort(left: .seconds(1)), Failure.tokenExpired(ago: .seconds(700))])
    func `fetches at most once a second from a source of too short or expired tokens`(_ fault: Failure) {
        var driver = MachineDriver { _, _ in .failure(fault) }
        for _ in 0..<600 {
            _ = driver.call()
            driver.advance(by: .milliseconds(100))
        }
        let gaps = zip(driver.fetches, driver.fetches.dropFirst()).map { $1 - $0 }
        #expect(!gaps.isEmpty)
        #expect(gaps.allSatisfy { $0 >= .seconds(1) })
    }

    // 46
    @Test(arguments: [403, 404, 410])
    func `remembers a denial for 30 s, then doubles the backoff up to five minutes`(
        status: Int
    ) throws {
        var driver = MachineDriver.failing(.sourceStatus(status, retryAfter: nil))
        for (fetches, wait) in zip(1...6, [30, 60, 120, 240, 300, 300]) {
            let answer = driver.call()
            #expect(answer?.error == .denied(status: status, retryAfter: .seconds(wait)))
            driver.advance(by: .seconds(wait - 1))
            let again = driver.call()
            #expect(again?.error == .denied(status: status, retryAfter: .seconds(1)))
            #expect(driver.machine.tokenState(at: driver.now) == .denied)
            #expect(driver.fetches.count == fetches)
            driver.advance(by: .seconds(1))
        }
    }

    @Test func `does not retry a denied key in the background without a token`() throws {
        var driver = try inWindow()
        driver.answer = { _, _ in .failure(.sourceStatus(404, retryAfter: nil)) }
        let deadline = try #require(driver.machine.token?.deadline.steady)
        _ = driver.call()
        driver.advance(by: .seconds(86_400))
        // The retries after 30, 60 and 120 s come before the token's expiry.
        let last = try #require(driver.fetches.last)
        #expect(last < deadline)
        #expect(driver.machine.nextCheck == nil)
        driver.now = driver.now.advanced(by: .seconds(300))
        #expect(driver.machine.fetchReason(at: driver.now) == nil)
    }
}
