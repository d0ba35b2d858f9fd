import Failures
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Planner of a project", .ends(within: .quickTest))
struct ProjectPlannerTests {
    private let (one, two, three): (TripID, TripID, TripID)
    private var plan = Planner(Planner.Policy(interval: .seconds(5), requestsPerMinute: 6000), at: .zero)

    init() throws {
        (one, two, three) = (try TripID("one"), try TripID("two"), try TripID("three"))
    }

    /// Answers a sweep of one page that starts now.
    private mutating func sweep(_ found: [(TripID, Bool)], at now: Duration) {
        #expect(plan.next(at: now) == .ask(.page(token: nil)))
        _ = plan.searched(found.map { (journey: .trip($0.0), isMoving: $0.1) }, pageToken: nil, at: now)
    }

    /// Answers a request for a trip.
    private mutating func answer(_ id: TripID, isMoving: Bool, at now: Duration) throws {
        let trip = Trip(id: id, provider: try ProviderID("p"), status: .enrouteToPickup)
        plan.answered(.trip(trip), isMoving: isMoving, at: now)
    }

    /// Random numbers that are all the same share of their range.
    private struct Jitter: RandomNumberGenerator {
        static let half = Jitter(bits: 1 << 63)
        static let most = Jitter(bits: .max)

        let bits: UInt64

        func next() -> UInt64 { bits }
    }

    /// An error answer of the service.
    private static func failure(_ status: Int, _ name: String, retryAfter: Duration? = nil) -> Failure {
        .service(ServiceAnswer(httpStatus: status, status: name, retryDelay: retryAfter), retryAfter: retryAfter)
    }

    @Test mutating func `reads the pages of a sweep one after the other and begins the next one after 20 s`() {
        #expect(plan.next(at: .zero) == .ask(.page(token: nil)))
        #expect(plan.next(at: .zero) == .hold, "a page needs the token of the previous one")
        #expect(plan.searched([(.trip(one), false)], pageToken: "2", at: .seconds(1)) == [.trip(one)])
        #expect(plan.next(at: .seconds(1)) == .ask(.page(token: "2")))
        #expect(plan.searched([(.trip(two), false)], pageToken: nil, at: .seconds(2)) == [.trip(two)])
        #expect(plan.next(at: .seconds(2)) == .wait(until: .seconds(20)))
        #expect(plan.next(at: .seconds(20)) == .ask(.page(token: nil)))
        #expect(plan.count == 2)
    }

    @Test mutating func `ends a sweep whose token is repeated`() {
        #expect(plan.next(at: .zero) == .ask(.page(token: nil)))
        _ = plan.searched([(.trip(one), false)], pageToken: "2", at: .zero)
        #expect(plan.next(at: .zero) == .ask(.page(token: "2")))
        _ = plan.searched([(.trip(one), false)], pageToken: "2", at: .zero)
        #expect(plan.next(at: .zero) == .wait(until: .seconds(20)))
    }

    @Test mutating func `polls the shown trip at every interval, and no other trip that does not move`() throws {
        sweep([(one, false), (two, false)], at: .zero)
        plan.view([.trip(one)])
        #expect(plan.next(at: .seconds(1)) == .ask(.journey(.trip(one))))
        try answer(one, isMoving: false, at: .seconds(1))
        #expect(plan.next(at: .seconds(1)) == .wait(until: .seconds(6)))
        #expect(plan.next(at: .seconds(6)) == .ask(.journey(.trip(one))))
        #expect(plan.next(at: .seconds(12)) == .wait(until: .seconds(20)), "one request of a trip at a time")
    }

    @Test mutating func `polls moving trips in turn, and the one that the user views first`() throws {
        sweep([(one, true), (two, true), (three, true)], at: .zero)
        plan.view([.trip(three)])
        #expect(plan.next(at: .zero) == .ask(.journey(.trip(three))))
        #expect(plan.next(at: .zero) == .ask(.journey(.trip(one))))
        #expect(plan.next(at: .zero) == .ask(.journey(.trip(two))))
        try answer(one, isMoving: true, at: .seconds(1))
        try answer(two, isMoving: false, at: .seconds(1))
        try answer(three, isMoving: true, at: .seconds(1))
        #expect(plan.next(at: .seconds(5)) == .ask(.journey(.trip(three))))
        #expect(plan.next(at: .seconds(5)) == .ask(.journey(.trip(one))))
        #expect(plan.next(at: .seconds(5)) == .wait(until: .seconds(20)), "the second one has stopped")
    }

