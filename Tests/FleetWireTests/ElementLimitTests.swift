import Failures
import FleetEngineProtos
import FleetWire
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

@Suite("Element limits", .ends(within: .quickTest))
struct ElementLimitTests {
    private func trip(_ members: String) throws -> Trip {
        try TripCoding.decode(Array(#"{"name":"providers/p/trips/t",\#(members)}"#.utf8))
    }

    private func list(_ item: String, _ count: Int) -> String {
        "[" + Array(repeating: item, count: count).joined(separator: ",") + "]"
    }

    @Test(arguments: [
        ("remainingWaypoints", "{}", ElementKind.waypoints), ("vehicleWaypoints", "{}", .waypoints),
        ("route", "{}", .pathPoints), ("intermediateDestinations", #"{"point":{}}"#, .stops),
        ("actualIntermediateDestinations", #"{"point":{}}"#, .stops),
        ("attributes", #"{"key":"k","value":"v"}"#, .attributes),
    ])
    func `truncates long lists and counts the omitted elements`(key: String, item: String, kind: ElementKind) throws {
        let most = ElementLimits.maximum(of: kind)
        #expect(try trip("\"\(key)\":\(list(item, most))").omitted.isEmpty)
        let trip = try trip("\"\(key)\":\(list(item, most + 7))")
        #expect(trip.omitted == [OmittedElements(kind: kind, count: 7)])
        let counts = [
            trip.remainingWaypoints.count, trip.vehicleWaypoints.count, trip.route?.points.count ?? 0,
            trip.intermediateDestinations.count, trip.actualStops.count, trip.attributes.count,
        ]
        #expect(counts.max() == most)
    }

    @Test func `applies the limit to all lists of an answer together`() throws {
        let most = ElementLimits.maximum(of: .pathPoints)
        let path = list("{}", most / 2 + 1)
        let trip = try trip(
            #""remainingWaypoints":[{"pathToWaypoint":\#(path)},{"pathToWaypoint":\#(path)},{"pathToWaypoint":\#(path)}]"#
        )
        #expect(trip.remainingWaypoints.map { $0.path?.count } == [most / 2 + 1, most / 2 - 1, 0])
        #expect(trip.omitted == [OmittedElements(kind: .pathPoints, count: most / 2 + 3)])
    }

    @Test func `decodes only the beginning of a long encoded path`() throws {
        let most = ElementLimits.maximum(of: .pathPoints)
        let points = (0..<(most + 40)).map { Coordinate(latitude: Double($0) / 1000, longitude: 1) }
        let trip = try trip(#""currentRouteSegment":"\#(S2Polyline.encode(points))""#)
        #expect(trip.route?.points.count == most)
        let last = try #require(trip.route?.points.last)
        #expect(last.distance(to: points[most - 1]).meters < 3)
        #expect(trip.omitted == [OmittedElements(kind: .pathPoints, count: 40)])
    }

    @Test func `does not validate omitted elements`() throws {
        let most = ElementLimits.maximum(of: .waypoints)
        let trip = try trip(#""remainingWaypoints":\#(list("{}", most).dropLast()),7,"x"]"#)
        #expect(trip.remainingWaypoints.count == most)
    }

    @Test func `refuses a request with too many elements`() throws {
        let most = ElementLimits.maximum(of: .pastLocations)
        #expect(throws: WireError.unexpected(path: "pastLocations", reason: "more than \(most)")) {
            try VehicleMessage(body: Array(#"{"pastLocations":\#(list("{}", most + 1))}"#.utf8))
        }
        #expect(
            try VehicleMessage(body: Array(#"{"pastLocations":\#(list("{}", most))}"#.utf8)).pastLocations.count == most
        )
    }

    @Test func `truncates long strings when they are parsed`() throws {
        let long = String(repeating: "e\u{301}\u{301}", count: 100_000)
        let trip = try trip(
            #""tripStatus":"\#(long)","tripType":"\#(long)","view":"\#(long)","currentRouteSegmentVersion":"\#(long)","#
                + #""attributes":[{"key":"\#(long)","value":"\#(long)"}],"remainingWaypoints":[{"waypointType":"\#(long)"}],"#
                + #""lastLocation":{"locationSensor":"\#(long)"},"unknown":"\#(long)""#
        )
        #expect(trip.routeVersion == nil)
        let names = [
            trip.status.name, trip.type?.name, trip.view, trip.lastLocation?.sensor, trip.unknownFields.first?.text,
        ]
        for name in names { #expect(name.map { $0.unicodeScalars.count <= 101 && $0.hasSuffix("…") } == true) }
        #expect(trip.remainingWaypoints.first.map { $0.kind.name.utf8.count < 400 } == true)
        #expect(trip.attributes.first.map { $0.key.utf8.count + $0.value.text.utf8.count < 2000 } == true)
    }

    @Test(arguments: [#"\u0061"#, #"\\"#, "漢", "a\u{301}"])
    func `shortens a long text that is more than plain ASCII, but no path`(_ character: String) throws {
        let points = (0..<20_000).map { Coordinate(latitude: Double($0 % 80), longitude: 1) }
        let long = String(repeating: character, count: 20_000)
        let start = String(repeating: "b", count: 2000)
        let trip = try trip(
            #""currentRouteSegment":"\#(S2Polyline.encode(points))","unknown":1,"#
                + #""attributes":[{"key":"k","value":"\#(start + long)"}]"#
        )
        #expect(trip.route?.points.count == points.count)
        #expect(trip.unknownFields.map(\.name) == ["unknown"])
        #expect(trip.attributes.first?.value.text.hasPrefix("bbb") == true)
    }

    @Test func `refuses an answer with too many fields`() throws {
        let fields = { (count: Int) in (0..<count).map { "\"x_\($0)\":0" }.joined(separator: ",") }
        #expect(try trip(fields(9999)).unknownFields.count == UnknownField.maximumCount)
        #expect(throws: WireError.unexpected(path: "trip", reason: "10001 fields, the limit is 10000")) {
            try trip(fields(10_000))
        }
    }

    @Test func `refuses a body with too many values`() throws {
        let list = { (count: Int) in #""mystery":["# + Array(repeating: "1", count: count).joined(separator: ",") + "]"
        }
        // The members of the body before the list have commas, too.
        #expect(try trip(list(JSONBytes.maximumValues - 50)).unknownFields.count == 1)
        #expect(throws: WireError.unexpected(path: "body", reason: "more than 150000 values")) {
            try trip(list(JSONBytes.maximumValues + 2))
        }
        let details = Array(repeating: "{}", count: JSONBytes.maximumValues + 2).joined(separator: ",")
        let error = ServiceAnswer(
            httpStatus: 500,
            body: Array(#"{"error":{"status":"X","details":[\#(details)]}}"#.utf8)
        )
        #expect(error == ServiceAnswer(httpStatus: 500))
    }

    @Test func `truncates long strings in errors`() {
        let long = String(repeating: "x", count: 300_000)
        let body =
            #"{"error":{"status":"\#(long)","message":"\#(long)","details":[{"metadata":{"permission":"\#(long)"}}]}}"#
        let error = ServiceAnswer(httpStatus: 503, body: Array(body.utf8))
        #expect(error.status?.utf8.count == 103)
        #expect(error.message?.utf8.count == 2003)
        #expect(error.missingPermission?.utf8.count == 103)
        #expect(throws: WireError.badName(String(repeating: "x", count: 200) + "…")) {
            try TripCoding.decode(Array(#"{"name":"\#(long)"}"#.utf8))
        }
    }

    @Test func `refuses an ID whose characters have too many combining marks`() {
        #expect(throws: ResourceIDError.tooLong(characters: 1)) {
            try TripID("e" + String(repeating: "\u{301}", count: 100_000))
        }
        #expect(throws: Never.self) { try TripID(String(repeating: "👩‍👩‍👧‍👦", count: 64)) }
    }
}
