import Failures
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@testable import TripFeed

/// Nothing passes that was not looked at.
@Suite("Values that were not seen", .ends(within: .quickTest))
struct UnseenValueTests {
    private static let start = Moment(wall: Date(timeIntervalSince1970: 1_773_476_000), steady: .seconds(100))

    /// What is seen every five seconds.
    private enum Step: Sendable {
        /// An answer with the trip; of a log, a change of the trip.
        case answer
        /// A failed poll.
        case failure
        /// A call of the rider in a log, which the service refused or not.
        case call(isRefused: Bool)
    }

    private static func results(
        _ expectations: [TripExpectation],
        _ steps: [Step],
        isOfLog: Bool = false,
        countsCalls: Bool = true
    ) throws -> [ExpectationResult] {
        let trip = try TripID("t")
        var table = JourneyTable()
        var checker = ExpectationChecker(
            expectations,
            first: .trip(trip),
            begins: start,
            isOfLog: isOfLog,
            countsCalls: countsCalls
        )
        var state = TripState(id: .trip(trip))
        let error = ServiceAnswer(httpStatus: 503, status: "UNAVAILABLE")
        var now = start
        for step in steps {
            now = now.advanced(by: .seconds(5))
            if case .call(let isRefused) = step {
                _ = checker.handleCall(of: .trip(trip), refused: isRefused ? error : nil, at: now)
                continue
            }
            var report = PollReport(journey: .trip(trip), started: now)
            report.outcome = .failure(.service(error, retryAfter: nil))
            if !isOfLog { report.call = .sample(status: 503, at: now) }
            if case .answer = step {
                let answer = Trip(id: trip, provider: try ProviderID("p"), status: .enrouteToPickup)
                state.merge(.trip(answer), serverDate: nil, at: now)
                report.outcome = .success(.trip(answer))
                if !isOfLog { report.call = .sample(at: now) }
            }
            _ = checker.handle(
                .polled(report, state, PollSchedule(interval: .seconds(5), next: nil)),
                in: &table,
                at: now
            )
        }
        _ = checker.finish(at: now)
        return checker.results
    }

    private static func conditions(_ checks: [MeasureCheck], isFailing: Bool? = nil) -> ExpectedConditions {
        var conditions = ExpectedConditions()
        (conditions.checks, conditions.isFailing) = (checks, isFailing)
        return conditions
    }

    /// Returns every way to expect conditions.
    private static func ways(_ conditions: ExpectedConditions) -> [TripExpectation] {
        let must: [TripExpectation.Extent] = [.once, .throughout, .always]
        let kinds = must.map { TripExpectation.Kind.must(conditions, $0) } + [.mustNot(conditions)]
        return kinds.flatMap { kind in
            [nil, 8.0].map { TripExpectation(name: "\(kind)", kind: kind, within: $0) }
        }
    }

    /// The measures that need no answer with the trip.
    private static let ofSession = ["polls", "failures"]

    /// Returns a comparison of each measure with each relation and several values.
    private static func checks(where isIncluded: (MeasureForm) -> Bool) -> [MeasureCheck] {
        MeasureForm.all.filter(isIncluded).flatMap { form in
            let argument =
                switch form.argument {
                case .field: "remainingWaypoints[1].location"
                case .needed: "x"
                case .none, .optional: ""
                }
            let values: [MeasuredValue] = [.missing, .text("x"), .number(3), .number(-1e9), .number(1e9), .json("{}")]
            return MeasureCheck.Relation.allCases.flatMap { relation in
                values.map { MeasureCheck(form.id, relation, $0, argument: argument) }
            }
        }
    }

    @Test(arguments: [0, 1, 4])
    func `without an answer, no comparison of the answer is decided`(failures: Int) throws {
        let checks = Self.checks { !Self.ofSession.contains($0.id) && !$0.needsOwnRequests }
        #expect(checks.count > 500)
        let expectations = checks.flatMap { Self.ways(Self.conditions([$0])) }
        let steps = Array(repeating: Step.failure, count: failures)
        for result in try Self.results(expectations, steps) where result.outcome != .undecided {
            Issue.record("\(result.expectation.words): \(result.outcome)")
        }
        guard failures > 0 else { return }
        let results = try Self.results(expectations, steps)
        #expect(results.allSatisfy { $0.reason == .neverAnswered && $0.cause != nil })
    }

    @Test func `without an answer, a measure of the token or the size of an answer does not pass either`() throws {
        let checks = Self.checks { $0.needsOwnRequests && !$0.id.hasPrefix("latency") }
        let results = try Self.results(checks.flatMap { Self.ways(Self.conditions([$0])) }, [.failure, .failure])
        #expect(results.allSatisfy { $0.outcome == .undecided })
    }

