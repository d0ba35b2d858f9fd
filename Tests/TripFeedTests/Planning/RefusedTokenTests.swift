import Failures
import FleetTokens
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

/// A 401 or a 403 causes one poll with another token, as soon as the token provider fetches one.
@Suite("Refused tokens", .ends(within: .quickTest))
struct RefusedTokenTests {
    /// The outcomes of consecutive polls, each made after the wait that follows the one before.
    struct Course: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The failure of each poll.
        let polls: [Failure]
        /// The expected wait after each poll in seconds.
        ///
        /// If there is one wait less than there are polls, polling ends after the last one.
        let waits: [ClosedRange<Double>]
        /// The cause of the end; `nil` if polling continues.
        var end: Failure?
    }

    private static func service(_ status: Int) -> Failure {
        .service(ServiceAnswer(httpStatus: status), retryAfter: nil)
    }

    private static func young(_ status: Int, _ seconds: Int) -> Failure {
        TokenError.rejectedByService(status: .http(status), retryAfter: .seconds(seconds)).failure
    }

    private static let same = TokenError.unusable(.tokenSameAgain, retryAfter: .seconds(10)).failure
    private static let atOnce = 0.0...0.0

    static let courses = [
        Course(
            testDescription: "403, again with a new token",
            polls: [service(403), service(403)],
            waits: [atOnce],
            end: service(403)
        ),
        Course(
            testDescription: "403 for a young token, again with the next one",
            polls: [service(403), young(403, 10), service(403)],
            waits: [atOnce, 10...10],
            end: service(403)
        ),
        Course(
            testDescription: "403 for a young token, and none came after the wait",
            polls: [service(403), young(403, 10), young(403, 20)],
            waits: [atOnce, 10...10],
            end: service(403)
        ),
        Course(
            testDescription: "403, and the source has the same token again",
            polls: [service(403), same, same],
            waits: [atOnce, 10...10],
            end: service(403)
        ),
        Course(
            testDescription: "401, again with a new token",
            polls: [service(401), service(401), service(401)],
            waits: [atOnce, 4...6, 8...12]
        ),
        Course(
            testDescription: "401 for a young token, again with the next one",
            polls: [service(401), young(401, 10), service(401), young(401, 20), service(401)],
            waits: [atOnce, 10...10, 4...6, 20...20, 16...24]
        ),
        Course(
            testDescription: "401, then 403 for the new token",
            polls: [service(401), service(403), young(403, 10), service(403)],
            waits: [atOnce, atOnce, 10...10],
            end: service(403)
        ),
        Course(
            testDescription: "a refusal of which this machine never heard",
            polls: [young(403, 10)],
            waits: [10...10]
        ),
    ]

    @Test(arguments: courses)
    func `retries a refusal once with another token, then backs off or stops`(course: Course) {
        for seed in 1...20 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            var machine = Self.machine()
            var now = Duration.zero
            for (number, failure) in course.polls.enumerated() {
                machine.began(at: now)
                machine.failed(failure, at: now, random: &random)
                guard number < course.waits.count else {
                    #expect(machine.action(at: now) == course.end.map { .stop(.failed($0)) })
                    continue
                }
                let range = course.waits[number]
                let wait = Self.wait(machine, at: now)
                #expect(range.contains(wait), "after poll \(number + 1): \(wait) s")
                now += .seconds(wait)
            }
        }
    }

    @Test func `a good answer resets the refusal, so that the next one is retried`() throws {
        var random = SeededGenerator(seed: 1)
        var machine = Self.machine()
        var trip = Trip(id: try TripID("t"), provider: try ProviderID("p"), status: .enrouteToPickup)
        trip.vehicleID = try VehicleID("v")
        for start in [Duration.zero, .seconds(100)] {
            machine.failed(Self.service(403), at: start, random: &random)
            machine.failed(Self.young(403, 10), at: start, random: &random)
            #expect(machine.action(at: start) == .wait(until: start + .seconds(10)))
            #expect(machine.schedule.reason == .newToken)
            machine.answered(.trip(trip), at: start + .seconds(10))
        }
    }

    private static func machine() -> PollMachine {
        PollMachine(
            policy: .init(interval: .seconds(5), shortestInterval: .seconds(1), creationTimeout: nil),
            firstDue: .zero
        )
    }

    private static func wait(_ machine: PollMachine, at now: Duration) -> Double {
        switch machine.action(at: now) {
        case .poll: 0
        case .wait(let time): (time - now).seconds
        case .hold, .stop: .infinity
        }
    }
}
