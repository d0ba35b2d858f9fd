import Failures
import FleetTokens
import FleetWire
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Poll machine", .ends(within: .quickTest))
struct PollMachineTests {
    private var random = SeededGenerator(seed: 1)
    private let ridden: Trip
    private let unassigned: Trip

    init() throws {
        unassigned = Trip(id: try TripID("t"), provider: try ProviderID("p"), status: .new)
        var trip = unassigned
        trip.vehicleID = try VehicleID("v")
        trip.status = .enrouteToPickup
        ridden = trip
    }

    private func machine(
        interval: Duration = .seconds(5),
        shortest: Duration = .seconds(1),
        creationTimeout: Duration? = .seconds(60)
    ) -> PollMachine {
        PollMachine(
            policy: .init(interval: interval, shortestInterval: shortest, creationTimeout: creationTimeout),
            firstDue: .zero
        )
    }

    private static func service(_ status: Int, retryAfter: Duration? = nil) -> Failure {
        .service(ServiceAnswer(httpStatus: status, status: status == 404 ? "NOT_FOUND" : nil), retryAfter: retryAfter)
    }

    private func ended(_ status: TripStatus) -> Trip {
        var trip = ridden
        trip.status = status
        return trip
    }

    @Test func `polls at once and then once per interval without drift`() {
        var machine = machine()
        var now = Duration.zero
        var polls: [Duration] = []
        for _ in 0..<5 {
            #expect(machine.action(at: now) == .poll)
            polls.append(now)
            machine.began(at: now)
            now += .milliseconds(700)
            machine.answered(.trip(ridden), at: now)
            guard case .wait(let until) = machine.action(at: now) else { return }
            now = until
        }
        #expect(polls == [.zero, .seconds(5), .seconds(10), .seconds(15), .seconds(20)])
    }

    @Test func `polls once after a suspension instead of making up for missed polls`() {
        var machine = machine()
        machine.began(at: .zero)
        machine.answered(.trip(ridden), at: .zero)
        let woken = Duration.seconds(3600)
        #expect(machine.action(at: woken) == .poll)
        machine.began(at: woken)
        machine.answered(.trip(ridden), at: woken)
        #expect(machine.action(at: woken) == .wait(until: woken + .seconds(5)))
    }

    @Test func `polls half as often while the trip has no vehicle`() {
        var machine = machine()
        machine.began(at: .zero)
        machine.answered(.trip(unassigned), at: .zero)
        #expect(machine.action(at: .zero) == .wait(until: .seconds(10)))
        #expect(machine.schedule.reason == .waitingForVehicle)
    }

    @Test(arguments: [TripStatus.complete, .canceled])
    func `polls once more after the end of a trip and stops`(status: TripStatus) {
        var machine = machine()
        machine.began(at: .zero)
        machine.answered(.trip(ended(status)), at: .zero)
        #expect(machine.action(at: .zero) == .wait(until: .seconds(5)))
        machine.began(at: .seconds(5))
        machine.answered(.trip(ended(status)), at: .seconds(5))
        #expect(machine.action(at: .seconds(5)) == .stop(.reached(.trip(status))))
    }

    @Test mutating func `a trip has ended even if the confirming poll fails`() {
        var machine = machine()
        machine.answered(.trip(ended(.complete)), at: .zero)
        machine.failed(.refused, at: .seconds(5), random: &random)
        #expect(machine.action(at: .seconds(5)) == .stop(.reached(.trip(.complete))))
    }

    @Test(arguments: [
        (TimeInSeconds(0.1), TimeInSeconds(5), TimeInSeconds(5)),
        (TimeInSeconds(0.1), TimeInSeconds(1), TimeInSeconds(1)),
        (TimeInSeconds(900), TimeInSeconds(1), TimeInSeconds(300)),
        (TimeInSeconds(7), TimeInSeconds(5), TimeInSeconds(7)),
    ])
    func `clamps the interval and reports the requested one`(
        asked: TimeInSeconds,
        shortest: TimeInSeconds,
        got: TimeInSeconds
    ) {
        var machine = machine(interval: asked.duration, shortest: shortest.duration)
        #expect(machine.schedule.interval == got.duration)
        #expect(machine.schedule.clampedFrom == (asked == got ? nil : asked.duration))
        machine.setInterval(asked.duration, at: .zero)
        #expect(machine.schedule.interval == got.duration)
        #expect(machine.schedule.clampedFrom == (asked == got ? nil : asked.duration))
    }

