import Failures
import FleetTokens
import FleetWire
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

/// Every kind of failure, and the next action after one, two and seven of them in a row.
@Suite("Poll rules", .ends(within: .quickTest))
struct PollRulesTests {
    /// The next action.
    enum Next: Sendable, Equatable {
        case atOnce
        /// A wait with a minimum and a maximum in seconds.
        case wait(Double, Double)
        case end
    }

    /// A failure, and the next action after the first, second and seventh in a row at an interval of 5 s.
    struct Rule: Sendable, CustomTestStringConvertible {
        let failure: Failure
        let first: Next
        let second: Next
        let seventh: Next

        var testDescription: String { failure.nameInJSON }

        init(_ failure: Failure, _ first: Next, _ second: Next, _ seventh: Next) {
            (self.failure, self.first, self.second, self.seventh) = (failure, first, second, seventh)
        }

        /// Backs off as for a service that is overloaded or broken.
        static func patient(_ failure: Failure) -> Rule {
            Rule(failure, .wait(4, 6), .wait(8, 12), .wait(48, 72))
        }

        /// Retries as for a network that may recover.
        static func eager(_ failure: Failure) -> Rule {
            Rule(failure, .wait(3.75, 5), .wait(7.5, 10), .wait(7.5, 10))
        }

        /// Polls again when the token provider retries.
        static func steady(_ failure: Failure) -> Rule {
            Rule(failure, .wait(3.75, 5), .wait(3.75, 5), .wait(3.75, 5))
        }

        static func final(_ failure: Failure) -> Rule { Rule(failure, .end, .end, .end) }
    }

    private static func status(_ status: Int, retryAfter: Duration? = nil) -> Failure {
        .service(ServiceAnswer(httpStatus: status, status: status == 404 ? "NOT_FOUND" : nil), retryAfter: retryAfter)
    }

    static let rules: [Rule] = [
        Rule(status(401), .atOnce, .wait(4, 6), .wait(48, 72)),
        Rule(status(403), .atOnce, .end, .end),
        Rule(status(404), .wait(5, 5), .wait(5, 5), .wait(5, 5)),
        .final(status(400)), .final(status(405)), .final(status(409)), .final(status(411)),
        .patient(status(499)),
        .patient(.service(ServiceAnswer(httpStatus: 409, status: "ABORTED"), retryAfter: nil)),
        .patient(status(408)), .patient(status(429)), .patient(status(500)), .patient(status(502)),
        .patient(status(503)), .patient(status(504)), .final(status(501)),
        Rule(status(429, retryAfter: .seconds(30)), .wait(30, 30), .wait(30, 30), .wait(48, 72)),
        Rule(status(503, retryAfter: .seconds(1)), .wait(4, 6), .wait(8, 12), .wait(48, 72)),
        Rule(status(503, retryAfter: .seconds(9000)), .wait(300, 300), .wait(300, 300), .wait(300, 300)),
        .eager(.refused), .eager(.unknownHost), .eager(.timedOut),
        .eager(.connectionLost), .eager(.cutOff), .eager(.other(reason: "")),
        .patient(.tls(reason: "")), .patient(.wrongPort(reason: "")),
        .patient(.malformed(reason: "")),
        .patient(.tooLarge(limit: 1)), .final(.invalidURL),
        .final(.unusableProxy(reason: "p")), .final(.cancelled),
        .patient(.unreadable(.notJSON(reason: ""))), .patient(.webPage(httpStatus: 502, title: nil)),
        .final(.redirected(httpStatus: 301)),
        .steady(TokenError.unavailable(.sourceTimedOut, retryAfter: .seconds(1)).failure),
        .steady(TokenError.unavailable(.sourceUnreachable(reason: ""), retryAfter: .seconds(1)).failure),
        .patient(TokenError.unavailable(.sourceStatus(503, retryAfter: nil), retryAfter: .seconds(1)).failure),
        Rule(
            TokenError.unavailable(.sourceTimedOut, retryAfter: .seconds(60)).failure,
            .wait(60, 60),
            .wait(60, 60),
            .wait(60, 60)
        ),
        .patient(TokenError.unusable(.tokenBoundToAnother, retryAfter: .seconds(1)).failure),
        .patient(TokenError.missingData(.sourceEmpty, retryAfter: .seconds(1)).failure),
        .patient(TokenError.tooManyWaiters(limit: 1).failure),
        .final(TokenError.denied(status: 403, retryAfter: .seconds(30)).failure), .final(TokenError.closed.failure),
        .final(TokenError.noAuthorizationContext.failure),
    ]

    private func next(_ machine: PollMachine, at now: Duration) -> Next {
        switch machine.action(at: now) {
        case .poll: .atOnce
        case .wait(let time): .wait((time - now).seconds, (time - now).seconds)
        case .hold: .wait(.infinity, .infinity)
        case .stop: .end
        }
    }

    private func fits(_ next: Next, _ expected: Next) -> Bool {
        guard case .wait(let seconds, _) = next, case .wait(let least, let most) = expected else {
            return next == expected
        }
        return (least - 0.001...most + 0.001).contains(seconds)
    }