    @Test mutating func `asks once for a trip that the sweep no longer lists`() throws {
        sweep([(one, false), (two, false)], at: .zero)
        sweep([(one, false)], at: .seconds(20))
        #expect(plan.next(at: .seconds(20)) == .ask(.journey(.trip(two))))
        try answer(two, isMoving: false, at: .seconds(20))
        plan.end(.trip(two))
        #expect(plan.next(at: .seconds(20)) == .wait(until: .seconds(40)))
        #expect(plan.count == 1)
    }

    @Test mutating func `ignores an ended trip on a page that was made before its end`() throws {
        plan.view([.trip(one)])
        #expect(plan.next(at: .zero) == .ask(.page(token: nil)))
        #expect(plan.next(at: .zero) == .ask(.journey(.trip(one))))
        try answer(one, isMoving: false, at: .seconds(1))
        plan.end(.trip(one))
        #expect(plan.searched([(.trip(one), true)], pageToken: nil, at: .seconds(1)).isEmpty)
        #expect(plan.count == 0)
    }

    @Test mutating func `follows no more trips than the limit`() {
        var policy = Planner.Policy(interval: .seconds(5), requestsPerMinute: 6000)
        policy.mostTrips = 2
        plan = Planner(policy, at: .zero)
        #expect(plan.next(at: .zero) == .ask(.page(token: nil)))
        #expect(
            plan.searched([(.trip(one), true), (.trip(two), true), (.trip(three), true)], pageToken: "2", at: .zero)
                == [.trip(one), .trip(two)]
        )
        #expect(plan.next(at: .zero) == .ask(.journey(.trip(one))), "further pages are not read")
    }

    @Test mutating func `reads all pages in each sweep when the limit is reached`() {
        var policy = Planner.Policy(interval: .seconds(5), requestsPerMinute: 6000)
        policy.mostTrips = 2
        plan = Planner(policy, at: .zero)
        for start in [Duration.zero, .seconds(20), .seconds(40)] {
            #expect(plan.next(at: start) == .ask(.page(token: nil)))
            #expect(plan.searched([(.trip(one), false)], pageToken: "2", at: start) == [.trip(one)])
            #expect(plan.next(at: start) == .ask(.page(token: "2")))
            #expect(
                plan.searched([(.trip(two), false), (.trip(three), false)], pageToken: "3", at: start) == [.trip(two)]
            )
            #expect(plan.next(at: start) == .wait(until: start + .seconds(20)), "further pages are not read")
        }
    }

    @Test mutating func `repeats a failed page after a growing delay, and begins again after a refused token`() {
        var jitter = Jitter.half
        #expect(plan.next(at: .zero) == .ask(.page(token: nil)))
        _ = plan.searched([(.trip(one), false)], pageToken: "2", at: .zero)
        #expect(plan.next(at: .zero) == .ask(.page(token: "2")))
        plan.searchFailed(Self.failure(503, "UNAVAILABLE"), at: .zero, random: &jitter)
        #expect(plan.next(at: .zero) == .wait(until: .seconds(4)))
        #expect(plan.next(at: .seconds(4)) == .ask(.page(token: "2")))
        let refusal = Self.failure(400, "INVALID_ARGUMENT", retryAfter: .seconds(30))
        plan.searchFailed(refusal, at: .seconds(4), random: &jitter)
        #expect(plan.next(at: .seconds(5)) == .wait(until: .seconds(34)))
        #expect(plan.next(at: .seconds(34)) == .ask(.page(token: nil)))
    }

    @Test mutating func `repeats a search whose token is refused at once, with another token`() {
        var jitter = Jitter.half
        #expect(plan.next(at: .zero) == .ask(.page(token: nil)))
        plan.searchFailed(Self.failure(401, "UNAUTHENTICATED"), at: .seconds(1), random: &jitter)
        #expect(plan.next(at: .seconds(1)) == .ask(.page(token: nil)))
        plan.searchFailed(Self.failure(401, "UNAUTHENTICATED"), at: .seconds(1), random: &jitter)
        #expect(plan.next(at: .seconds(1)) == .wait(until: .seconds(5)))
    }

    @Test mutating func `polls a trip again at once after its token was refused, and soon after a lost connection`() {
        var jitter = Jitter.most
        sweep([(one, false)], at: .zero)
        plan.view([.trip(one)])
        #expect(plan.next(at: .zero) == .ask(.journey(.trip(one))))
        plan.failed(.trip(one), Self.failure(401, "UNAUTHENTICATED"), at: .seconds(1), random: &jitter)
        #expect(plan.schedule(of: .trip(one)).reason == .newToken)
        #expect(plan.next(at: .seconds(1)) == .ask(.journey(.trip(one))))
        for start in [1, 6] {
            plan.failed(.trip(one), .connectionLost, at: .seconds(start), random: &jitter)
            let delay = start == 1 ? 5 : 10
            #expect(plan.next(at: .seconds(start)) == .wait(until: .seconds(start + delay)))
            #expect(plan.next(at: .seconds(start + delay)) == .ask(.journey(.trip(one))))
        }
    }

    @Test mutating func `delays a trip after failures, and all requests when the quota is used up`() {
        var jitter = Jitter.half
        sweep([(one, false)], at: .zero)
        plan.view([.trip(one)])
        #expect(plan.next(at: .zero) == .ask(.journey(.trip(one))))
        plan.failed(.trip(one), Self.failure(503, "UNAVAILABLE"), at: .zero, random: &jitter)
        #expect(plan.next(at: .zero) == .wait(until: .seconds(5)))
        #expect(plan.next(at: .seconds(5)) == .ask(.journey(.trip(one))))
        plan.failed(.trip(one), Self.failure(503, "UNAVAILABLE"), at: .seconds(5), random: &jitter)
        #expect(plan.schedule(of: .trip(one)).failures == 2)
        #expect(plan.next(at: .seconds(5)) == .wait(until: .seconds(15)))
        #expect(plan.next(at: .seconds(15)) == .ask(.journey(.trip(one))))
        let exhausted = Self.failure(429, "RESOURCE_EXHAUSTED", retryAfter: .seconds(45))
        plan.failed(.trip(one), exhausted, at: .seconds(15), random: &jitter)
        guard case .wait(let time) = plan.next(at: .seconds(30)) else {
            Issue.record("a request was sent in spite of the quota")
            return
        }
        #expect(abs((time - .seconds(60)).seconds) < 0.1)
    }

    @Test mutating func `a service cannot stop the requests for longer than five minutes`() {
        var jitter = Jitter.most
        let day = Duration.seconds(86_400)
        #expect(plan.next(at: .zero) == .ask(.page(token: nil)))
        plan.searchFailed(Self.failure(503, "UNAVAILABLE", retryAfter: day), at: .zero, random: &jitter)
        #expect(plan.next(at: .zero) == .wait(until: .seconds(300)))
        sweep([(one, false)], at: .seconds(300))
        plan.view([.trip(one)])
        #expect(plan.next(at: .seconds(300)) == .ask(.journey(.trip(one))))
        plan.failed(
            .trip(one),
            Self.failure(429, "RESOURCE_EXHAUSTED", retryAfter: day),
            at: .seconds(300),
            random: &jitter
        )
        #expect(plan.schedule(of: .trip(one)).next == .seconds(600))
        guard case .wait(let time) = plan.next(at: .seconds(400)) else {
            Issue.record("a request was sent in spite of the quota")
            return
        }
        #expect(abs((time - .seconds(600)).seconds) < 0.1)
    }

    @Test(arguments: 1...9)
    func `one rule gives the delays of trips, searches and quotas`(failures: Int) {
        for jitter in [0, 0.3, 1] {
            let plain = RetryDelay(after: failures, interval: .seconds(5), requested: nil, jitter: jitter)
            let least = min(60, 5 * Double(1 << min(failures - 1, 6)))
            #expect(abs(plain.duration.seconds - least * (0.8 + 0.4 * jitter)) < 0.001 && !plain.isRequested)
            let asked = RetryDelay(after: failures, interval: .seconds(5), requested: .seconds(1000), jitter: jitter)
            #expect(asked.duration == .seconds(300) && asked.isRequested)
        }
    }

    @Test mutating func `sends nothing while all trips are paused, except what the user requests`() throws {
        sweep([(one, true), (two, true)], at: .zero)
        plan.view([.trip(one)])
        for trip in [one, two] { plan.pause(.trip(trip), true) }
        #expect(plan.next(at: .seconds(60)) == .hold)
        plan.request(.trip(one), at: .seconds(60))
        #expect(plan.next(at: .seconds(60)) == .ask(.journey(.trip(one))))
        try answer(one, isMoving: true, at: .seconds(60))
        #expect(plan.next(at: .seconds(70)) == .hold)
        for trip in [one, two] { plan.pause(.trip(trip), false) }
        #expect(plan.next(at: .seconds(70)) == .ask(.page(token: nil)))
    }
}
