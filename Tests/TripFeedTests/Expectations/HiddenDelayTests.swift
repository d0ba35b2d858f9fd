import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@testable import TripFeed

/// A delay that an outage hides neither passes nor fails.
@Suite("Hidden delays", .ends(within: .quickTest))
struct HiddenDelayTests {
    private static let start = Moment(wall: Date(timeIntervalSince1970: 1_773_476_000), steady: .seconds(100))
    /// The second for which the arrival was promised.
    private static let promise = 100.0
    private static let measures = ["delay", "pickup-delay"]

    /// What the last answer before the arrival and the first one after it show.
    enum Arrival: CaseIterable {
        /// It is seen 30 s late, 5 s after the answer before.
        case late
        /// It is seen 10 s late, 5 s after the answer before.
        case prompt
        /// It is seen 50 s late, after an outage.
        case hidden
        /// It is seen 40 s early, after an outage.
        case hiddenEarly

        var seconds: (before: Double, there: Double) {
            switch self {
            case .late: (125, 130)
            case .prompt: (105, 110)
            case .hidden: (15, 150)
            case .hiddenEarly: (15, 60)
            }
        }
    }

    private static func trip(_ measure: String, isThere: Bool) throws -> Trip {
        let isPickup = measure == "pickup-delay"
        let status: TripStatus =
            isPickup ? (isThere ? .arrivedAtPickup : .enrouteToPickup) : (isThere ? .complete : .enrouteToDropoff)
        var trip = Trip(id: try TripID("t"), provider: try ProviderID("p"), status: status)
        if !isThere {
            trip.pickupTime = isPickup ? start.wall + promise : nil
            trip.dropoffTime = isPickup ? nil : start.wall + promise
        }
        return trip
    }

    private static func results(
        _ expectations: [TripExpectation],
        _ measure: String,
        _ arrival: Arrival,
        then last: Trip? = nil
    ) throws -> [ExpectationResult] {
        let id = JourneyID.trip(try TripID("t"))
        let (before, there) = arrival.seconds
        var answers = try stride(from: 5, through: before, by: 5).map { ($0, try trip(measure, isThere: false)) }
        answers.append((there, try trip(measure, isThere: true)))
        if let last { answers.append((there + 5, last)) }
        var (table, state) = (JourneyTable(), TripState(id: id))
        var checker = ExpectationChecker(expectations, first: id, begins: start)
        for (second, answer) in answers {
            let now = start.advanced(by: .seconds(second))
            var report = PollReport(journey: id, started: now)
            state.merge(.trip(answer), serverDate: nil, at: now)
            report.outcome = .success(.trip(answer))
            let event = FeedEvent.polled(report, state, PollSchedule(interval: .seconds(5), next: nil))
            _ = checker.handle(event, in: &table, at: now)
        }
        _ = checker.finish(at: start.advanced(by: .seconds(there + 10)))
        return checker.results
    }

    private static func conditions(_ check: MeasureCheck, _ statuses: TripStatus...) -> ExpectedConditions {
        var conditions = ExpectedConditions()
        (conditions.checks, conditions.statuses) = ([check], statuses.map(JourneyStatus.trip))
        return conditions
    }

    private static func must(_ check: MeasureCheck, _ extent: TripExpectation.Extent) -> TripExpectation {
        TripExpectation(name: check.words, kind: .must(conditions(check), extent))
    }

    private static func mustNot(_ check: MeasureCheck) -> TripExpectation {
        TripExpectation(name: check.words, kind: .mustNot(conditions(check)))
    }

    @Test(arguments: measures, Arrival.allCases)
    func `a limit of the delay is decided by a known delay, not by a hidden one`(
        measure: String,
        arrival: Arrival
    ) throws {
        let satisfied = MeasureCheck(measure, .atMost, .number(20))
        let expectations = [
            Self.must(satisfied, .always), Self.must(satisfied, .throughout),
            Self.mustNot(MeasureCheck(measure, .more, .number(20))),
        ]
        let outcomes = try Self.results(expectations, measure, arrival).map(\.outcome)
        let expected: ExpectationResult.Outcome =
            switch arrival {
            case .late: .failed
            case .prompt: .passed
            case .hidden: .undecided
            // It was even earlier.
            case .hiddenEarly: .passed
            }
        #expect(outcomes == [expected, expected, expected])
    }

    @Test(arguments: measures)
    func `a delay that must be there is not decided while an outage hides it`(measure: String) throws {
        let late = Self.must(MeasureCheck(measure, .more, .number(20)), .once)
        #expect(try Self.results([late], measure, .hidden).map(\.outcome) == [.undecided])
        #expect(try Self.results([late], measure, .late).map(\.outcome) == [.passed])
        #expect(try Self.results([late], measure, .prompt).map(\.outcome) == [.failed])
    }

    @Test(arguments: measures)
    func `how early it was is not known after an outage, only that it was`(measure: String) throws {
        let expectations = [
            Self.must(MeasureCheck(measure, .atLeast, .number(-100)), .always),
            Self.mustNot(MeasureCheck(measure, .less, .number(-100))),
            Self.must(MeasureCheck(measure, .unequal, .number(-70)), .always),
            // It was at least 40 s early.
            Self.must(MeasureCheck(measure, .atLeast, .number(-20)), .always),
            Self.must(MeasureCheck(measure, .unequal, .number(-20)), .always),
        ]
        let outcomes = try Self.results(expectations, measure, .hiddenEarly).map(\.outcome)
        #expect(outcomes == [.undecided, .undecided, .undecided, .failed, .passed])
    }

    @Test(arguments: measures)
    func `a hidden delay is neither missing nor another one`(measure: String) throws {
        let expectations = [
            Self.must(MeasureCheck(measure, .equal, .missing), .once),
            Self.must(MeasureCheck(measure, .unequal, .number(7)), .always),
        ]
        #expect(try Self.results(expectations, measure, .hidden).map(\.outcome) == [.undecided, .undecided])
    }

    @Test func `a reported arrival decides what was hidden before`() throws {
        let check = MeasureCheck("pickup-delay", .more, .number(20))
        var last = try Self.trip("pickup-delay", isThere: true)
        for (second, outcome) in [(105.0, ExpectationResult.Outcome.passed), (130, .failed)] {
            last.actualPickupArrival = StopLocation(
                coordinate: Coordinate(latitude: 0, longitude: 0),
                time: Self.start.wall + second
            )
            #expect(
                try Self.results([Self.mustNot(check)], "pickup-delay", .hidden, then: last).map(\.outcome) == [outcome]
            )
        }
    }

    @Test func `what else must not be there decides, while it is not there`() throws {
        let check = MeasureCheck("pickup-delay", .more, .number(20))
        let expectations = [
            TripExpectation(name: "a", kind: .mustNot(Self.conditions(check, .arrivedAtPickup))),
            TripExpectation(name: "c", kind: .mustNot(Self.conditions(check, .canceled))),
        ]
        var last = try Self.trip("pickup-delay", isThere: true)
        last.status = .enrouteToDropoff
        let outcomes = try Self.results(expectations, "pickup-delay", .hidden, then: last).map(\.outcome)
        #expect(outcomes == [.undecided, .passed])
    }

    @Test(arguments: measures)
    func `an occasion that an outage hides is not one that has not come`(measure: String) throws {
        var later = Self.mustNot(MeasureCheck("failures", .more, .number(0)))
        later.after = .check(MeasureCheck(measure, .more, .number(20)))
        #expect(try Self.results([later], measure, .hidden).map(\.outcome) == [.undecided])
        #expect(try Self.results([later], measure, .prompt).map(\.outcome) == [.skipped])
    }
}
