import Failures
import FleetTokens
import Runtime
import Testing
import TripFeed
import TripTestSupport
import TripText

@testable import TripScreen

@Suite("Lists in the inspector", .ends(within: .quickTest))
struct InspectorItemsTests {
    private func match(_ old: String, _ new: String) throws -> Inspector.ItemMatch {
        guard case .array(let items)? = JSONValue(Array(new.utf8)),
            case .array(let before)? = JSONValue(Array(old.utf8))
        else {
            Issue.record("no lists")
            return Inspector.ItemMatch([], before: [])
        }
        return Inspector.ItemMatch(items, before: before)
    }

    private func waypoint(_ trip: String, _ kind: String, _ eta: Int = 0) -> String {
        #"{"tripId":"\#(trip)","waypointType":"\#(kind)_WAYPOINT_TYPE","eta":\#(eta)}"#
    }

    @Test func `a passed waypoint does not mark the others as changed`() throws {
        let (pickup, first, second) = (waypoint("a", "PICKUP"), waypoint("a", "STOP"), waypoint("a", "STOP"))
        let dropoff = waypoint("a", "DROP_OFF")
        let passed = try match(
            "[\(pickup),\(first),\(second),\(dropoff)]",
            "[\(first),\(second),\(waypoint("a", "DROP_OFF", 9))]"
        )
        #expect(passed.before == [1, 2, 3] && passed.removed == [0])
        // Of two stops with the same name, the first one is passed first.
        let stopped = try match("[\(first),\(second),\(dropoff)]", "[\(second),\(dropoff)]")
        #expect(stopped.before == [1, 2] && stopped.removed == [0])
        // Another rider's stop is inserted in between.
        let shared = try match("[\(pickup),\(dropoff)]", "[\(pickup),\(waypoint("b", "PICKUP")),\(dropoff)]")
        #expect(shared.before == [0, nil, 1] && shared.removed.isEmpty)
    }

    @Test(arguments: [
        ("[1,2,3,4]", "[3,4]", [2, 3] as [Int?], [0, 1]), ("[1,2]", "[1,2,3]", [0, 1, nil], []),
        ("[1,2,3]", "[1,9,3]", [0, 1, 2], []), ("[]", "[1]", [nil], []), ("[1,1,1]", "[1,1]", [0, 1], [2]),
        ("[1,2,3]", "[]", [], [0, 1, 2]), ("[1,2,3,4]", "[0,3,4]", [0, 2, 3], [1]),
        (#"[{"id":"x"},{"id":"y"}]"#, #"[{"id":"y"},{"id":"x"}]"#, [1, 0], []),
    ])
    func `items without a name are matched from both ends`(
        _ example: (old: String, new: String, before: [Int?], removed: [Int])
    ) throws {
        let match = try match(example.old, example.new)
        #expect(match.before == example.before && match.removed == example.removed)
    }

    @Test func `marks only the removed waypoint after the first one was passed`() throws {
        let (pickup, dropoff) = (waypoint("a", "PICKUP"), waypoint("a", "DROP_OFF"))
        var inspector = Inspector()
        inspector.show(
            [
                StoredBody(Array(#"{"remainingWaypoints":[\#(pickup),\#(dropoff)]}"#.utf8)),
                StoredBody(Array(#"{"remainingWaypoints":[\#(dropoff)]}"#.utf8)),
            ],
            localizer: .english
        )
        #expect(inspector.changes == 1)
        #expect(inspector.rows.first { $0.path == "remainingWaypoints.0" }?.change == nil)
        #expect(inspector.rows.first { $0.path == "remainingWaypoints.0 before" }?.change == .removed)
        #expect(inspector.rows.map(\.path).count == Set(inspector.rows.map(\.path)).count)
    }
}
