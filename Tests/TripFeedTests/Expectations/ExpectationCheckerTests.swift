import Failures
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Expectation checker", .ends(within: .quickTest))
struct ExpectationCheckerTests {
    /// A followed trip whose polls are reported to a checker.
    private struct Scene {
        static let start = Moment(wall: Date(timeIntervalSince1970: 1_773_476_000), steady: .seconds(100))
        let trip: TripID
        var state: TripState
        var table = JourneyTable()
        var checker: ExpectationChecker

        init(
            _ expectations: TripExpectation...,
            tolerance: ExpectationChecker.Tolerance = .init(lateness: 6, transition: 5)
        ) throws {
            trip = try TripID("t")
            state = TripState(id: .trip(trip))
            checker = ExpectationChecker(expectations, first: .trip(trip), begins: Self.start, tolerance: tolerance)
        }

        func moment(_ seconds: Double) -> Moment { Self.start.advanced(by: .seconds(seconds)) }

        /// Reports a poll: a status, or a failure without one.
        mutating func poll(_ status: TripStatus?, at seconds: Double) throws {
            let now = moment(seconds)
            var report = PollReport(journey: .trip(trip), started: now)
            report.outcome = .failure(.timedOut)
            if let status {
                let answer = Trip(id: trip, provider: try ProviderID("p"), status: status)
                state.merge(.trip(answer), serverDate: nil, at: now)
                report.outcome = .success(.trip(answer))
            }
            _ = checker.handle(
                .polled(report, state, PollSchedule(interval: .seconds(5), next: nil)),
                in: &table,
                at: now
            )
        }

        mutating func find(_ id: String, at seconds: Double) throws {
            let rule = try #require(FindingRule.all.first { $0.id == id })
            let now = moment(seconds)
            let finding = Finding(time: now.wall, journey: .trip(trip), rule: rule, severity: .warning, evidence: [])
            _ = checker.handle(.found(.trip(trip), [finding]), in: &table, at: now)
        }

        mutating func end(_ status: TripStatus, at seconds: Double) {
            _ = checker.handle(.ended(.trip(trip), .reached(.trip(status))), in: &table, at: moment(seconds))
        }

        mutating func finish(at seconds: Double) { _ = checker.finish(at: moment(seconds)) }

        var outcomes: [ExpectationResult.Outcome] { checker.results.map(\.outcome) }
    }

    @Test(arguments: [(0.0, 11.0, ExpectationResult.Outcome.failed), (10, 14, .pending), (10, 16, .failed)])
    func `conditions that stop holding fail at once, or after the grace that the file states`(
        grace: Double,
        seconds: Double,
        outcome: ExpectationResult.Outcome
    ) throws {
        let works = Self.conditions { $0.isFailing = false }
        var scene = try Scene(
            TripExpectation(name: "", kind: .must(works, .throughout), grace: grace),
            tolerance: .init()
        )
        try scene.poll(.enrouteToPickup, at: 1)
        try scene.poll(nil, at: 6)
        #expect(scene.outcomes == [grace == 0 ? .failed : .pending])
        try scene.poll(nil, at: seconds)
        #expect(scene.outcomes == [outcome])
    }

    @Test(arguments: [(0.0, ExpectationResult.Outcome.failed), (5, .passed)])
    func `a limit is that of the file and its grace`(grace: Double, outcome: ExpectationResult.Outcome) throws {
        let arrived = Self.conditions { $0.reached = .trip(.arrivedAtPickup) }
        var scene = try Scene(
            TripExpectation(name: "", kind: .must(arrived, .once), within: 10, grace: grace),
            tolerance: .init()
        )
        try scene.poll(.enrouteToPickup, at: 8)
        try scene.poll(.arrivedAtPickup, at: 13)
        #expect(scene.outcomes == [outcome])
    }

    private static func conditions(_ change: (inout ExpectedConditions) -> Void) -> ExpectedConditions {
        var conditions = ExpectedConditions()
        change(&conditions)
        return conditions
    }