    @Test mutating func `polls once at once after a 401, then backs off`() {
        var machine = machine()
        machine.failed(Self.service(401), at: .zero, random: &random)
        #expect(machine.action(at: .zero) == .poll)
        machine.failed(Self.service(401), at: .seconds(1), random: &random)
        guard case .wait = machine.action(at: .seconds(1)) else {
            Issue.record("a second 401 must be waited out")
            return
        }
        machine.answered(.trip(ridden), at: .seconds(20))
        machine.failed(Self.service(401), at: .seconds(25), random: &random)
        #expect(machine.action(at: .seconds(25)) == .poll)
    }

    @Test(arguments: [Failure.service(ServiceAnswer(httpStatus: 503), retryAfter: nil), .timedOut])
    mutating func `polls at once after a 401 that follows a failure of another kind`(other: Failure) {
        var machine = machine()
        machine.failed(Self.service(401), at: .zero, random: &random)
        machine.failed(other, at: .seconds(1), random: &random)
        machine.failed(Self.service(401), at: .seconds(60), random: &random)
        #expect(machine.action(at: .seconds(60)) == .poll)
        machine.failed(Self.service(401), at: .seconds(61), random: &random)
        guard case .wait = machine.action(at: .seconds(61)) else {
            Issue.record("a second 401 must be waited out")
            return
        }
    }

    @Test mutating func `polls once at once after a 403, then stops with its cause`() {
        var machine = machine()
        machine.failed(Self.service(403), at: .zero, random: &random)
        #expect(machine.action(at: .zero) == .poll)
        machine.failed(Self.service(403), at: .seconds(1), random: &random)
        #expect(machine.action(at: .seconds(1)) == .stop(.failed(Self.service(403))))
    }

    @Test mutating func `waits a limited time for a trip to be created`() {
        var machine = machine()
        var now = Duration.zero
        var polls = 0
        while true {
            let action = machine.action(at: now)
            switch action {
            case .poll:
                machine.began(at: now)
                machine.failed(Self.service(404), at: now, random: &random)
                polls += 1
            case .wait(let until): now = until
            case .hold: Issue.record("it was not paused")
            case .stop(let end):
                #expect(end == .failed(Self.service(404)))
                #expect(now >= .seconds(60) && now <= .seconds(70))
                #expect(polls > 5)
                return
            }
        }
    }

    /// When a machine that has seen the trip stops because of a lasting failure; `nil` if it still polls after an hour.
    private mutating func givesUp(on failure: Failure) -> Duration? {
        var machine = machine()
        machine.answered(.trip(ridden), at: .zero)
        var now = Duration.seconds(5)
        while now < .seconds(3600) {
            switch machine.action(at: now) {
            case .poll:
                machine.began(at: now)
                machine.failed(failure, at: now, random: &random)
            case .wait(let time): now = time
            case .hold, .stop: return now
            }
        }
        return nil
    }

    @Test mutating func `stops after about a minute when the service reports that a known trip is gone`() {
        let gone = Failure.service(ServiceAnswer(httpStatus: 404, status: "NOT_FOUND"), retryAfter: nil)
        #expect(givesUp(on: gone).map { $0 >= .seconds(60) && $0 <= .seconds(80) } == true)
    }

    @Test(arguments: [
        Failure.redirected(httpStatus: 302), .webPage(httpStatus: 200, title: "Login"), Self.service(400),
        Self.service(401), Self.service(403), .service(ServiceAnswer(httpStatus: 404), retryAfter: nil),
        .invalidURL,
        .unusableProxy(reason: ""), TokenError.denied(status: 403, retryAfter: .seconds(30)).failure,
        TokenError.rejectedByService(status: 403, retryAfter: .seconds(10)).failure.with(
            History(refusal: Self.service(403))
        ),
    ])
    mutating func `continues to poll after any failure once an answer was good`(failure: Failure) {
        #expect(givesUp(on: failure) == nil)
    }