    @Test(arguments: rules)
    func `each failure has its rule`(rule: Rule) {
        for seed in 1...20 {
            var random = SeededGenerator(seed: UInt64(seed))
            var machine = PollMachine(
                policy: .init(interval: .seconds(5), shortestInterval: .seconds(1), creationTimeout: .seconds(3600)),
                firstDue: .zero
            )
            var now = Duration.zero
            var last = rule.first
            for number in 1...7 where last != .end {
                machine.began(at: now)
                machine.failed(rule.failure, at: now, random: &random)
                let next = next(machine, at: now)
                if number == 1 { #expect(fits(next, rule.first), "first: \(next)") }
                if number == 2 { #expect(fits(next, rule.second), "second: \(next)") }
                if number == 7 { #expect(fits(next, rule.seventh), "seventh: \(next)") }
                if case .wait(let seconds, _) = next { now += .seconds(seconds) }
                last = next
            }
        }
    }

    @Test func `the time to wait for a trip's creation starts with the first 404`() {
        var random = SeededGenerator(seed: 1)
        var machine = PollMachine(
            policy: .init(interval: .seconds(5), shortestInterval: .seconds(1), creationTimeout: .seconds(60)),
            firstDue: .zero
        )
        machine.began(at: .zero)
        machine.failed(.refused, at: .zero, random: &random)
        for second in [100, 130, 159] {
            machine.began(at: .seconds(second))
            machine.failed(Self.status(404), at: .seconds(second), random: &random)
            #expect(next(machine, at: .seconds(second)) != .end)
        }
        machine.began(at: .seconds(160))
        machine.failed(Self.status(404), at: .seconds(160), random: &random)
        #expect(next(machine, at: .seconds(160)) == .end)
    }

    @Test func `does not retry alternating refusals forever`() {
        var random = SeededGenerator(seed: 1)
        var machine = PollMachine(
            policy: .init(interval: .seconds(5), shortestInterval: .seconds(1), creationTimeout: nil),
            firstDue: .zero
        )
        for status in [401, 403, 401] {
            machine.began(at: .zero)
            machine.failed(Self.status(status), at: .zero, random: &random)
        }
        #expect(fits(next(machine, at: .zero), .wait(4, 6)))
        machine.began(at: .zero)
        machine.failed(Self.status(403), at: .zero, random: &random)
        #expect(next(machine, at: .zero) == .end)
    }

    @Test(arguments: rules.filter { $0.first != .end })
    func `one good answer resets the backoff`(rule: Rule) throws {
        var random = SeededGenerator(seed: 1)
        var machine = PollMachine(
            policy: .init(interval: .seconds(5), shortestInterval: .seconds(1), creationTimeout: .seconds(3600)),
            firstDue: .zero
        )
        machine.failed(rule.failure, at: .zero, random: &random)
        var trip = Trip(id: try TripID("t"), provider: try ProviderID("p"), status: .enrouteToPickup)
        trip.vehicleID = try VehicleID("v")
        machine.answered(.trip(trip), at: .seconds(400))
        #expect(machine.schedule.failures == 0)
        #expect(machine.action(at: .seconds(400)) == .wait(until: .seconds(405)))
    }

    @Test func `waiting for a trip's creation does not lengthen the backoff of the next failure`() {
        var random = SeededGenerator(seed: 1)
        var machine = PollMachine(
            policy: .init(interval: .seconds(5), shortestInterval: .seconds(1), creationTimeout: nil),
            firstDue: .zero
        )
        for second in 0..<20 { machine.failed(Self.status(404), at: .seconds(second * 5), random: &random) }
        machine.failed(Self.status(503), at: .seconds(100), random: &random)
        #expect(fits(next(machine, at: .seconds(100)), .wait(4, 6)))
        machine.failed(.refused, at: .seconds(106), random: &random)
        #expect(fits(next(machine, at: .seconds(106)), .wait(3.75, 5)))
    }

    @Test func `the quota's interval is a reported minimum and ends when there are fewer trips`() {
        var machine = PollMachine(
            policy: .init(interval: .seconds(5), shortestInterval: .seconds(1), creationTimeout: nil),
            firstDue: .zero
        )
        machine.setQuotaInterval(.seconds(40))
        #expect(machine.schedule.interval == .seconds(40) && machine.schedule.clampedFrom == .seconds(5))
        machine.setInterval(.seconds(10), at: .zero)
        #expect(machine.schedule.interval == .seconds(40) && machine.schedule.clampedFrom == .seconds(10))
        machine.setQuotaInterval(.zero)
        #expect(machine.schedule.interval == .seconds(10) && machine.schedule.clampedFrom == nil)
    }

    @Test func `a poll that was deferred by the quota is made at its time, requested or not`() {
        var machine = PollMachine(
            policy: .init(interval: .seconds(5), shortestInterval: .seconds(1), creationTimeout: nil),
            firstDue: .zero
        )
        machine.pollNow(at: .zero)
        machine.deferred(until: .seconds(3))
        #expect(machine.action(at: .zero) == .wait(until: .seconds(3)))
        #expect(machine.schedule.reason == .quota)
        #expect(machine.action(at: .seconds(3)) == .poll)
    }
}
