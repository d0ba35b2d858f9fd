import FleetEmulator
import Testing
import TripModel
import TripTestSupport

@Suite("File of expectations", .ends(within: .minutes(10)))
struct ExpectationFileTests {
    private static func read(_ yaml: String, trips: [String]? = ["ride"]) throws -> [TripExpectation] {
        try ExpectationFile.read(
            yaml: yaml,
            file: "mine.yaml",
            trips: try trips?.map { try TripID($0) },
            findings: ["offRoute", "frozen"]
        )
    }

    @Test func `has conditions as scenarios do, limits, what must not happen, and manual steps`() throws {
        let list = try Self.read(
            """
            expect:
              - {trip: ride, status: COMPLETE, within: 400}
              - name: Waits at the pickup
                status: [ARRIVED_AT_PICKUP]
                position-age: 10
                delay: [-60, 300]
                others-ahead: 1
                after: ENROUTE_TO_PICKUP
                throughout: true
              - {never: true, finding: offRoute}
              - ask: Does the app show the same arrival?
                after: ENROUTE_TO_DROPOFF
            """
        )
        #expect(list.count == 4)
        var first = ExpectedConditions()
        first.trip = try TripID("ride")
        first.reached = .complete
        #expect(list[0].kind == .must(first, isThroughout: false) && list[0].within == 400)
        #expect(list[0].name == "trip: ride, status: COMPLETE, within: 400")
        var second = ExpectedConditions()
        second.statuses = [.arrivedAtPickup]
        second.positionAge = 10
        second.delay = -60...300
        second.othersAhead = 1
        #expect(list[1].kind == .must(second, isThroughout: true))
        #expect(list[1].name == "Waits at the pickup" && list[1].after == .enrouteToPickup && list[1].within == nil)
        var third = ExpectedConditions()
        third.finding = "offRoute"
        #expect(list[2].kind == .mustNot(third) && list[2].name == "never, finding: offRoute")
        let question = "Does the app show the same arrival?"
        #expect(list[3].kind == .manual(question: question, trip: nil) && list[3].name == question)
        #expect(list[3].after == .enrouteToDropoff)
    }

    @Test(arguments: [
        ("expect: [", "mine.yaml:"), ("- a", "mine.yaml:1: a mapping with expect is expected"),
        ("expects: []", "mine.yaml:1: expects is unknown; valid names: expect"),
        ("expect: []", "mine.yaml:1: expect: 1 to 200 expectations are expected, not 0"),
        (
            "expect:\n  - {statuss: NEW}",
            "mine.yaml:2: statuss is unknown; valid names: name, ask, never, after, trip, status"
        ),
        ("expect:\n  - {status: DONE}", "mine.yaml:2: a trip status such as COMPLETE is expected"),
        ("expect:\n  - {status: NEW, after: SOON}", "mine.yaml:2: a trip status such as COMPLETE is expected"),
        ("expect:\n  - {trip: x, status: NEW}", "mine.yaml:2: trip: x is not followed; valid IDs: ride"),
        ("expect:\n  - {finding: rain}", "mine.yaml:2: finding: rain is unknown; valid names: offRoute, frozen"),
        ("expect:\n\n  - {within: 5}", "mine.yaml:3: a condition is expected: status"),
        ("expect:\n  - {status: NEW, within: -1}", "mine.yaml:2: within: a number from 0 to 86400 is expected"),
        ("expect:\n  - {ask: Ok?, within: 9}", "mine.yaml:2: ask: a question takes only name, trip and after with it"),
        (
            "expect:\n  - {never: true, throughout: true, status: NEW}",
            "mine.yaml:2: throughout: not together with never"
        ),
        ("expect:\n  - {delay: 5}", "mine.yaml:2: delay: a list is expected"),
        ("expect:\n  - {overdue: [5]}", "mine.yaml:2: overdue: a single value is expected"),
        ("expect:\n  - {overdue: soon}", "mine.yaml:2: overdue: a number is expected"),
        ("expect:\n  - {ask: \"\"}", "mine.yaml:2: ask: a text of 1 to 200 characters is expected"),
    ])
    func `names the line and what is allowed`(_ yaml: String, _ message: String) throws {
        let error = try #require(throws: ScenarioError.self) { try Self.read(yaml) }
        #expect(error.description.hasPrefix(message), "\(error)")
    }

    @Test func `may name any trip if trips can be added later`() throws {
        #expect(try Self.read("expect:\n  - {trip: x, status: NEW}", trips: nil).first?.trip?.rawValue == "x")
    }
}