    private static func must(
        within: Double? = nil,
        after: TripStatus? = nil,
        throughout: Bool = false,
        _ change: (inout ExpectedConditions) -> Void
    ) -> TripExpectation {
        TripExpectation(
            name: "must",
            kind: .must(conditions(change), throughout ? .throughout : .once),
            after: after.map { .status(.trip($0)) },
            within: within
        )
    }

    private static func never(within: Double? = nil, _ change: (inout ExpectedConditions) -> Void) -> TripExpectation {
        TripExpectation(name: "never", kind: .mustNot(conditions(change)), within: within)
    }

    @Test func `a status passes when it or a later one is seen, with the time and the status as evidence`() throws {
        var scene = try Scene(Self.must(within: 60) { $0.reached = .trip(.arrivedAtPickup) })
        try scene.poll(.enrouteToPickup, at: 5)
        #expect(scene.outcomes == [.pending])
        try scene.poll(.enrouteToDropoff, at: 40)
        let result = try #require(scene.checker.results.first)
        #expect(result.outcome == .passed && result.reason == .met)
        #expect(result.seconds == 40 && result.status == .trip(.enrouteToDropoff))
        #expect(result.time == scene.moment(40).wall)
    }

    @Test func `a status fails once the limit and the tolerance of a poll are over`() throws {
        var scene = try Scene(Self.must(within: 20) { $0.reached = .trip(.enrouteToDropoff) })
        try scene.poll(.enrouteToPickup, at: 26)
        #expect(scene.outcomes == [.pending])
        try scene.poll(.enrouteToPickup, at: 27)
        #expect(scene.outcomes == [.failed])
        let unmet = UnmetCondition.notReached(.trip(.enrouteToPickup), expected: .trip(.enrouteToDropoff))
        #expect(scene.checker.results[0].reason == .notInTime([unmet], limit: 20))
    }

    @Test func `what is first seen after the limit is too late, unless the next poll shows it`() throws {
        var scene = try Scene(Self.must(within: 20) { $0.reached = .trip(.complete) })
        try scene.poll(.new, at: 1)
        try scene.poll(.complete, at: 25)
        #expect(scene.outcomes == [.passed])
        scene = try Scene(Self.must(within: 20) { $0.reached = .trip(.complete) })
        try scene.poll(.new, at: 1)
        try scene.poll(.complete, at: 40)
        #expect(scene.outcomes == [.failed] && scene.checker.results[0].reason == .late(limit: 20))
    }

    @Test func `a list of statuses is about the current one`() throws {
        var scene = try Scene(
            Self.must { $0.statuses = [.trip(.enrouteToPickup), .trip(.arrivedAtPickup)] },
            Self.must { $0.statuses = [.trip(.canceled)] }
        )
        try scene.poll(.enrouteToPickup, at: 1)
        try scene.poll(.complete, at: 6)
        scene.end(.complete, at: 6)
        #expect(scene.outcomes == [.passed, .failed])
        let unmet = UnmetCondition.status(.trip(.complete), expected: [.trip(.canceled)])
        #expect(scene.checker.results[1].reason == .tripEnded([unmet]))
    }

    @Test func `what must stay true fails when it does not come back within the transition and a poll`() throws {
        var scene = try Scene(Self.must(throughout: true) { $0.isFailing = false })
        try scene.poll(.new, at: 1)
        try scene.poll(nil, at: 5)
        try scene.poll(.new, at: 10)
        try scene.poll(nil, at: 15)
        try scene.poll(nil, at: 20)
        #expect(scene.outcomes == [.pending])
        try scene.poll(nil, at: 26)
        #expect(scene.outcomes == [.failed])
        #expect(scene.checker.results[0].reason == .noLongerMet([.failing(expected: false)]))
    }

    @Test func `what must stay true passes at the end of the trip`() throws {
        var scene = try Scene(Self.must(throughout: true) { $0.isFailing = false })
        try scene.poll(.new, at: 1)
        try scene.poll(.complete, at: 6)
        scene.end(.complete, at: 6)
        #expect(scene.outcomes == [.passed])
    }

