import FleetWire
import Foundation
import Testing
import TripModel
import TripTestSupport

@Suite("Values that cannot be read", .ends(within: .minutes(10)))
struct UnreadableValueTests {
    private func unreadable(_ fields: String) throws -> [String] {
        let body = #"{"name":"providers/p/trips/t","tripStatus":"NEW",\#(fields)}"#
        return try TripCoding.decode(Array(body.utf8)).unreadable.map { "\($0.name) \($0.text)" }
    }

    /// Fields with a time, also of messages in lists and in messages.
    private static let times: [(String, String)] = [
        ("pickupTime", #""pickupTime":T"#), ("dropoffTime", #""dropoffTime":T"#),
        ("etaToFirstWaypoint", #""etaToFirstWaypoint":T"#),
        ("lastLocation.updateTime", #""lastLocation":{"updateTime":T}"#),
        ("lastLocation.serverTime", #""lastLocation":{"serverTime":T}"#),
        ("remainingWaypoints[1].eta", #""remainingWaypoints":[{},{"eta":T}]"#),
        ("actualPickupPoint.timestamp", #""actualPickupPoint":{"timestamp":T}"#),
        ("currentRouteSegmentVersion", #""currentRouteSegmentVersion":T"#),
    ]

    @Test(arguments: [
        "2026-01-01T10:00:00", "2026-01-01 10:00:00Z", " 2026-01-01T10:00:00Z", "2026-01-01T10:00:00 Z", "soon", "",
    ])
    func `a time without a zone or with a blank is named in every field`(text: String) throws {
        for (path, json) in Self.times {
            #expect(try unreadable(json.replacing(":T", with: ":\"\(text)\"")) == ["\(path) \(text)"])
        }
    }

    @Test func `a time in small letters is read`() throws {
        #expect(try unreadable(#""pickupTime":"2026-01-01t10:00:00z""#).isEmpty)
    }

    @Test func `a duration without its unit is named`() throws {
        let json = #""remainingTimeToFirstWaypoint":"12""#
        #expect(try unreadable(json) == ["remainingTimeToFirstWaypoint 12"])
    }

    @Test func `a coordinate out of range is named wherever it is`() throws {
        let place = #"{"latitude":91,"longitude":2}"#
        for (path, json) in [
            ("pickupPoint.point", #""pickupPoint":{"point":P}"#),
            ("route[1]", #""route":[{"latitude":1,"longitude":1},P]"#),
            ("lastLocation.location", #""lastLocation":{"location":P}"#),
            ("lastLocation.rawLocation", #""future":1,"lastLocation":{"rawLocation":P}"#),
        ] {
            #expect(
                try unreadable(json.replacing(":P", with: ":" + place).replacing(",P", with: "," + place)) == [
                    "\(path) 91.0, 2.0"
                ]
            )
        }
        #expect(try unreadable(#""pickupPoint":{"point":{"latitude":90,"longitude":180}}"#).isEmpty)
    }

    @Test func `at most eight values of each kind are named`() throws {
        let waypoints = Array(repeating: #"{"eta":"soon"}"#, count: 100).joined(separator: ",")
        #expect(try unreadable(#""remainingWaypoints":[\#(waypoints)]"#).count == 8)
    }
}
