import FleetEngineProtos
import FleetWire
import SwiftProtobuf
import Testing
import TripModel
import TripTestSupport

/// The filters of lists: a subset of AIP-160.
@Suite("Filters of lists", .ends(within: .quickTest))
struct ListFilterTests {
    private static let task = TaskMessage.with {
        ($0.type, $0.state, $0.trackingID) = (.delivery, .open, "s-1")
        $0.taskOutcomeTime = Google_Protobuf_Timestamp(seconds: 1_773_476_100)
        $0.attributes = [
            .with { ($0.key, $0.stringValue) = ("route", "north") }, .with { ($0.key, $0.boolValue) = ("heavy", true) },
        ]
    }

    private static let filters: [(text: String, matches: Bool)] = [
        ("state = OPEN", true), ("state=CLOSED", false), ("state != CLOSED", true), (#"state = "OPEN""#, true),
        ("type = DELIVERY AND state = OPEN", true), ("type = PICKUP OR type = DELIVERY", true),
        ("tracking_id = s-1", true), (#"trackingId = "s-2""#, false), (#"delivery_vehicle_id = """#, true),
        (#"delivery_vehicle_id = "v" OR attributes.route = "north""#, true), (#"attributes.route = "south""#, false),
        (#"attributes.route != "south""#, true), (#"attributes.heavy = true"#, true),
        (#"attributes.unknown != "x""#, true), ("NOT state = OPEN", false), ("-type = PICKUP", true),
        ("task_outcome = TASK_OUTCOME_UNSPECIFIED", true), ("task_outcome = SUCCEEDED", false),
        (#"task_outcome_time > "2026-03-14T08:00:00Z""#, true),
        (#"task_outcome_time <= "2026-03-14T08:00:00Z""#, false),
        // OR binds more strongly than AND.
        ("state = CLOSED AND type = PICKUP OR type = DELIVERY", false),
        ("(state = CLOSED AND type = PICKUP) OR type = DELIVERY", true),
    ]

    @Test(arguments: filters)
    func `a filter of tasks matches as AIP-160 says`(text: String, matches: Bool) throws {
        #expect(try TaskFilter(text).matches(Self.task) == matches)
    }

    private static let invalid = [
        "", "state", "state =", "= OPEN", "state = OPEN AND", "state OPEN", "(state = OPEN", "state = OPEN)",
        "state = RUNNING", "state > OPEN", "tracking_id < a", #"task_outcome_time > "yesterday""#, "name = x",
        "attributes.a > 1", "attributes. = 1", "attributes.a.b = 1", #"tracking_id = "s"#, "state = OPEN state = OPEN",
        String(repeating: "(", count: 50) + "state = OPEN" + String(repeating: ")", count: 50),
        String(repeating: "NOT ", count: 50) + "state = OPEN",
        Array(repeating: "state = OPEN", count: 51).joined(separator: " AND "),
    ]

    @Test(arguments: invalid)
    func `an invalid filter of tasks is refused`(text: String) throws {
        #expect(throws: WireError.self) { try TaskFilter(text) }
    }

    @Test func `50 restrictions are accepted`() throws {
        let filter = try TaskFilter(Array(repeating: "state = OPEN", count: 50).joined(separator: " AND "))
        #expect(filter.matches(Self.task))
    }

    @Test(arguments: [
        "attributes.a = 1", #"attributes.a != "1""#, #"NOT attributes.a = "1""#, "state = OPEN", #"a = "b""#,
    ])
    func `vehicles are filtered by texts of attributes only`(text: String) throws {
        #expect(throws: WireError.self) { try AttributeFilter(text) }
    }

    @Test func `attributes match with AND and OR`() throws {
        let attributes = [Attribute(key: "color", value: .text("red")), Attribute(key: "size", value: .text("XL"))]
        #expect(try AttributeFilter(#"attributes.color = "red" AND attributes.size = "XL""#).matches(attributes))
        #expect(try AttributeFilter(#"attributes.color = "blue" OR attributes.size = "XL""#).matches(attributes))
        #expect(try !AttributeFilter(#"attributes.color = "red" AND attributes.size = "S""#).matches(attributes))
    }
}