    @Test func `what must not happen fails at once and passes at the limit or the end`() throws {
        var scene = try Scene(
            Self.never { $0.finding = "offRoute" },
            Self.never(within: 10) { $0.reached = .trip(.canceled) },
            Self.never { $0.reached = .trip(.canceled) }
        )
        try scene.poll(.new, at: 1)
        try scene.find("offRoute", at: 2)
        #expect(scene.outcomes == [.failed, .pending, .pending])
        try scene.poll(.enrouteToPickup, at: 17)
        #expect(scene.outcomes == [.failed, .passed, .pending])
        scene.finish(at: 20)
        #expect(scene.outcomes == [.failed, .passed, .passed])
    }

    @Test func `without an answer, nothing is decided`() throws {
        var scene = try Scene(Self.must { $0.reached = .trip(.complete) }, Self.never { $0.reached = .trip(.canceled) })
        try scene.poll(nil, at: 1)
        scene.finish(at: 2)
        #expect(scene.outcomes == [.undecided, .undecided])
        #expect(scene.checker.results.allSatisfy { $0.reason == .neverAnswered && $0.cause != nil })
    }

    @Test func `with a status to begin with, limit and findings count from there`() throws {
        var scene = try Scene(
            Self.must(within: 10, after: .arrivedAtPickup) { $0.finding = "offRoute" },
            Self.must(within: 10, after: .arrivedAtPickup) { $0.reached = .trip(.complete) },
            Self.must(after: .canceled) { $0.reached = .trip(.canceled) }
        )
        try scene.poll(.new, at: 1)
        try scene.find("offRoute", at: 2)
        try scene.poll(.new, at: 90)
        #expect(scene.outcomes == [.pending, .pending, .pending])
        try scene.poll(.arrivedAtPickup, at: 100)
        try scene.find("offRoute", at: 105)
        #expect(scene.outcomes == [.passed, .pending, .pending])
        try scene.poll(.complete, at: 114)
        scene.end(.complete, at: 114)
        #expect(scene.outcomes == [.passed, .passed, .skipped])
        #expect(scene.checker.results[2].reason == .notBegun(.status(.trip(.canceled))))
    }

    @Test func `a manual step asks from its status on, retains the answer, and is skipped without one`() throws {
        var scene = try Scene(
            TripExpectation(
                name: "a",
                kind: .manual(question: "a?", journey: nil),
                after: .status(.trip(.enrouteToPickup))
            ),
            TripExpectation(name: "b", kind: .manual(question: "b?", journey: nil))
        )
        #expect(scene.checker.results.map(\.isAsking) == [false, true])
        try scene.poll(.enrouteToPickup, at: 8)
        #expect(scene.checker.results.map(\.isAsking) == [true, true])
        #expect(scene.checker.answer(0, .fail, note: "two minutes off", at: scene.moment(12)) == [0])
        scene.end(.complete, at: 20)
        scene.finish(at: 30)
        let (first, second) = (scene.checker.results[0], scene.checker.results[1])
        #expect(first.outcome == .failed && first.note == "two minutes off" && first.seconds == 12)
        #expect(first.status == .trip(.enrouteToPickup))
        #expect(second.outcome == .skipped && second.reason == .unanswered)
    }

    @Test func `numbers that grow from poll to poll do not count as changes`() throws {
        var scene = try Scene(Self.must { $0.checks = [MeasureCheck("position-age", .atLeast, .number(600))] })
        try scene.poll(.new, at: 1)
        let before = scene.checker.results
        try scene.poll(.new, at: 6)
        #expect(scene.checker.results == before)
    }

    @Test func `other trips do not count`() throws {
        var scene = try Scene(Self.must { $0.reached = .trip(.complete) })
        let other = try TripID("other")
        var state = TripState(id: .trip(other))
        let answer = Trip(id: other, provider: try ProviderID("p"), status: .complete)
        state.merge(.trip(answer), serverDate: nil, at: scene.moment(1))
        var report = PollReport(journey: .trip(other), started: scene.moment(1))
        report.outcome = .success(.trip(answer))
        let event = FeedEvent.polled(report, state, PollSchedule(interval: .seconds(5), next: nil))
        #expect(scene.checker.handle(event, in: &scene.table, at: scene.moment(1)) == [])
        #expect(scene.outcomes == [.pending])
    }
}
