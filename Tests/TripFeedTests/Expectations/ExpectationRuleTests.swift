import Failures
import FleetTokens
import Foundation
import Runtime
import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("Rules of expectations", .ends(within: .quickTest))
struct ExpectationRuleTests {
    private static let start = Moment(wall: Date(timeIntervalSince1970: 1_773_476_000), steady: .seconds(100))

    /// A poll of a trip: an answer with a number of passengers, as an example of any value, or a failure.
    private struct Poll {
        var status: TripStatus? = .enrouteToPickup
        var passengers: Int?
    }

    /// Returns the results of expectations about polls every five seconds; each trip has polls of its own.
    private func results(
        _ expectations: [TripExpectation],
        _ polls: [String: [Poll]],
        ends: Bool = true
    ) throws -> [ExpectationResult] {
        var (table, checker) = (JourneyTable(), ExpectationChecker(expectations, first: nil, begins: Self.start))
        var states: [String: TripState] = [:]
        let count = polls.values.map(\.count).max() ?? 0
        for index in 0..<count {
            let now = Self.start.advanced(by: .seconds(5 * (index + 1)))
            for (name, list) in polls.sorted(by: { $0.key < $1.key }) where list.indices.contains(index) {
                let trip = try TripID(name)
                var state = states[name] ?? TripState(id: .trip(trip))
                var report = PollReport(journey: .trip(trip), started: now)
                report.outcome = .failure(.timedOut)
                if let status = list[index].status {
                    var answer = Trip(id: trip, provider: try ProviderID("p"), status: status)
                    answer.passengers = list[index].passengers
                    state.merge(.trip(answer), serverDate: nil, at: now)
                    report.outcome = .success(.trip(answer))
                }
                states[name] = state
                let schedule = PollSchedule(interval: .seconds(5), next: nil)
                _ = checker.handle(.polled(report, state, schedule), in: &table, at: now)
            }
        }
        let end = Self.start.advanced(by: .seconds(5 * count))
        if ends {
            for name in polls.keys.sorted() {
                _ = checker.handle(.ended(try .trip(TripID(name)), .reached(.trip(.complete))), in: &table, at: end)
            }
        }
        _ = checker.finish(at: end)
        return checker.results
    }

    private static let few = MeasureCheck("passengers", .less, .number(3))

    private static func conditions(_ checks: MeasureCheck...) -> ExpectedConditions {
        var conditions = ExpectedConditions()
        conditions.checks = checks
        return conditions
    }

    private static func always(until: Occasion? = nil) -> TripExpectation {
        var expectation = TripExpectation(name: "a", kind: .must(conditions(few), .always))
        expectation.until = until
        return expectation
    }

    @Test func `always fails at the first violation, names the value, and passes with the extreme as evidence`() throws
    {
        let polls = [1, 2, 1].map { Poll(passengers: $0) }
        let passed = try results([Self.always()], ["t": polls])[0]
        #expect(passed.outcome == .passed)
        let proof = try #require(passed.evidence.first)
        #expect(proof.value == .number(2) && proof.poll == 2)
        #expect(proof.time == Self.start.advanced(by: .seconds(10)).wall)
        let failed = try results([Self.always()], ["t": polls + [Poll(passengers: 4), Poll(passengers: 1)]])[0]
        #expect(failed.outcome == .failed && failed.polls == 4)
        #expect(failed.reason == .notAlways([.check(Self.few, .number(4))]))
        #expect(failed.evidence.map(\.value) == [.number(4)])
    }

    @Test func `an unknown value breaks nothing, but nothing passes without a known one`() throws {
        let unknown = Poll(passengers: nil)
        #expect(try results([Self.always()], ["t": [unknown, Poll(passengers: 1)]])[0].outcome == .passed)
        #expect(try results([Self.always()], ["t": [unknown, unknown]])[0].outcome == .failed)
        let never = TripExpectation(name: "n", kind: .mustNot(Self.conditions(Self.few)))
        #expect(try results([never], ["t": [unknown, unknown]])[0].outcome == .undecided)
        #expect(try results([never], ["t": [unknown, Poll(passengers: 5)]])[0].outcome == .passed)
        #expect(try results([never], ["t": [unknown, Poll(passengers: 1)]])[0].outcome == .failed)
        #expect(try results([never], ["t": [Poll(status: nil), Poll(status: nil)]])[0].outcome == .undecided)
    }

    @Test func `what must never happen names the value that came closest`() throws {
        let never = TripExpectation(name: "n", kind: .mustNot(Self.conditions(Self.few)))
        let result = try results([never], ["t": [9, 4, 6].map { Poll(passengers: $0) }])[0]
        #expect(result.outcome == .passed)
        #expect(result.evidence.map(\.value) == [.number(4)] && result.evidence.map(\.poll) == [2])
    }

    @Test(arguments: [
        // The violation comes before, at and after the end of the judged time.
        ([1, 5, 1], 2, ExpectationResult.Outcome.failed), ([1, 5, 1], 1, .passed), ([1, 1, 5], 1, .passed),
        // The end has come before anything was judged.
        ([1, 1, 1], 0, .skipped),
    ])
    func `until ends the judged time`(numbers: [Int], arrival: Int, outcome: ExpectationResult.Outcome) throws {
        let polls = numbers.enumerated().map { index, number in
            Poll(status: index >= arrival ? .arrivedAtPickup : .enrouteToPickup, passengers: number)
        }
        let expectation = Self.always(until: .status(.trip(.arrivedAtPickup)))
        #expect(try results([expectation], ["t": polls])[0].outcome == outcome)
    }

