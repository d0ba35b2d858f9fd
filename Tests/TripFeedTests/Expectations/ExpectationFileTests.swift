import Testing
import TripFeed
import TripModel
import TripTestSupport

@Suite("File of expectations", .ends(within: .quickTest))
struct ExpectationFileTests {
    private static func read(_ yaml: String, trips: [String]? = ["ride"]) throws -> [TripExpectation] {
        try ExpectationFile.read(
            yaml: yaml,
            file: "mine.yaml",
            trips: try trips?.map { try .trip(TripID($0)) },
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
        first.journey = .trip(try TripID("ride"))
        first.reached = .trip(.complete)
        #expect(list[0].kind == .must(first, .once) && list[0].within == 400)
        #expect(list[0].name == "trip: ride, status: COMPLETE, within: 400")
        var second = ExpectedConditions()
        second.statuses = [.trip(.arrivedAtPickup)]
        let seconds = MeasureUnit.basic(of: .time)
        second.checks = [
            MeasureCheck("delay", .atLeast, .number(-60), unit: seconds),
            MeasureCheck("delay", .atMost, .number(300), unit: seconds),
            MeasureCheck("position-age", .atLeast, .number(10), unit: seconds),
            MeasureCheck("others-ahead", .atLeast, .number(1)),
        ]
        #expect(list[1].kind == .must(second, .throughout))
        #expect(
            list[1].name == "Waits at the pickup" && list[1].after == .status(.trip(.enrouteToPickup))
                && list[1].within == nil
        )
        var third = ExpectedConditions()
        third.finding = "offRoute"
        #expect(list[2].kind == .mustNot(third) && list[2].name == "never, finding: offRoute")
        let question = "Does the app show the same arrival?"
        #expect(list[3].kind == .manual(question: question, journey: nil) && list[3].name == question)
        #expect(list[3].after == .status(.trip(.enrouteToDropoff)))
    }

