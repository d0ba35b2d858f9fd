import Failures
import FleetTokens
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

/// The waits that a manual poll may skip and those that it must respect.
@Suite("Poll now", .ends(within: .quickTest))
struct PollNowTests {
    /// The result of the previous poll.
    enum Before: Sendable {
        case answer
        case failure(Failure)
    }

    /// The result of a poll at 0 s, when a manual poll is requested, and when it may be made.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let before: Before
        var shortest = 5.0
        let asked: Double
        let made: Double

        var testDescription: String { name }
    }

    private static func service(_ status: Int, retryAfter seconds: Double? = nil) -> Failure {
        .service(
            ServiceAnswer(httpStatus: status, status: status == 404 ? "NOT_FOUND" : nil),
            retryAfter: seconds.map { .seconds($0) }
        )
    }

    static let cases: [Case] = [
        Case(name: "long after an answer", before: .answer, asked: 20, made: 20),
        Case(name: "within the floor of Google's host", before: .answer, asked: 1, made: 5),
        Case(name: "at the floor", before: .answer, asked: 5, made: 5),
        Case(name: "within the floor of another host", before: .answer, shortest: 1, asked: 0.25, made: 1),
        Case(name: "above the floor of another host", before: .answer, shortest: 1, asked: 1.5, made: 1.5),
        Case(name: "instead of a back-off", before: .failure(service(503)), asked: 6, made: 6),
        Case(name: "within the floor after a failure", before: .failure(service(503)), asked: 2, made: 5),
        Case(
            name: "a network that may be back",
            before: .failure(.refused),
            shortest: 1,
            asked: 2,
            made: 2
        ),
        Case(name: "within Retry-After", before: .failure(service(429, retryAfter: 90)), asked: 10, made: 90),
        Case(name: "after Retry-After", before: .failure(service(429, retryAfter: 90)), asked: 95, made: 95),
        Case(
            name: "a Retry-After below the back-off",
            before: .failure(service(503, retryAfter: 3)),
            shortest: 1,
            asked: 2,
            made: 3
        ),
        Case(name: "a Retry-After of a day", before: .failure(service(503, retryAfter: 86_400)), asked: 10, made: 300),
        Case(
            name: "a Retry-After of a trip that is not there",
            before: .failure(service(404, retryAfter: 30)),
            asked: 10,
            made: 30
        ),
        Case(
            name: "a token that is not there",
            before: .failure(TokenError.missingData(.sourceEmpty, retryAfter: .seconds(60)).failure),
            asked: 10,
            made: 10
        ),
    ]

    private func machine(after before: Before, shortest: Double) throws -> PollMachine {
        var random = SeededGenerator(seed: 1)
        var machine = PollMachine(
            policy: .init(interval: .seconds(60), shortestInterval: .seconds(shortest), creationTimeout: nil),
            firstDue: .zero
        )
        machine.began(at: .zero)
        switch before {
        case .answer:
            var trip = Trip(id: try TripID("t"), provider: try ProviderID("p"), status: .enrouteToPickup)
            trip.vehicleID = try VehicleID("v")
            machine.answered(.trip(trip), at: .zero)
        case .failure(let failure): machine.failed(failure, at: .zero, random: &random)
        }
        return machine
    }

    @Test(arguments: cases, [false, true])
    func `polls as soon as the service allows it`(rule: Case, isPaused: Bool) throws {
        var machine = try machine(after: rule.before, shortest: rule.shortest)
        if isPaused { machine.pause() }
        let (asked, made) = (Duration.seconds(rule.asked), Duration.seconds(rule.made))
        machine.pollNow(at: asked)
        #expect(machine.action(at: asked) == (made > asked ? .wait(until: made) : .poll))
        #expect(machine.action(at: made) == .poll)
        #expect(machine.schedule.next.map { $0 <= made } == true)
        machine.began(at: made)
        // The request counts for one poll only.
        machine.pause()
        machine.answered(.trip(Trip(id: try TripID("t"), provider: try ProviderID("p"), status: .new)), at: made)
        #expect(machine.action(at: made + .seconds(3600)) == .hold)
    }

    @Test(arguments: [1.0, 5.0])
    func `repeated requests never poll more often than the service's minimum interval`(floor: Double) throws {
        var machine = try machine(after: .answer, shortest: floor)
        let trip = Trip(id: try TripID("t"), provider: try ProviderID("p"), status: .enrouteToPickup)
        var polls: [Duration] = [.zero]
        for tick in 1...600 {
            let now = Duration.milliseconds(tick * 100)
            machine.pollNow(at: now)
            guard machine.action(at: now) == .poll else { continue }
            machine.began(at: now)
            machine.answered(.trip(trip), at: now)
            polls.append(now)
        }
        #expect(polls == (0..<polls.count).map { .seconds(Double($0) * floor) })
        #expect(polls.count == Int(60 / floor) + 1)
    }

    @Test func `makes a poll that was requested during another one after it, no sooner than allowed`() throws {
        var machine = try machine(after: .answer, shortest: 5)
        machine.began(at: .seconds(60))
        machine.pollNow(at: .seconds(61))
        #expect(machine.schedule.next == nil)
        var random = SeededGenerator(seed: 1)
        machine.failed(Self.service(429, retryAfter: 20), at: .seconds(62), random: &random)
        #expect(machine.action(at: .seconds(62)) == .wait(until: .seconds(82)))
        #expect(machine.action(at: .seconds(82)) == .poll)
    }

    @Test(arguments: [Before.answer, .failure(service(503)), .failure(.refused)])
    func `the interval counts from the manual poll`(
        before: Before
    ) throws {
        var machine = try machine(after: before, shortest: 1)
        machine.pollNow(at: .seconds(10))
        machine.began(at: .seconds(10))
        var trip = Trip(id: try TripID("t"), provider: try ProviderID("p"), status: .enrouteToPickup)
        trip.vehicleID = try VehicleID("v")
        machine.answered(.trip(trip), at: .seconds(12))
        #expect(machine.action(at: .seconds(12)) == .wait(until: .seconds(70)))
    }
}
