import FleetWire
import Foundation
import Runtime
import Testing
import TripModel
import TripTestSupport

/// Bodies that SwiftProtobuf refuses: what is kept of them, and which errors name the bad value.
@Suite("Refused bodies", .ends(within: .quickTest))
struct BodyExaminationTests {
    private func trip(_ members: String) throws -> Trip {
        try TripCoding.decode(Array(#"{"name":"providers/p/trips/t",\#(members)}"#.utf8))
    }

    @Test func `retains unknown fields and unknown names of the same answer`() throws {
        let trip = try trip(
            #""future_field":{"a":[1]},"count":12,"tripStatus":"FLYING","pickupPoint":{"point":{"latitude":1},"#
                + #""place":"places/x","pointLocationSource":"POINT_SOURCE_CALCULATED_FROM_PLACE"},"#
                + #""remainingWaypoints":[{"tripId":"t"},{"tripId":"u","waypointType":"CHARGING","mood":7}]"#
        )
        #expect(trip.status == .unrecognized("FLYING"))
        #expect(trip.pickup == Coordinate(latitude: 1, longitude: 0))
        #expect(trip.remainingWaypoints.map(\.tripID?.rawValue) == ["t", "u"])
        #expect(trip.remainingWaypoints[1].kind == .unrecognized("CHARGING"))
        #expect(
            trip.unknownFields == [
                UnknownField(name: "count", text: "12"), UnknownField(name: "futureField", text: "{…}"),
            ]
        )
    }

    @Test func `retains unknown fields and names of each trip of a list`() throws {
        let body = #"""
            {"trips":[{"name":"providers/p/trips/a"},{"name":"providers/p/trips/b","x":true,"tripType":"POOLED"}],"y":1}
            """#
        let page = try TripPage(body: Array(body.utf8))
        #expect(page.trips.map(\.unknownFields) == [[], [UnknownField(name: "x", text: "true")]])
        #expect(page.trips[1].type == .unrecognized("POOLED"))
    }

    @Test func `times and durations that are none count as missing`() throws {
        let trip = try trip(
            #""pickupTime":"soon","dropoffTime":"2026-01-01t00:00:00.5z","remainingTimeToFirstWaypoint":"a while","#
                + #""currentRouteSegmentVersion":"1","tripStatus":"NEW""#
        )
        #expect(trip.pickupTime == nil && trip.remainingTime == nil && trip.routeVersion == nil)
        #expect(trip.dropoffTime == Timestamp.date("2026-01-01T00:00:00.5Z"))
        #expect(trip.status == .new)
    }

    @Test func `numbers of enum values may be any numbers beside unknown names`() throws {
        let trip = try trip(#""tripStatus":-2147483648,"tripType":"POOLED","view":2147483647"#)
        #expect(trip.type == .unrecognized("POOLED"))
        #expect(trip.status == .unrecognized("-2147483648") && trip.view == "2147483647")
    }

    @Test func `an answer retains its unknown names when it is written again`() throws {
        var trip = Trip(id: try TripID("t"), provider: try ProviderID("p"), status: .unrecognized("FLYING"))
        trip.view = "FANCY"
        trip.type = .unrecognized("77")
        trip.remainingDistance = Distance(meters: 12)
        #expect(try TripCoding.decode(TripCoding.encode(trip)) == trip)
        let numbers = try TripCoding.decode(TripCoding.encode(trip, enums: .numbers))
        #expect(numbers.status == .unrecognized("UNKNOWN_TRIP_STATUS") && numbers.type == .unrecognized("77"))
    }

    @Test(arguments: [
        (#""lastLocation":{"heading":{}}"#, "lastLocation.heading", "a number is expected"),
        (#""lastLocation":{"updateTime":7}"#, "lastLocation.updateTime", "a string is expected"),
        (#""remainingWaypoints":[{},{"location":[]}]"#, "remainingWaypoints[1].location", "an object is expected"),
        (#""remainingWaypoints":[{},null]"#, "remainingWaypoints[1]", "null where an object is expected"),
        (#""x":1,"tripStatus":"FLYING","route":{}"#, "route", "a list is expected"),
        (
            #""attributes":[{"key":"k","stringValue":"a","boolValue":true}]"#, "attributes[0]",
            "exactly one value is expected"
        ),
    ])
    func `names the bad value of an answer`(members: String, path: String, reason: String) {
        #expect(throws: WireError.unexpected(path: path, reason: reason)) { try trip(members) }
    }

    @Test(arguments: [
        (
            #"{"trip_status":"FLYING"}"#,
            WireError.unexpected(
                path: "tripStatus",
                reason: "\"FLYING\" where one of UNKNOWN_TRIP_STATUS, NEW, ENROUTE_TO_PICKUP, ARRIVED_AT_PICKUP, "
                    + "ENROUTE_TO_DROPOFF, COMPLETE, CANCELED, ARRIVED_AT_INTERMEDIATE_DESTINATION, "
                    + "ENROUTE_TO_INTERMEDIATE_DESTINATION is expected"
            )
        ),
        (
            #"{"numberOfPassengers":1.5}"#,
            .unexpected(path: "numberOfPassengers", reason: "1.5 where a whole number of 32 bits is expected")
        ),
        (
            #"{"pickupPoint":{"point":{"latitude":"x"}}}"#,
            .unexpected(path: "pickupPoint.point.latitude", reason: "\"x\" where a number is expected")
        ),
        (
            #"{"pickupTime":"x"}"#,
            .unexpected(path: "pickupTime", reason: "\"x\" where a timestamp of RFC 3339 is expected")
        ),
        (#"{"pickupPoint":{"mood":1}}"#, .unknownName("mood", path: "pickupPoint")),
        (#"{"mood":1}"#, .unknownName("mood", path: "")),
        (#"{"vehicleWaypoints":[null]}"#, .unexpected(path: "vehicleWaypoints[0]", reason: "null in a list")),
        ("[]", .unexpected(path: "", reason: "the body is not an object")),
        ("{", .notJSON(reason: "the body is not JSON")),
        (#"{"a":1"#, .notJSON(reason: "the body is not JSON")),
    ])
    func `names the bad value of a request`(body: String, error: WireError) {
        #expect(throws: error) { try TripMessage(body: Array(body.utf8)) }
    }

    @Test func `more unknown names than are examined do not fail an answer`() throws {
        let interval = #"{"speed":"X"}"#
        let list = Array(repeating: interval, count: 4990).joined(separator: ",")
        let waypoint = #"{"trafficToWaypoint":{"speedReadingInterval":[\#(list)]}}"#
        let trip = try trip(#""remainingWaypoints":[\#(waypoint),\#(waypoint),\#(waypoint)]"#)
        #expect(trip.remainingWaypoints[0].traffic?.intervals.last?.speed == .unrecognized("X"))
        #expect(trip.omitted == [OmittedElements(kind: .trafficIntervals, count: 2 * 4990 - 10)])
    }

    @Test func `deeply nested unknown values are refused`() {
        for (opening, closing) in [("[", "]"), (#"{"a":"#, "}")] {
            let nested = String(repeating: opening, count: 100_000) + "1" + String(repeating: closing, count: 100_000)
            #expect(throws: WireError.notJSON(reason: "it nests too deeply")) { try trip(#""x":\#(nested)"#) }
        }
    }
}
