import FleetTokens
import Testing
import TripModel
import TripTestSupport

@Suite("Token policy")
struct WindowTests {
    // 13
    @Test(arguments: [
        (10, 500, 2000), (60, 3000, 12_000), (300, 15_000, 60_000), (3300, 30_000, 300_000), (86_400, 30_000, 300_000),
    ])
    func `the windows scale with the life of a token`(life: Int, minimum: Int, ahead: Int) {
        let windows = TokenPolicy.standard.windows(lifetime: .seconds(life))
        #expect(windows.minimumValidity == .milliseconds(minimum))
        #expect(windows.refreshAhead == .milliseconds(ahead))
    }

    @Test func `a token of 55 minutes is refreshed after 49 min 30 s to 52 min`() {
        let now = MachineDriver.working().now
        let token = MachineDriver.token(1, now)
        let first = StoredToken(token, generation: 1, policy: .standard, chance: 0)
        let last = StoredToken(token, generation: 1, policy: .standard, chance: 0.999999)
        #expect(first.refresh.steady == .seconds(49 * 60 + 30))
        #expect(last.refresh.steady < .seconds(52 * 60))
        #expect(last.refresh.steady > .seconds(52 * 60 - 1))
    }

    // 15
    @Test func `refreshes are spread evenly over the first half of the window`() {
        var random = SeededGenerator(seed: 15)
        let now = MachineDriver.working().now
        let token = MachineDriver.token(1, now)
        var buckets = [Int](repeating: 0, count: 20)
        for _ in 0..<10_000 {
            let chance = Double.random(in: 0..<1, using: &random)
            let stored = StoredToken(token, generation: 1, policy: .standard, chance: chance)
            let window = (stored.deadline.steady - stored.refresh.steady).seconds
            #expect(window > 150 && window <= 300)
            buckets[min(Int((300 - window) / 7.5), 19)] += 1
        }
        #expect(buckets.allSatisfy { (400...600).contains($0) })
    }

    // 16
    @Test func `the same seed gives the same schedule`() {
        func schedule(_ seed: UInt64) -> [Duration] {
            var driver = MachineDriver.working(seed: seed)
            driver.machine.pin(by: 1)
            _ = driver.call()
            driver.advance(by: .seconds(20_000))
            return driver.fetches
        }
        #expect(schedule(4) == schedule(4))
        #expect(schedule(4) != schedule(5))
    }

    // 71
    @Test func `impossible settings are refused with both numbers`() {
        #expect(throws: TokenPolicyError.outOfOrder(.minimumValidity, .seconds(400), .refreshWindow, .seconds(300))) {
            try TokenPolicy(minimumValidity: .seconds(400))
        }
        #expect(throws: TokenPolicyError.outOfOrder(.flightTimeout, .seconds(301), .refreshWindow, .seconds(300))) {
            try TokenPolicy(flightTimeout: .seconds(301))
        }
        #expect(throws: TokenPolicyError.outOfOrder(.firstBackoff, .seconds(9), .longestBackoff, .seconds(5))) {
            try TokenPolicy(firstBackoff: .seconds(9), longestBackoff: .seconds(5))
        }
        #expect(throws: TokenPolicyError.tooFew(.flightLimit, 0)) { try TokenPolicy(flightLimit: 0) }
        #expect(throws: TokenPolicyError.negative(.youngAge, .seconds(-1))) { try TokenPolicy(youngAge: .seconds(-1)) }
    }
}
