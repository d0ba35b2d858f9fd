import FleetTokens
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Token policy", .ends(within: .quickTest))
struct WindowTests {
    typealias Setting = TokenPolicyError.Setting

    /// Pairs of contradictory settings, in seconds.
    ///
    /// The policy has no other changes.
    static let contradictions: [(Setting, Int, Setting, Int)] = [
        (.minimumValidity, 400, .refreshWindow, 300),
        (.fetchTimeout, 301, .refreshWindow, 300),
        (.fetchTimeout, 300, .refreshWindow, 300),
        (.firstBackoff, 9, .maximumBackoff, 5),
        (.firstBackoff, 9, .maximumOutageBackoff, 5),
        (.maximumOutageBackoff, 400, .maximumRetryAfter, 300),
        (.maximumBackoff, 400, .maximumRetryAfter, 300),
        (.firstDenial, 400, .maximumRetryAfter, 300),
    ]

    /// Durations that are too short by themselves, in seconds.
    static let shortTimes: [(Setting, Int)] = [
        (.minimumValidity, -1), (.refreshWindow, -1), (.firstDenial, -1), (.newTokenAge, -1),
        (.fetchTimeout, 0), (.minimumSpacing, 0), (.firstBackoff, 0), (.assumedLifetime, 0),
    ]

    /// The settings that are counts.
    static let counts: [Setting] = [
        .fetchLimit, .keyLimit, .negativeKeyLimit, .waiterLimit, .forcedFetchesPerMinute,
    ]

    /// The standard policy with some settings changed, in seconds or as a count.
    private func policy(_ changed: [Setting: Int]) throws -> TokenPolicy {
        let standard = TokenPolicy.standard
        func time(_ setting: Setting, _ usual: Duration) -> Duration {
            guard let seconds = changed[setting] else { return usual }
            return .seconds(seconds)
        }
        func count(_ setting: Setting, _ usual: Int) -> Int { changed[setting] ?? usual }
        let assumedLifetime = changed[.assumedLifetime].map { Duration.seconds($0) }
        return try TokenPolicy(
            minimumValidity: time(.minimumValidity, standard.minimumValidity),
            refreshWindow: time(.refreshWindow, standard.refreshWindow),
            fetchTimeout: time(.fetchTimeout, standard.fetchTimeout),
            minimumSpacing: time(.minimumSpacing, standard.minimumSpacing),
            firstBackoff: time(.firstBackoff, standard.firstBackoff),
            maximumBackoff: time(.maximumBackoff, standard.maximumBackoff),
            maximumOutageBackoff: time(.maximumOutageBackoff, standard.maximumOutageBackoff),
            maximumRetryAfter: time(.maximumRetryAfter, standard.maximumRetryAfter),
            firstDenial: time(.firstDenial, standard.firstDenial),
            newTokenAge: time(.newTokenAge, standard.newTokenAge),
            forcedFetchesPerMinute: count(.forcedFetchesPerMinute, standard.forcedFetchesPerMinute),
            fetchLimit: count(.fetchLimit, standard.fetchLimit),
            keyLimit: count(.keyLimit, standard.keyLimit),
            negativeKeyLimit: count(.negativeKeyLimit, standard.negativeKeyLimit),
            waiterLimit: count(.waiterLimit, standard.waiterLimit),
            assumedLifetime: assumedLifetime
        )
    }

    // 13
    @Test(arguments: [
        (10, 500, 2000), (60, 3000, 12_000), (300, 15_000, 60_000), (3300, 30_000, 300_000), (86_400, 30_000, 300_000),
    ])
    func `scales the margin and the refresh window with the lifetime of a token`(life: Int, minimum: Int, ahead: Int) {
        let windows = TokenPolicy.standard.windows(lifetime: .seconds(life))
        #expect(windows.minimumValidity == .milliseconds(minimum))
        #expect(windows.refreshAhead == .milliseconds(ahead))
        let token = MachineDriver.token(1, MachineDriver.working().now, life: .seconds(life))
        let first = token.stored(generation: 1, policy: .standard, jitter: 0).refresh.steady
        let last = token.stored(generation: 1, policy: .standard, jitter: 0.999999).refresh.steady
        let begin = Duration.milliseconds(life * 1000 - minimum - ahead)
        let end = Duration.milliseconds(life * 1000 - minimum - ahead / 2)
        let nearlyEnd = end - .milliseconds(1)
        #expect(first == begin)
        #expect(last < end)
        #expect(last > nearlyEnd)
    }

    @Test func `refreshes a token of 55 minutes after 49 min 30 s to 52 min`() {
        let now = MachineDriver.working().now
        let token = MachineDriver.token(1, now)
        let first = token.stored(generation: 1, policy: .standard, jitter: 0)
        let last = token.stored(generation: 1, policy: .standard, jitter: 0.999999)
        #expect(first.refresh.steady == .seconds(49 * 60 + 30))
        #expect(last.refresh.steady < .seconds(52 * 60))
        #expect(last.refresh.steady > .seconds(52 * 60 - 1))
    }

    // 15
    @Test func `spreads refreshes evenly over the first half of the window`() {
        var random = SeededGenerator(seed: 15)
        let now = MachineDriver.working().now
        let token = MachineDriver.token(1, now)
        var buckets = [Int](repeating: 0, count: 20)
        for _ in 0..<10_000 {
            let jitter = Double.random(in: 0..<1, using: &random)
            let stored = token.stored(generation: 1, policy: .standard, jitter: jitter)
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
            for _ in 0..<20 {
                _ = driver.call()
                driver.advance(by: .seconds(1000))
            }
            return driver.fetches
        }
        #expect(schedule(4) == schedule(4))
        #expect(schedule(4) != schedule(5))
    }

    @Test func `refreshes two keys of a provider at different times, which depend on its seed`() async throws {
        func schedule(_ seed: UInt64) async throws -> [Date] {
            let scene = try TokenScene(seed: seed)
            let other = AuthorizationContext.trip(try TripID("trip-B"))
            var times: [Date] = []
            for key in [scene.trip, other] {
                _ = try await scene.provider.token(for: key)
                let refreshAt = scene.provider.status(of: key).refreshAt
                times.append(try #require(refreshAt))
            }
            return times
        }
        let four = try await schedule(4)
        let fourAgain = try await schedule(4)
        let five = try await schedule(5)
        #expect(four[0] != four[1])
        #expect(four == fourAgain)
        #expect(four != five)
    }

    // 71
    @Test(arguments: contradictions)
    func `refuses contradictory settings and names both numbers`(
        shorter: Setting,
        seconds: Int,
        longer: Setting,
        limit: Int
    ) {
        let error = TokenPolicyError.outOfOrder(shorter, .seconds(seconds), longer, .seconds(limit))
        #expect(throws: error) { try policy([shorter: seconds, longer: limit]) }
    }

    @Test(arguments: shortTimes)
    func `refuses a negative duration, and a zero where nothing would ever happen`(setting: Setting, seconds: Int) {
        #expect(throws: TokenPolicyError.negative(setting, .seconds(seconds))) { try policy([setting: seconds]) }
    }

    @Test(arguments: counts)
    func `refuses a limit of zero`(_ setting: Setting) {
        #expect(throws: TokenPolicyError.tooFew(setting, 0)) { try policy([setting: 0]) }
    }

    @Test func `without settings the policy is the standard one, with its limits`() throws {
        let policy = try TokenPolicy()
        #expect(policy == .standard)
        #expect(policy.keyLimit == 10_000)
        #expect(policy.negativeKeyLimit == 1000)
        #expect(policy.waiterLimit == 10_000)
    }
}