    @Test(arguments: [true, false])
    func `of a shipment, no comparison of what only trips have is decided`(isKnown: Bool) throws {
        // From the manual's page about expectations.
        let ofTrips = ["vehicle", "passengers", "pickup-delay", "others-ahead", "trip"]
        let expectations = Self.checks { ofTrips.contains($0.id) }.flatMap { Self.ways(Self.conditions([$0])) }
        #expect(expectations.count > 500)
        let shipment = TaskTrackingInfo(
            trackingID: try TrackingID("s"),
            provider: try ProviderID("p"),
            state: .open
        )
        let id = JourneyID.shipment(shipment.trackingID)
        // The shipment is known from the start, or added later.
        var table = JourneyTable()
        var checker = ExpectationChecker(expectations, first: isKnown ? id : nil, begins: Self.start)
        var state = TripState(id: id)
        for second in [5, 10, 15] {
            let now = Self.start.advanced(by: .seconds(second))
            var report = PollReport(journey: id, started: now)
            state.merge(.shipment(shipment), serverDate: nil, at: now)
            report.outcome = .success(.shipment(shipment))
            _ = checker.handle(
                .polled(report, state, PollSchedule(interval: .seconds(5), next: nil)),
                in: &table,
                at: now
            )
        }
        _ = checker.finish(at: Self.start.advanced(by: .seconds(20)))
        for result in checker.results where result.outcome != .undecided {
            Issue.record("\(result.expectation.words): \(result.outcome)")
        }
    }

    @Test func `after an occasion, an answer before it does not count`() throws {
        var absent = TripExpectation(
            name: "a",
            kind: .must(Self.conditions([MeasureCheck("vehicle", .equal, .missing)]), .always)
        )
        absent.after = .check(MeasureCheck("failures", .atLeast, .number(1)))
        var forbidden = absent
        forbidden.kind = .mustNot(Self.conditions([MeasureCheck("trip", .equal, .text("x"), argument: "vehicleId")]))
        let expectations = [absent, forbidden]
        #expect(
            try Self.results(expectations, [.answer, .failure, .failure]).map(\.outcome) == [.undecided, .undecided]
        )
        #expect(try Self.results(expectations, [.answer, .failure, .answer]).map(\.outcome) == [.passed, .passed])
    }

    @Test func `an answer after the limit does not prove what was true in time`() throws {
        let absent = Self.conditions([MeasureCheck("vehicle", .equal, .missing)])
        let other = Self.conditions([MeasureCheck("vehicle", .equal, .text("x"))])
        let expectations = [
            TripExpectation(name: "once", kind: .must(absent, .once), within: 2),
            TripExpectation(name: "always", kind: .must(absent, .always), within: 2),
            TripExpectation(name: "never", kind: .mustNot(other), within: 2),
        ]
        let results = try Self.results(expectations, [.answer, .answer])
        #expect(results.map(\.outcome) == [.undecided, .undecided, .undecided])
    }

    @Test func `an answer decides, and only the polls with an answer are counted`() throws {
        let forbidden = TripExpectation(
            name: "n",
            kind: .mustNot(Self.conditions([MeasureCheck("trip", .equal, .text("x"), argument: "vehicleId")]))
        )
        let absent = TripExpectation(
            name: "a",
            kind: .must(Self.conditions([MeasureCheck("trip", .equal, .missing, argument: "vehicleId")]), .always)
        )
        let steps: [Step] = [.failure, .answer, .failure, .failure, .answer, .failure, .failure]
        let results = try Self.results([forbidden, absent], steps)
        #expect(results.map(\.outcome) == [.passed, .passed])
        #expect(results[0].reason == .didNotHappen(polls: 2) && results[0].polls == 7)
    }

    @Test func `polls and failures are decided without an answer`() throws {
        let expectations = [
            TripExpectation(
                name: "p",
                kind: .must(Self.conditions([MeasureCheck("polls", .equal, .number(3))]), .once)
            ),
            TripExpectation(name: "f", kind: .mustNot(Self.conditions([MeasureCheck("failures", .more, .number(9))]))),
            TripExpectation(name: "w", kind: .mustNot(Self.conditions([], isFailing: true))),
        ]
        let results = try Self.results(expectations, [.failure, .failure, .failure])
        #expect(results.map(\.outcome) == [.passed, .passed, .failed])
        #expect(results[1].reason == .didNotHappen(polls: 3))
    }

    @Test func `a log without calls of the rider decides nothing about them`() throws {
        let checks = Self.checks { Self.ofSession.contains($0.id) }
        let failing = [true, false].map { Self.conditions([], isFailing: $0) }
        let expectations = (checks.map { Self.conditions([$0]) } + failing).flatMap { Self.ways($0) }
        let results = try Self.results(expectations, [.answer, .answer, .answer], isOfLog: true)
        for result in results where result.outcome != .undecided || result.reason != .noCalls {
            Issue.record("\(result.expectation.words): \(result.outcome), \(result.reason)")
        }
    }

    @Test func `the calls of the rider in a log decide, and a replay that does not count them says so`() throws {
        let expectations = [
            TripExpectation(name: "w", kind: .mustNot(Self.conditions([], isFailing: true))),
            TripExpectation(
                name: "f",
                kind: .must(Self.conditions([MeasureCheck("failures", .equal, .number(0))]), .always)
            ),
            TripExpectation(
                name: "v",
                kind: .must(Self.conditions([MeasureCheck("vehicle", .equal, .missing)]), .always)
            ),
        ]
        let steps: [Step] = [.answer, .call(isRefused: false), .call(isRefused: true), .answer]
        let log = try Self.results(expectations, steps, isOfLog: true)
        #expect(log.map(\.outcome) == [.failed, .failed, .passed])
        let replay = try Self.results(expectations, [.answer, .answer], isOfLog: true, countsCalls: false)
        #expect(replay.map(\.outcome) == [.undecided, .undecided, .passed])
        #expect(replay[0].reason == .notCounted(["failing"]) && replay[1].reason == .notCounted(["failures"]))
    }
}
