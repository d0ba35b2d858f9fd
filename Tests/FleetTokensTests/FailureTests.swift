import FleetTokens
import Foundation
import Testing
import TripModel
import TripTestSupport

@Suite("Token machine: failing", .ends(within: .minutes(10)))
struct FailureTests {
    private static let down = TokenSourceError.unreachable(reason: "down")

    /// A machine with a token whose refresh is due, and a source that fails from now on.
    private func inWindow() throws -> MachineDriver {
        var driver = MachineDriver.working()
        _ = driver.call()
        _ = driver.call()
        let refresh = try #require(driver.machine.token?.refresh.steady)
        driver.answer = { _, _ in .failure(.source(Self.down)) }
        driver.now = driver.now.advanced(by: refresh)
        return driver
    }

    /// How long the last of so many silences in a row is, where chance says the same each time.
    private func silence(after failures: Int, chance: Double) throws -> Duration {
        let failure = Result<AdmittedToken, FlightFailure>.failure(.source(Self.down))
        var machine = KeyMachine(policy: SharedPolicy(.standard))
        var now = MachineDriver.failing().now
        var wait = Duration.zero
        for number in 1...failures {
            _ = machine.ask(waiter: number, validFor: .zero, at: now)
            machine.begin(number: number, reason: .needed, timeout: .seconds(10), at: now)
            _ = machine.landed(number: number, result: failure, duration: .zero, chance: chance, at: now)
            let until = try #require(machine.backoff?.until)
            wait = until - now.steady
            now = now.advanced(by: wait)
        }
        return wait
    }

    // 17
    @Test func `while the source is down in the window everybody is served the old token`() throws {
        var driver = try inWindow()
        for _ in 0..<100 {
            do {
                let answer = driver.call()
                #expect(answer?.token?.generation == 1)
            }
            driver.advance(by: .milliseconds(50))
        }
        #expect(driver.fetches.count - 1 <= 4)
        #expect(driver.machine.state(at: driver.now) == .stale)
    }

    @Test func `a key that was read once and fails is not tried again once nobody asks`() throws {
        var driver = try inWindow()
        _ = driver.call()
        driver.advance(by: .seconds(86_400))
        // Until its token ends it is somebody's; after that only a lease or a caller would be.
        let last = try #require(driver.fetches.last)
        #expect(last < .seconds(3400))
        #expect(driver.machine.due == nil)
    }