    @Test(arguments: [
        ("expect: [", "mine.yaml:"), ("- a", "mine.yaml:1: a mapping with expect is expected"),
        ("expects: []", "mine.yaml:1: expects is unknown; did you mean expect? valid names: expect"),
        ("expect: []", "mine.yaml:1: expect: 1 to 200 expectations are expected, not 0"),
        (
            "expect:\n  - {statuss: NEW}",
            "mine.yaml:2: statuss is unknown; did you mean status? valid names: name, ask, trips, never, always, after"
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
        (
            "expect:\n  - {check: latency.p95 < 500 m}",
            "mine.yaml:2: check: m is no unit of latency.p95; valid units: s, ms"
        ),
        ("expect:\n  - {check: polls < 5 s}", "mine.yaml:2: check: s is no unit of polls; it has no unit"),
        (
            "expect:\n  - {check: latncy < 5}",
            "mine.yaml:2: check: latncy is unknown; did you mean latency? valid names: "
        ),
        (
            "expect:\n  - {check: trip.vehicleWaypoint.size < 3}",
            "mine.yaml:2: check: a trip has no field vehicleWaypoint"
        ),
        ("expect:\n  - {check: vehicle < van-7}", "mine.yaml:2: check: < compares numbers; use == or != for van-7"),
        ("expect:\n  - {check: speed <}", "mine.yaml:2: check: a value is expected after <"),
        ("expect:\n  - {check: speed}", "mine.yaml:2: check: a comparison is expected, such as latency.p95 < 500 ms"),
        ("expect:\n  - {check: speed == fast}", "mine.yaml:2: check: speed: a number is expected, not fast"),
        (
            "expect:\n  - {check: attribute == x}",
            "mine.yaml:2: check: attribute needs a name after a dot: attribute.TEXT"
        ),
        ("expect:\n  - {status: NEW, after: speed >}", "mine.yaml:2: after: a value is expected after >"),
        ("expect:\n  - {status: COMPLET}", "mine.yaml:2: a trip status such as COMPLETE is expected, perhaps COMPLETE"),
        ("expect:\n  - {order: [NEW, NEW]}", "mine.yaml:2: order: two or more different statuses are expected"),
        ("expect:\n  - {status: NEW, trips: some}", "mine.yaml:2: trips: only all is known"),
        ("expect:\n  - {status: NEW, trips: all, trip: ride}", "mine.yaml:2: trips: not together with trip or ask"),
        (
            "expect:\n  - check:\n      - polls > 1\n      - polls >> 2",
            "mine.yaml:4: check: polls: a number is expected, not > 2"
        ),
        ("expect:\n  - {delay: 5}", "mine.yaml:2: delay: a list is expected"),
        (
            "expect:\n  - {check: trip.pickupPoint == here}",
            "mine.yaml:2: check: pickupPoint: missing, an object or a list as JSON is expected"
        ),
        (
            "expect:\n  - {check: trip.numberOfPassengers == two}",
            "mine.yaml:2: check: numberOfPassengers: a number is expected, not two"
        ),
        ("expect:\n  - {overdue: [5]}", "mine.yaml:2: overdue: a single value is expected"),
        ("expect:\n  - {overdue: soon}", "mine.yaml:2: overdue: a number is expected"),
        ("expect:\n  - {ask: \"\"}", "mine.yaml:2: ask: a text of 1 to 200 characters is expected"),
    ])
    func `names the line and what is allowed`(_ yaml: String, _ message: String) throws {
        let error = try #require(throws: YAMLFileError.self) { try Self.read(yaml) }
        #expect(error.description.hasPrefix(message), "\(error)")
    }

    @Test func `may name any trip if trips can be added later`() throws {
        #expect(try Self.read("expect:\n  - {trip: x, status: NEW}", trips: nil).first?.journey?.rawValue == "x")
    }

    @Test(arguments: [
        ("latency.p95 < 500 ms", MeasureCheck("latency.p95", .less, .number(0.5), unit: MeasureUnit.all[1])),
        ("latency.p95<0.5", MeasureCheck("latency.p95", .less, .number(0.5), unit: MeasureUnit.all[0])),
        ("speed >= 36 km/h", MeasureCheck("speed", .atLeast, .number(10), unit: MeasureUnit.all[7])),
        ("failures.403 == 0", MeasureCheck("failures", .equal, .number(0), argument: "403")),
        ("failures <= 2", MeasureCheck("failures", .atMost, .number(2))),
        ("vehicle != van-7", MeasureCheck("vehicle", .unequal, .text("van-7"))),
        ("vehicle == \"a < b\"", MeasureCheck("vehicle", .equal, .text("a < b"))),
        ("vehicle == missing", MeasureCheck("vehicle", .equal, .missing)),
        (
            "trip.vehicleWaypoints.size < 3",
            MeasureCheck("trip", .less, .number(3), argument: "vehicleWaypoints.size")
        ),
        ("trip.tripStatus == NEW", MeasureCheck("trip", .equal, .text("NEW"), argument: "tripStatus")),
        (
            "trip.lastLocation.isRoadSnapped == true",
            MeasureCheck("trip", .equal, .flag(true), argument: "lastLocation.isRoadSnapped")
        ),
        ("attribute.tier.x == 7", MeasureCheck("attribute", .equal, .text("7"), argument: "tier.x")),
        ("trip.vehicleId == 7", MeasureCheck("trip", .equal, .text("7"), argument: "vehicleId")),
        ("trip.numberOfPassengers == 7", MeasureCheck("trip", .equal, .number(7), argument: "numberOfPassengers")),
        (
            #"trip.attributes[0] != { "value": "b", "key": "a" }"#,
            MeasureCheck("trip", .unequal, .json(#"{"key":"a","value":"b"}"#), argument: "attributes[0]")
        ),
        ("trip.pickupPoint == missing", MeasureCheck("trip", .equal, .missing, argument: "pickupPoint")),
        ("remaining-distance == 51.0612345 m", MeasureCheck("remaining-distance", .equal, .number(51.0612345))),
    ])
    func `reads comparisons with units, texts, flags and paths`(_ text: String, _ check: MeasureCheck) throws {
        let list = try Self.read("expect:\n  - check: '\(text)'")
        let read = try #require(list.first?.conditions?.checks.first)
        #expect(read.measure == check.measure && read.argument == check.argument && read.relation == check.relation)
        #expect(read.expected == check.expected)
        if check.unit != .none { #expect(read.unit == check.unit) }
        // What it is called can be read again.
        let again = try Self.read("expect:\n  - check: '\(read.words)'").first?.conditions?.checks
        #expect(again == (read.words.contains("a < b") ? again : [read]))
    }

    @Test func `reads the judged time and the trips`() throws {
        let list = try Self.read(
            """
            expect:
              - {check: eta-slip <= 2 min, always: true, after: ENROUTE_TO_PICKUP, until: token.fetches >= 2, trips: all}
              - {order: [NEW, COMPLETE], check: [polls > 1, speed >= 0]}
            """
        )
        #expect(list[0].kind == .must(try #require(list[0].conditions), .always) && list[0].isForAllTrips)
        #expect(list[0].after == .status(.trip(.enrouteToPickup)))
        #expect(list[0].until == .check(MeasureCheck("token.fetches", .atLeast, .number(2))))
        #expect(
            list[0].name
                == "eta-slip <= 2 min, trips: all, after: ENROUTE_TO_PICKUP, until: token.fetches >= 2, always"
        )
        #expect(list[1].conditions?.order == [.trip(.new), .trip(.complete)] && list[1].conditions?.checks.count == 2)
    }

    @Test func `each key that can be read is in the table of keys`() throws {
        for key in ExpectationKey.all {
            // A key that is not read is refused by its name.
            let error = #expect(throws: YAMLFileError.self) { try Self.read("expect:\n  - {\(key.name): {}}") }
            #expect(error?.description.contains("is unknown") == false, "\(key.name): \(String(describing: error))")
        }
        let error = #expect(throws: YAMLFileError.self) { try Self.read("expect:\n  - {none: 1}") }
        let names = Set((error?.description.split(separator: "valid names: ").last ?? "").split(separator: ", "))
        #expect(names == Set(ExpectationKey.all.map { $0.name[...] }))
    }
}