    @Test(arguments: [408, 429, 500, 502, 503, 504])
    func `backs off with doubling waits and jitter`(status: Int) {
        var random = SeededGenerator(seed: UInt64(status))
        var machine = machine()
        var now = Duration.zero
        var waits: [Double] = []
        for _ in 0..<6 {
            machine.failed(Self.service(status), at: now, random: &random)
            guard case .wait(let until) = machine.action(at: now) else { return }
            waits.append((until - now).seconds)
            now = until
        }
        for (wait, expected) in zip(waits, [5.0, 10, 20, 40, 60, 60]) {
            #expect(wait >= expected * 0.8 && wait <= expected * 1.2)
        }
        #expect(Set(waits).count == waits.count)
    }

    @Test mutating func `uses Retry-After as a minimum, at most five minutes`() {
        var machine = machine()
        machine.failed(Self.service(429, retryAfter: .seconds(90)), at: .zero, random: &random)
        #expect(machine.action(at: .zero) == .wait(until: .seconds(90)))
        #expect(machine.schedule.reason == .retryAfter)
        machine.failed(Self.service(503, retryAfter: .seconds(86_400)), at: .seconds(90), random: &random)
        #expect(machine.action(at: .seconds(90)) == .wait(until: .seconds(390)))
    }

    @Test mutating func `the wait for the token provider is not called the service's`() {
        var machine = machine()
        machine.failed(
            TokenError.unusable(.tokenBoundToAnother, retryAfter: .seconds(40)).failure,
            at: .zero,
            random: &random
        )
        #expect(machine.action(at: .zero) == .wait(until: .seconds(40)))
        #expect(machine.schedule.reason == .backOff)
    }

    @Test(arguments: [
        Failure.service(ServiceAnswer(httpStatus: 400), retryAfter: nil),
        .redirected(httpStatus: 302),
        .invalidURL,
        TokenError.denied(status: 404, retryAfter: .seconds(30)).failure,
    ])
    func `stops after failures that polling can't fix`(failure: Failure) {
        var random = SeededGenerator(seed: 1)
        var machine = machine()
        machine.failed(failure, at: .zero, random: &random)
        #expect(machine.action(at: .zero) == .stop(.failed(failure)))
    }

    @Test(arguments: [
        Failure.refused, .tls(reason: ""), .webPage(httpStatus: 200, title: nil),
        .unreadable(.notJSON(reason: "")), TokenError.unavailable(.sourceTimedOut, retryAfter: .seconds(2)).failure,
    ])
    func `continues to poll after failures that may pass`(failure: Failure) {
        var random = SeededGenerator(seed: 1)
        var machine = machine()
        machine.failed(failure, at: .zero, random: &random)
        guard case .wait = machine.action(at: .zero) else {
            Issue.record("\(failure) is not the end")
            return
        }
    }

    @Test func `holds while paused, polls on request and continues when resumed`() {
        var machine = machine()
        machine.pause()
        #expect(machine.action(at: .seconds(100)) == .hold)
        machine.pollNow(at: .seconds(100))
        #expect(machine.action(at: .seconds(100)) == .poll)
        machine.began(at: .seconds(100))
        machine.answered(.trip(ridden), at: .seconds(100))
        #expect(machine.action(at: .seconds(200)) == .hold)
        machine.resume()
        #expect(machine.action(at: .seconds(200)) == .poll)
    }

    @Test func `a shorter interval counts from now, a longer one from the next poll`() {
        var machine = machine(interval: .seconds(30))
        machine.began(at: .zero)
        machine.answered(.trip(ridden), at: .zero)
        machine.setInterval(.seconds(2), at: .seconds(3))
        #expect(machine.action(at: .seconds(3)) == .wait(until: .seconds(5)))
        machine.setInterval(.seconds(60), at: .seconds(4))
        #expect(machine.action(at: .seconds(4)) == .wait(until: .seconds(5)))
    }

    @Test func `a new interval does not interrupt the poll in progress`() {
        var machine = machine(interval: .seconds(30))
        machine.began(at: .zero)
        machine.setInterval(.seconds(2), at: .seconds(1))
        #expect(machine.schedule.next == nil)
        machine.answered(.trip(ridden), at: .seconds(3))
        // The answer took longer than the new interval, which therefore counts from it.
        #expect(machine.action(at: .seconds(3)) == .wait(until: .seconds(5)))
    }
}

/// A duration that prints well as the argument of a test.
struct TimeInSeconds: Sendable, Equatable {
    var duration: Duration

    init(_ seconds: Double) {
        duration = .seconds(seconds)
    }
}