    @Test func `what must become true before an occasion may do so at its poll, and fails with the occasion`() throws {
        var expectation = TripExpectation(name: "a", kind: .must(Self.conditions(Self.few), .once))
        expectation.until = .check(MeasureCheck("polls", .atLeast, .number(3)))
        let late = [5, 5, 5, 1].map { Poll(passengers: $0) }
        let failed = try results([expectation], ["t": late])[0]
        let unmet = UnmetCondition.check(Self.few, .number(5))
        #expect(failed.outcome == .failed && failed.polls == 3)
        #expect(failed.reason == .cameFirst(.check(MeasureCheck("polls", .atLeast, .number(3))), [unmet]))
        let justInTime = [5, 5, 1, 5].map { Poll(passengers: $0) }
        #expect(try results([expectation], ["t": justInTime])[0].outcome == .passed)
    }

    @Test func `after a comparison, the judged time begins`() throws {
        var expectation = Self.always()
        expectation.after = .check(MeasureCheck("polls", .atLeast, .number(2)))
        #expect(try results([expectation], ["t": [5, 1, 1].map { Poll(passengers: $0) }])[0].outcome == .passed)
        #expect(try results([expectation], ["t": [1, 1, 5].map { Poll(passengers: $0) }])[0].outcome == .failed)
        #expect(try results([expectation], ["t": [Poll(passengers: 1)]])[0].outcome == .skipped)
    }

    @Test(arguments: [
        ([TripStatus.enrouteToPickup, .arrivedAtPickup, .complete], ExpectationResult.Outcome.passed),
        ([.enrouteToPickup, .arrivedAtPickup, .enrouteToDropoff, .complete], .passed),
        // One of them was not seen, or too early.
        ([.enrouteToPickup, .complete], .failed), ([.arrivedAtPickup, .enrouteToPickup, .complete], .failed),
        ([.enrouteToPickup, .arrivedAtPickup], .failed),
    ])
    func `an order holds once all of its statuses were seen in it`(
        _ statuses: [TripStatus],
        outcome: ExpectationResult.Outcome
    ) throws {
        var conditions = ExpectedConditions()
        conditions.order = [.trip(.enrouteToPickup), .trip(.arrivedAtPickup), .trip(.complete)]
        let expectation = TripExpectation(name: "o", kind: .must(conditions, .once))
        #expect(try results([expectation], ["t": statuses.map { Poll(status: $0) }])[0].outcome == outcome)
    }

    @Test func `an expectation about all trips is judged for each, and names the one that fails`() throws {
        var expectation = Self.always()
        expectation.isForAllTrips = true
        var polls: [String: [Poll]] = [:]
        for number in 100..<300 { polls["trip-\(number)"] = [Poll(passengers: 1), Poll(passengers: 2)] }
        polls["trip-177"] = [Poll(passengers: 1), Poll(passengers: 7)]
        let results = try results([expectation], polls)
        #expect(results.count == 200)
        #expect(Set(results.compactMap { $0.journey?.rawValue }) == Set(polls.keys))
        let failed = results.filter { $0.outcome == .failed }
        #expect(failed.map { $0.journey?.rawValue } == ["trip-177"])
        #expect(results.count { $0.outcome == .passed } == 199)
    }

    @Test func `more expectations than a session has room for fail`() throws {
        var expectation = Self.always()
        expectation.isForAllTrips = true
        let expectations = Array(repeating: expectation, count: 200)
        var polls: [String: [Poll]] = [:]
        for number in 100..<160 { polls["trip-\(number)"] = [Poll(passengers: 1)] }
        let results = try results(expectations, polls)
        #expect(results.count == ExpectationChecker.maximumCount)
        #expect(results.last?.outcome == .failed)
        #expect(results.last?.reason == .tooMany(ExpectationChecker.maximumCount))
    }

    @Test func `the failure of the last poll is the cause`() throws {
        var conditions = ExpectedConditions()
        conditions.isFailing = false
        let expectation = TripExpectation(name: "f", kind: .must(conditions, .always))
        let result = try results([expectation], ["t": [Poll(), Poll(status: nil)]])[0]
        #expect(result.outcome == .failed && result.cause?.failure.nameInJSON == "TRANSPORT_TIMED_OUT")
    }

    @Test func `the status of a token counts from the next poll on`() throws {
        let trip = try TripID("t")
        let check = MeasureCheck("token.lifetime", .atLeast, .number(600))
        var conditions = ExpectedConditions()
        conditions.checks = [check]
        var table = JourneyTable()
        var checker = ExpectationChecker(
            [TripExpectation(name: "l", kind: .must(conditions, .always))],
            first: .trip(trip),
            begins: Self.start
        )
        var token = TokenStatus(state: .absent, source: "test")
        token.issuedAt = Self.start.wall
        token.expiresAt = Self.start.wall + 300
        let now = Self.start.advanced(by: .seconds(1))
        let schedule = PollSchedule(interval: .seconds(5), next: nil)
        _ = checker.handle(.polling(.trip(trip), schedule), in: &table, at: now)
        let stored = TokenEvent(context: .trip(trip), at: now, kind: .stored(generation: 1), status: token)
        _ = table.apply(stored)
        checker.handle(stored, table)
        #expect(checker.results[0].outcome == .pending)
        var state = TripState(id: .trip(trip))
        let answer = Trip(id: trip, provider: try ProviderID("p"), status: .new)
        state.merge(.trip(answer), serverDate: nil, at: now)
        var report = PollReport(journey: .trip(trip), started: now)
        report.outcome = .success(.trip(answer))
        _ = checker.handle(.polled(report, state, schedule), in: &table, at: now)
        #expect(checker.results[0].reason == .notAlways([.check(check, .number(300))]))
    }
}