    // 18
    @Test func `one retry after the silence brings the new token and ends the counting`() throws {
        var driver = try inWindow()
        _ = driver.call()
        driver.answer = { .success(MachineDriver.token($0, $1)) }
        driver.advance(by: .seconds(2))
        do {
            let answer = driver.call()
            #expect(answer?.token?.generation == 2)
        }
        #expect(driver.machine.failures == 0)
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
    @Test func `during the silence calls fail at once, with the cause and the time left`() {
        var driver = MachineDriver.failing()
        _ = driver.call()
        for _ in 0..<100 {
            guard case .unavailable(let cause, let retryAfter)? = driver.call()?.error else {
                Issue.record("a call got through")
                return
            }
            #expect(cause == Self.down)
            #expect(retryAfter > .zero && retryAfter <= .seconds(1))
        }
        #expect(driver.fetches.count == 1)
        #expect(driver.machine.state(at: driver.now) == .failing)
    }

    // 21
    @Test func `the first call after the silence fetches once`() {
        var driver = MachineDriver.failing()
        _ = driver.call()
        driver.advance(by: .seconds(1))
        _ = driver.call()
        #expect(driver.fetches.count == 2)
        _ = driver.call()
        #expect(driver.fetches.count == 2)
    }

    // 22
    @Test func `a thousand failures do not poison the key`() {
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
    @Test func `after a failed refresh and the end of the token the next call succeeds`() throws {
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
    @Test func `the silence doubles from one second to sixty, with equal jitter`() throws {
        var driver = MachineDriver.failing()
        let waits = try (0..<9).map { _ in try driver.nextWait() }
        for (wait, whole) in zip(waits, [1, 2, 4, 8, 16, 32, 60, 60, 60] as [Double]) {
            #expect(wait >= max(whole / 2, 1) && wait <= whole)
        }
    }

    @Test func `between a half of the silence and the whole of it chance decides`() throws {
        let shortest = try silence(after: 4, chance: 0)
        let longest = try silence(after: 4, chance: 0.999999)
        #expect(shortest == .seconds(4))
        #expect(longest > .milliseconds(7990))
        #expect(longest < .seconds(8))
    }

    @Test func `a source that is out of reach is asked again within the silence of an outage`() throws {
        var driver = MachineDriver(policy: try TokenPolicy(longestOutageBackoff: .seconds(5))) { number, _ in
            number == 6 ? .failure(.source(.timedOut)) : .failure(.source(Self.down))
        }
        let waits = try (0..<12).map { _ in try driver.nextWait() }
        for (wait, whole) in zip(waits, [1, 2, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5] as [Double]) {
            #expect(wait >= max(whole / 2, 1) && wait <= whole)
        }
    }

    @Test func `an outage does not lengthen the silence after an answer, nor the other way round`() throws {
        let unready = TokenSourceError.refusedStatus(503, retryAfter: nil)
        let policy = try TokenPolicy(longestOutageBackoff: .seconds(5))
        var driver = MachineDriver(policy: policy) { number, _ in
            .failure(.source(number <= 10 || number == 16 ? Self.down : unready))
        }
        let waits = try (0..<16).map { _ in try driver.nextWait() }
        for (wait, whole) in zip(waits[10...], [1, 2, 4, 8, 16, 5] as [Double]) {
            #expect(wait >= max(whole / 2, 1) && wait <= whole)
        }
    }

    @Test func `with a usable token the silence is a quarter of what is left at most`() throws {
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
    func `Retry-After is a floor, five minutes at most`(status: Int, said: Int, kept: Int) throws {
        var driver = MachineDriver.failing(.refusedStatus(status, retryAfter: .seconds(said)))
        let answer = driver.call()
        let error = try #require(answer?.error)
        #expect(error.retryAfter == .seconds(kept))
        driver.advance(by: .seconds(kept) - .milliseconds(1))
        _ = driver.call()
        #expect(driver.fetches.count == 1)
        driver.advance(by: .milliseconds(1))
        _ = driver.call()
        #expect(driver.fetches.count == 2)
    }

    @Test func `a short Retry-After does not shorten the silence after many failures`() throws {
        var driver = MachineDriver { number, _ in
            let retryAfter: Duration? = number == 6 ? .seconds(1) : nil
            return .failure(.source(.refusedStatus(503, retryAfter: retryAfter)))
        }
        let waits = try (0..<6).map { _ in try driver.nextWait() }
        #expect(waits[5] >= 16)
    }

    // 26
    @Test func `an expired token from the source is given to nobody`() async throws {
        let clock = ManualClock()
        let old = FakeToken(.trip(try TripID("trip-A")), issuedAt: clock.now().wall - 4000, lifetime: .seconds(3300))
        let issued = old.text
        let scene = try TokenScene { _ in .token(IssuedToken(issued)) }
        for _ in 0..<100 {
            let error = await scene.outcome().error
            guard case .unusable(.expired(let ago), _) = error else {
                Issue.record("got \(String(describing: error))")
                return
            }
            #expect(ago == .seconds(700))
        }
        #expect(scene.source.fetches.count == 1)
        #expect(scene.provider.cached(for: scene.trip) == nil)
    }

    // 27
    @Test(arguments: [TokenFault.tooShort(left: .seconds(1)), TokenFault.expired(ago: .seconds(700))])
    func `a source of tokens that are too short or over is asked once a second at most`(_ fault: TokenFault) {
        var driver = MachineDriver { _, _ in .failure(.fault(fault)) }
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
    func `a denial is remembered for thirty seconds, then asked about once, then for sixty, up to five minutes`(
        status: Int
    ) throws {
        var driver = MachineDriver.failing(.refusedStatus(status, retryAfter: nil))
        for (fetches, wait) in zip(1...6, [30, 60, 120, 240, 300, 300]) {
            let answer = driver.call()
            #expect(answer?.error == .denied(status: status, retryAfter: .seconds(wait)))
            driver.advance(by: .seconds(wait - 1))
            let again = driver.call()
            #expect(again?.error == .denied(status: status, retryAfter: .seconds(1)))
            #expect(driver.machine.state(at: driver.now) == .denied)
            #expect(driver.fetches.count == fetches)
            driver.advance(by: .seconds(1))
        }
    }

    @Test func `a key that was denied is not asked about behind the back of who holds it`() {
        var driver = MachineDriver.failing(.refusedStatus(404, retryAfter: nil))
        driver.machine.pin(by: 1)
        _ = driver.call()
        driver.advance(by: .seconds(86_400))
        #expect(driver.fetches.count == 1)
        #expect(driver.machine.due == nil)
    }

    @Test func `a key that somebody holds and that has no token is tried again when the silence ends`() {
        var driver = MachineDriver.failing()
        driver.machine.pin(by: 1)
        _ = driver.call()
        driver.advance(by: .seconds(1))
        #expect(driver.fetches.count == 2)
    }
}
